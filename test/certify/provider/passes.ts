/** Full passes against the provider of the tests. */

import type { ExecutionContext } from "ava";
import { certify, nameOf, type Outcome, type Pass, type Plan } from "../../../certify/provider/certify.ts";
import { Hook } from "../../../certify/provider/drive/hook.ts";
import { turns } from "../../../testbed/in-process/turns.ts";
import { freePort } from "../../../testbed/programs/ports.ts";
import { type BugName, bugOf } from "./bugs.ts";
import { type Habits, ProviderUnderTest } from "./provider-under-test.ts";

/** Waits that are shorter than in any command, so that a missing call costs little time. */
const WAITS = { bet: 3_000, win: 2_000, refund: 4_500, deliver: 6_000, quiet: 2_000 };

/**
 * Waits for correct providers. They are long enough for a busy machine, and cost no time because no call is missing.
 */
export const PATIENT = { bet: 15_000, win: 8_000, refund: 25_000, deliver: 25_000, quiet: 2_000 };

interface Subject {
  readonly bugs?: readonly BugName[];
  readonly habits?: Habits;
}

export const planOf = (source: URL, port: number): Plan => ({
  source,
  provider: "ACME",
  key: "key",
  game: "book-of-x",
  currency: "BRL",
  listen: { host: "127.0.0.1", port },
  waits: WAITS,
  spinsMax: 3,
});

/** A pass against a provider under test. */
export const passOf = (subject: Subject, more: Partial<Plan> = {}): Promise<Pass> =>
  inTurn(() => onePass(subject, more));

async function onePass(subject: Subject, more: Partial<Plan>): Promise<Pass> {
  const port = await freePort();
  const provider = new ProviderUnderTest({ aggregator: `127.0.0.1:${port}`, key: "key", ...subject });
  const { source, hook, close } = await provider.listen();
  try {
    const plan = { ...planOf(source, port), ...more };
    return await certify(plan, new Hook(hook, 40, plan.waits.bet));
  } finally {
    await close();
  }
}

/** Why a case was not tried with a provider that does not use its calls. */
const UNUSED = /^The provider sent no /;

/** The cases that did not pass, in words. Those of calls that the provider does not use are left out. */
export const faultsOf = ({ outcomes }: Pass): string[] =>
  outcomes
    .filter(({ status, why = "" }) => status !== "passed" && !UNUSED.test(why))
    .map((outcome) => `${nameOf(outcome)}: ${outcome.finding?.message ?? outcome.why}`);

/** Limits the passes of one process at the same time. */
const inTurn = turns(12);

/** The case for the planted bug catches it, and no unrelated case fails. */
export async function isCaught(t: ExecutionContext, name: BugName): Promise<void> {
  t.timeout(300_000);
  const { caughtBy, also = [], isWarning, uses = [] } = bugOf(name);
  // Cases that run alone take seconds each, so only the case for the bug runs.
  const [category = ""] = caughtBy.split("/");
  const own = { connection: [caughtBy], whole: ["bets", "wins"] }[category] ?? [category];
  const only = ["bets/accepted", "wins/accepted", "whole", ...own];
  const { outcomes } = await passOf({ bugs: [name], habits: { deadlineMs: 1_500, uses } }, { only });
  const isBad = ({ status }: Outcome): boolean => status === (isWarning ? "warning" : "failed");
  const bad = outcomes.filter(isBad).map(nameOf);
  t.true(bad.includes(caughtBy), `caught by ${caughtBy}, not by ${bad.join(", ") || "nothing"}`);
  // The short deadline is a warning in each of these passes.
  const expected = [caughtBy, "whole/deadlines", ...also];
  t.deepEqual(
    bad.filter((one) => !expected.includes(one) && !expected.includes(one.split("/")[0] ?? "")),
    [],
  );
}
