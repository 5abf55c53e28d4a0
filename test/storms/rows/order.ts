import type { Content } from "../../../src/domain/transaction/transaction.ts";
import type { Outcome } from "../../../testbed/judge/record.ts";
import {
  APPLIED_SILENT,
  type Behaviour,
  NEVER_APPLIED,
  NEVER_APPLIED_500,
  OK,
} from "../../../testbed/wallet/behaviour.ts";
import type { Row } from "../row.ts";
import { isFinal, isTransient, pause, type Run, words } from "../run.ts";
import { WALLET_TIMEOUT_MS } from "../stage.ts";

/** Row D4 of docs/notebook/reliability.md. */
export const WIN_FIRST: Row = {
  id: "D4",
  what: "a win before its bet, with it, and without one",
  runs: 100,
  briefly: 3,
  atOnce: 20,
  async run(run) {
    const bet = run.content("bet", "b");
    const win: Content = { ...run.content("win", "w", null, 900n), roundId: bet.roundId };
    await run.script(bet, run.random.pick([OK, { ...OK, afterMs: 300 }, { ...OK, judgedAfterMs: 300 }]));
    const contents = [win, ...(run.n % 3 === 0 ? [] : [bet])];
    const outcomes: Outcome[] = [];
    if (run.n % 3 === 1) for (const content of contents) outcomes.push(await run.repeatUntilFinal(content));
    else outcomes.push(...(await Promise.all(contents.map((content) => run.repeatUntilFinal(content)))));
    for (const outcome of outcomes) run.expect(words(outcome) === "success", win, `told ${words(outcome)}`);
    run.afterwards(({ effects }) => {
      for (const content of contents)
        run.expect(effects(content).length === 1, content, `${effects(content).length} effects`, "I1");
    });
  },
};

/** Row D5 of docs/notebook/reliability.md. */
export const REFUND_FIRST: Row = {
  id: "D5",
  what: "a refund before its bet, which comes within the quiet period",
  runs: 500,
  briefly: 6,
  atOnce: 100,
  async run(run) {
    const { quietMs } = run.stage.options;
    const { bet, refund } = pairOf(run);
    await run.script(
      refund,
      run.random.pick([OK, OK, NEVER_APPLIED_500, NEVER_APPLIED, { ...OK, judgedAfterMs: 300 }]),
    );
    const reversal = run.repeatUntilFinal(refund);
    await (run.n % 4 === 0 ? pause(0) : run.n % 4 === 1 ? reversal : pause(run.random.int(0, quietMs)));
    const [outcome] = [await run.repeatUntilFinal(bet), await reversal];
    await checkUndone(run, bet, refund, outcome);
  },
};

/**
 * Row D6 of docs/notebook/reliability.md. The wallet applies the bet after at most half of the sum of wallet time-out
 * and quiet period. Here this is 3 s. With the values of production (8 s and 60 s) it is 34 s.
 */
export const LATE_BET: Row = {
  id: "D6",
  what: "a refund while its bet is on the way, which is applied late",
  runs: 1_000,
  briefly: 8,
  atOnce: 120,
  async run(run) {
    const latestMs = Math.round((WALLET_TIMEOUT_MS + run.stage.options.quietMs) / 2);
    const { bet, refund } = pairOf(run);
    const late = (): Behaviour => ({
      ...run.random.pick([OK, APPLIED_SILENT]),
      judgedAfterMs: run.random.int(0, latestMs),
    });
    await run.script(bet, late(), late(), late());
    await run.script(refund, run.random.pick([OK, OK, { ...OK, judgedAfterMs: 300 }, NEVER_APPLIED_500]));
    const { first } = await sent(run, bet, run.random.int(0, Math.round(WALLET_TIMEOUT_MS * 1.2)));
    // Some providers repeat the bet, before the refund and after it.
    const again = run.random.chance(0.5) ? repeated(run, bet) : undefined;
    // Some providers do not repeat a refund that the service has accepted.
    if (run.random.chance(0.3)) await run.ask(refund);
    const reversal = await run.repeatUntilFinal(refund);
    await Promise.all([first, again]);
    run.expect(
      ["success", "failed TRANSACTION_NOT_FOUND"].includes(words(reversal)),
      refund,
      `told ${words(reversal)}`,
    );
    await checkUndone(run, bet, refund, await run.repeatUntilFinal(bet));
  },
};

const pairOf = (run: Run): { bet: Content; refund: Content } => ({
  bet: run.content("bet", "b"),
  refund: { ...run.content("refund", "f", "b"), roundId: `round ${run.id("b")}` },
});

/**
 * Sends a bet. Resolves after this time, or when the bet has its answer. If the bet is refused because of overload, it
 * is requested again.
 */
async function sent(run: Run, bet: Content, forMs: number): Promise<{ first: Promise<Outcome> }> {
  for (;;) {
    const first = run.ask(bet);
    const early = await Promise.race([first, pause(forMs)]);
    if (early === undefined || !isTransient(early)) return { first };
  }
}

/** Repeats the bet until its refund has reversed it. */
async function repeated(run: Run, bet: Content): Promise<void> {
  for (let outcome: Outcome | undefined; outcome === undefined || !isFinal(outcome); outcome = await run.ask(bet))
    await pause(run.random.int(100, 900));
}

/**
 * In every order the bet's last answer must be that the bet was reversed, and the effects of bet and refund must add up
 * to 0.
 */
async function checkUndone(run: Run, bet: Content, refund: Content, betOutcome: Outcome): Promise<void> {
  const later = await run.repeatUntilFinal(bet);
  const gone = ["TRANSACTION_REVERSED", "failed TRANSACTION_NOT_FOUND"];
  const laterText = words(later);
  run.expect(gone.includes(laterText), bet, `told ${laterText} after its refund, and ${words(betOutcome)} before`);
  run.afterwards(({ calls, effects }) => {
    const [debits, credits] = [effects(bet), effects(refund)];
    const net = [...debits, ...credits].reduce((sum, { deltaMinor }) => sum + deltaMinor, 0n);
    run.expect(
      net === 0n && debits.length < 2,
      bet,
      `${debits.length} debits and ${credits.length} credits come to ${net}`,
      "I7",
    );
    const refundedAt = calls(refund)[0]?.begunAt ?? Number.POSITIVE_INFINITY;
    run.note(landingOf(calls(bet).length, debits[0]?.at, refundedAt));
    run.expect(
      calls(bet).every(({ begunAt }) => begunAt <= refundedAt),
      bet,
      "sent after its refund was",
      "I7",
    );
  });
}

/** Describes when the bet reached the wallet, compared with the first call of its refund. */
function landingOf(calls: number, appliedAt: number | undefined, refundedAt: number): string {
  if (calls === 0) return "bet never sent";
  if (appliedAt === undefined) return "bet sent and never applied";
  return appliedAt < refundedAt
    ? "bet applied before its refund was sent"
    : "bet applied after its refund was first sent";
}
