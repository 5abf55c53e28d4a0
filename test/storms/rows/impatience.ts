import { type Content, isCredit } from "../../../src/domain/transaction/transaction.ts";
import { keyText } from "../../../src/domain/values/identifiers.ts";
import type { Operation } from "../../../testbed/judge/record.ts";
import {
  APPLIED_500,
  type Behaviour,
  NEVER_APPLIED,
  NEVER_APPLIED_500,
  OK,
} from "../../../testbed/wallet/behaviour.ts";
import type { Row } from "../row.ts";
import { isFinal, isTransient, pause, type Run, words } from "../run.ts";
import type { Seen } from "../seen.ts";
import { FIRST_DELAY_MS } from "../stage.ts";

const EVERY_MS = 50;
/** Some providers repeat a credit only for this time. After that only the service sends the credit again. */
const ASKS_FOR_MS = 500;
const GIVES_UP_MS = 60_000;
const ACTIONS = ["win", "bet", "refund", "rollback"] as const;

/** Row D9 of docs/notebook/reliability.md. */
export const IMPATIENCE: Row = {
  id: "D9",
  what: "a provider that repeats every 50 ms while it is told pending",
  runs: 50,
  briefly: 4,
  atOnce: 10,
  async run(run) {
    const content = await prepared(run);
    // For every second credit the provider stops repeating after a while, and only the service sends it again.
    const alone = isCredit(content.action) && Math.floor(run.n / ACTIONS.length) % 2 === 0;
    const after = (behaviour: Behaviour): Behaviour => ({ ...behaviour, afterMs: run.random.int(0, 120) });
    const unanswered = Array.from({ length: alone ? 5 : run.random.int(3, 6) }, () =>
      after(run.random.pick([NEVER_APPLIED_500, APPLIED_500])),
    );
    await run.script(content, ...unanswered, ...(run.random.chance(0.3) && !alone ? [NEVER_APPLIED] : []), {
      ...OK,
      afterMs: 100,
    });
    await repeat(run, content, alone ? ASKS_FOR_MS : GIVES_UP_MS);
    if (!alone) {
      const last = words(await run.repeatUntilFinal(content));
      run.expect(last === "success", content, `told ${last}`);
    }
    run.afterwards((seen) => {
      const calls = seen.calls(content);
      run.expect(new Set(calls.map(({ body }) => body)).size === 1, content, "its bodies differ", "I12");
      run.expect(seen.effects(content).length === 1, content, `${seen.effects(content).length} effects`, "I1");
      run.expect(seen.row(content)?.status === "success", content, `is ${seen.row(content)?.status} in the end`, "I6");
      if (isCredit(content.action)) checkBackoff(run, content, seen);
    });
  },
};

async function prepared(run: Run): Promise<Content> {
  const action = ACTIONS[run.n % ACTIONS.length] ?? "bet";
  if (action === "bet" || action === "win") return run.content(action, "x");
  await run.repeatUntilFinal(run.content(action === "refund" ? "bet" : "win", "o"));
  return run.content(action, "x", "o");
}

/**
 * Sends a request every 50 ms without waiting for the answers, until an answer is final, or until the time is over and
 * the service has accepted one request.
 */
async function repeat(run: Run, content: Content, forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  const requests: Promise<void>[] = [];
  let taken = false;
  let over = false;
  while (!over && (!taken || performance.now() < until)) {
    const one = run.ask(content).then((outcome) => {
      if (!isTransient(outcome)) taken = true;
      if (isFinal(outcome)) over = true;
    });
    requests.push(one);
    await pause(EVERY_MS);
  }
  await Promise.all(requests);
}

/**
 * A wallet call without an open request is the service's own resend. It must not come before the end of its backoff.
 */
function checkBackoff(run: Run, content: Content, { calls }: Seen): void {
  const operations = run.stage.installation.history.operations.filter(
    (one) => keyText(one.content) === keyText(content),
  );
  const inOrder = calls(content);
  for (const [i, call] of inOrder.entries()) {
    const before = inOrder[i - 1];
    if (before === undefined || operations.some((one) => isOpen(one, call.begunAt))) continue;
    const gapMs = call.begunAt - before.begunAt;
    const leastMs = FIRST_DELAY_MS * 2 ** (before.attempt - 1);
    run.note("sent again by the service itself");
    run.expect(
      gapMs >= leastMs,
      content,
      `sent again by itself ${gapMs} ms after attempt ${before.attempt}, not ${leastMs}`,
      "I10",
    );
  }
}

const isOpen = ({ invokedAt, endedAt }: Operation, at: number): boolean =>
  invokedAt <= at && (endedAt === null || endedAt >= at);
