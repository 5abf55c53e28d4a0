/** Full passes against wallets of the tests. */

import type { ExecutionContext } from "ava";
import type { Account } from "../../../certify/wallet/calls/callback.ts";
import type { Currency } from "../../../certify/wallet/calls/money.ts";
import { CATEGORIES } from "../../../certify/wallet/cases/list.ts";
import { certify } from "../../../certify/wallet/certify.ts";
import type { Outcome, Pass, Plan } from "../../../certify/wallet/pass.ts";
import { turns } from "../../../testbed/in-process/turns.ts";
import { BUGS, type Bug, type BugName } from "./bugs.ts";
import type { Habits } from "./wallet-habits.ts";
import { WalletUnderTest } from "./wallet-under-test.ts";

const account = (code: "shop" | "other", currency: Currency): Account => ({
  code,
  secret: `sk_${code}`,
  secretName: code === "shop" ? "SECRET" : "OTHER_SECRET",
  currency,
});

/** A plan with all cases for a wallet under test. */
export function planOf(url: URL, currency: Currency = "BRL", players: readonly string[] = ["ana", "rui"]): Plan {
  const other = { merchant: account("other", currency), player: players[0] ?? "" };
  return {
    url,
    merchant: account("shop", currency),
    players,
    blocked: "blocked",
    other,
    atOnce: 64,
    seed: 1,
    histories: 1,
    pauseMs: 0,
  };
}

interface Subject {
  readonly bugs?: readonly BugName[];
  readonly habits?: Habits;
  readonly currency?: Currency;
  readonly players?: readonly string[];
  /** The first balance of each player, in minor units. */
  readonly opening?: bigint;
}

/** A pass against a wallet under test. */
export async function passOf(subject: Subject, more: Partial<Plan> = {}): Promise<Pass> {
  const { url, close } = await new WalletUnderTest(subject).listen();
  try {
    return await certify({ ...planOf(url, subject.currency, subject.players), ...more });
  } finally {
    await close();
  }
}

export const nameOf = ({ category, case: one }: Outcome): string => `${category.id}/${one.id}`;

export const NO_PAUSE = "--pause 0 leaves it out.";

/** The cases that did not pass, in words. */
export const faultsOf = ({ outcomes }: Pass): string[] =>
  outcomes
    .filter(({ status, lacks, unprepared }) => status === "failed" || status === "warning" || lacks || unprepared)
    // Most passes of the tests do not wait.
    .filter(({ why }) => why !== NO_PAUSE)
    .map((outcome) => `${nameOf(outcome)}: ${outcome.finding?.message ?? outcome.why}`);

/** Limits the passes of one process at the same time. */
const inTurn = turns(4);

/** The case for the planted bug catches it, and no unrelated category fails. */
export async function isCaught(t: ExecutionContext, name: BugName): Promise<void> {
  const { caughtBy, also = [], currency = "BRL", isWarning = false, plan = {} }: Bug = BUGS[name];
  // A bug that needs a long history gets two histories that show it. The cases about memory need a thousand
  // transactions, so only the passes that need them have them.
  const only = [...CATEGORIES.map(({ id }) => id), "random"];
  const { outcomes } = await inTurn(() => {
    // The time begins when it is the pass's turn.
    t.timeout(170_000);
    return passOf(
      { bugs: [name], currency },
      { only, ...(caughtBy === "random" && { seed: 3, histories: 2 }), ...plan },
    );
  });
  const failed = outcomes.filter(({ status }) => status === "failed" || (isWarning && status === "warning"));
  t.true(
    failed.some((outcome) => nameOf(outcome) === caughtBy || outcome.category.id === caughtBy),
    `caught by ${caughtBy}, not by ${failed.map(nameOf).join(", ") || "nothing"}`,
  );
  // Random histories may find any bug.
  const expected = new Set([caughtBy.split("/")[0], "random", ...also]);
  const others = also === "any" ? [] : failed.filter(({ category }) => !expected.has(category.id)).map(nameOf);
  t.deepEqual(others, []);
}
