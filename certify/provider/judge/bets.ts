/**
 * Rules for bets. The provider repeats or refunds an open bet. It does not send a failed bet again. It plays only a
 * paid bet.
 */
import type { Call } from "../aggregator/session.ts";
import { ProviderFinding } from "./finding.ts";
import { betsOf, isFinal, refundsOf, standingOf, type Transaction, transactionsOf, winsOf } from "./standing.ts";
import { answerInWords, callInWords } from "./words.ts";

const last = ({ calls }: Transaction): string => answerInWords(calls.at(-1)?.answer);

/** `spins`: the number of spins that the player was asked to make; infinite: any number. */
export function betsAreRepeated(calls: readonly Call[], spins: number): void {
  const all = transactionsOf(calls);
  const bets = betsOf(all);
  for (const [i, bet] of bets.entries()) {
    const open = bets.slice(0, i).find((earlier) => {
      const isRefunded = refundsOf(all, earlier).some(({ first }) => first.at <= bet.first.at);
      return !isFinal(standingOf(earlier, bet.first.at)) && !isRefunded;
    });
    if (open === undefined) continue;
    throw new ProviderFinding(
      "prov-part-repeat",
      {
        expected: `the bet ${open.txId} again under its own id, or its refund`,
        received: `a bet under another id: ${callInWords(bet.first)}`,
        fix: "Make the `tx_id` once, before the first call, and use it for every repeat. A new id takes the player's money twice.",
      },
      bet.first,
    );
  }
  if (bets.length <= spins) return;
  const [further] = bets.slice(spins);
  throw new ProviderFinding(
    "prov-part-over",
    {
      expected: spins === 1 ? "one bet, for the player played once" : `${spins} bets, for the player played so often`,
      received: `one more: ${further === undefined ? "" : callInWords(further.first)}`,
      fix: "A failed bet is over. Make another bet only when the player plays again.",
    },
    further?.first,
  );
}

/** Call this after the provider's time for its next call is over. */
export function noBetIsLeftOpen(calls: readonly Call[]): void {
  const all = transactionsOf(calls);
  for (const bet of betsOf(all)) {
    if (standingOf(bet) !== "open" || refundsOf(all, bet).length > 0) continue;
    const repeats = bet.calls.length - 1;
    throw new ProviderFinding(
      "prov-part-open",
      {
        expected: `the bet ${bet.txId} repeated until it has a final answer, or refunded`,
        received: `${repeats === 0 ? "nothing more" : `${repeats} ${repeats === 1 ? "repeat" : "repeats"} and no refund`}; the last answer was ${last(bet)}`,
        fix: "The player may have paid. Repeat the same request a few times, then send RefundBet. Keep both requests stored, so that a restart does not lose them.",
      },
      bet.calls.at(-1),
    );
  }
}

export function onlyPaidRoundsArePlayed(calls: readonly Call[]): void {
  const all = transactionsOf(calls);
  const bets = betsOf(all);
  for (const win of winsOf(all)) {
    const { roundId, at } = win.first;
    const own = bets.filter(({ first }) => first.roundId === roundId);
    if (own.some((bet) => standingOf(bet, at) === "success")) continue;
    const [bet] = own;
    if (bet === undefined)
      throw new ProviderFinding(
        "prov-part-ids",
        {
          expected: `the \`round_id\` of its bet: ${bets.map(({ first }) => first.roundId).join(", ") || "there is no bet"}`,
          received: callInWords(win.first),
          fix: "Make the `round_id` once for a round, and send it with all its bets and wins.",
        },
        win.first,
      );
    throw new ProviderFinding(
      "prov-part-wait",
      {
        expected: `no win before the bet ${bet.txId} is SUCCESS; so far it had ${last({ ...bet, calls: bet.calls.filter((call) => call.at <= at) })}`,
        received: callInWords(win.first),
        fix: "Start the round only when PlaceBet answers SUCCESS, and not after PENDING or an error.",
      },
      win.first,
    );
  }
}
