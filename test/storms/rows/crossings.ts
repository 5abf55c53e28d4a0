import type { Content, TransactionRequest } from "../../../src/domain/transaction/transaction.ts";
import type { Outcome } from "../../../testbed/judge/record.ts";
import { APPLIED_500, NEVER_APPLIED_500, OK } from "../../../testbed/wallet/behaviour.ts";
import type { Row } from "../row.ts";
import { pause, type Run, words } from "../run.ts";

/** The two requests begin at most this long apart, so that either may be first at the bet's row. */
const APART_MS = 8;
const PLAY_EVERY = 5;

/** Row D10 of docs/notebook/reliability.md. */
export const CROSSINGS: Row = {
  id: "D10",
  what: "the settlement of a bet and a refund or Reverse with `unless_settled`, at the same time on two replicas",
  runs: 1_500,
  briefly: 10,
  atOnce: 20,
  run: (run) => (run.n % PLAY_EVERY === PLAY_EVERY - 1 ? playAndReversal(run) : settlementAndReversal(run)),
};

interface Pair {
  readonly bet: Content;
  readonly win: TransactionRequest & { readonly bet: NonNullable<TransactionRequest["bet"]> };
  readonly refund: TransactionRequest;
}

function pairOf(run: Run): Pair {
  const bet = run.content("bet", "b");
  const { roundId } = bet;
  return {
    bet,
    win: { ...run.content("win", "w", null, 700n), roundId, bet: { txId: bet.txId, settles: true } },
    refund: { ...run.content("refund", "f", "b"), roundId, unlessSettled: true },
  };
}

/** The bet is a success before the two requests cross. */
async function settlementAndReversal(run: Run): Promise<void> {
  const { bet, win, refund } = pairOf(run);
  await run.repeatUntilFinal(bet);
  for (const credit of [win, refund])
    await run.script(credit, run.random.pick([OK, OK, { ...OK, afterMs: 100 }, APPLIED_500, NEVER_APPLIED_500]));
  const reverses = run.n % 2 === 0;
  const take = () => run.untilFinal(refund, () => (reverses ? run.reverse(refund) : run.ask(refund)));
  const [paid, returned] = await crossed(run, () => run.repeatUntilFinal(win), take);
  run.expect(
    (words(paid) === "success" && words(returned) === "BET_SETTLED ref_tx_id") ||
      (words(paid) === "TRANSACTION_REVERSED bet_tx_id" && words(returned) === "success"),
    bet,
    `its settlement was told ${words(paid)}, and its refund ${words(returned)}`,
    "I14",
  );
  checkOneOfThem(run, { bet, win, refund });
}

/** The bet comes with its settlement. So the reversal meets an unknown, a pending or a settled bet. */
async function playAndReversal(run: Run): Promise<void> {
  const { bet, win, refund } = pairOf(run);
  await run.script(bet, run.random.pick([OK, { ...OK, afterMs: 20 }, { ...OK, judgedAfterMs: 20 }, APPLIED_500]));
  const play = () =>
    run.untilFinal(bet, async () => {
      const [taken, paid] = await run.play(bet, win);
      return words(taken) === "success" ? paid : taken;
    });
  await crossed(run, play, () => run.untilFinal(refund, () => run.reverse(refund)));
  checkOneOfThem(run, { bet, win, refund });
}

/** Begins both requests at nearly the same time, in half of the runs with a copy of each. */
async function crossed(
  run: Run,
  one: () => Promise<Outcome>,
  other: () => Promise<Outcome>,
): Promise<readonly [Outcome, Outcome]> {
  const soon = async (send: () => Promise<Outcome>): Promise<Outcome> => {
    await pause(run.random.int(0, APART_MS));
    return send();
  };
  const copies = run.random.chance(0.5) ? [soon(one), soon(other)] : [];
  const outcomes = await Promise.all([soon(one), soon(other)]);
  await Promise.all(copies);
  return outcomes;
}

/** Exactly one of the two has its mark on the bet, and only that one has moved money. */
function checkOneOfThem(run: Run, { bet, win, refund }: Pair): void {
  run.afterwards(({ row, effects }) => {
    const { settledBy = null, reversedBy = null } = row(bet) ?? {};
    run.note(settledBy !== null ? "settled" : effects(bet).length === 0 ? "marked before the bet" : "reversed");
    const expect = (holds: boolean, what: string) => run.expect(holds, bet, what, "I14");
    expect((settledBy === null) !== (reversedBy === null), `settled by ${settledBy} and reversed by ${reversedBy}`);
    expect(settledBy === null || settledBy === win.txId, `settled by ${settledBy}`);
    expect(reversedBy === null || reversedBy === refund.txId, `reversed by ${reversedBy}`);
    const [taken, paid, returned] = [bet, win, refund].map((one) => effects(one).length);
    const isRight = settledBy !== null ? taken === 1 && paid === 1 && returned === 0 : paid === 0 && taken === returned;
    expect(isRight, `the wallet applied ${taken} bets, ${paid} settlements and ${returned} refunds of it`);
  });
}
