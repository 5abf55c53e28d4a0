/** Rules for refunds and wins. */
import type { Call } from "../aggregator/session.ts";
import { ProviderFinding } from "./finding.ts";
import {
  betsOf,
  finalCall,
  isFinal,
  refundsOf,
  standingOf,
  type Transaction,
  transactionsOf,
  winsOf,
} from "./standing.ts";
import { answerInWords, callInWords } from "./words.ts";

const OVER = { failed: "is FAILED", refused: "was refused for good" } as const;

export function refundsAreRight(calls: readonly Call[]): void {
  const all = transactionsOf(calls);
  const bets = betsOf(all);
  for (const { first: refund } of refundsOf(all)) {
    const bet = bets.find(({ txId }) => txId === refund.refTxId);
    if (bet === undefined)
      throw new ProviderFinding(
        "prov-part-refund",
        {
          expected: `\`ref_tx_id\` names a bet of this session: ${bets.map(({ txId }) => txId).join(", ") || "there is none"}`,
          received: callInWords(refund),
          fix: "Put the bet's own `tx_id` into `ref_tx_id`.",
        },
        refund,
      );
    const differing = (["amountMinor", "currency"] as const).find((field) => refund[field] !== bet.first[field]);
    if (differing !== undefined)
      throw new ProviderFinding(
        "prov-part-refund",
        {
          expected: `amount and currency of the bet: ${bet.first.amountMinor} ${bet.first.currency}`,
          received: callInWords(refund),
          fix: "Copy amount and currency from the bet. Partial refunds do not exist.",
        },
        refund,
      );
    const standing = standingOf(bet, refund.at);
    // Reverse answers that there is nothing to reverse.
    if (refund.further.via !== "Reverse" && (standing === "failed" || standing === "refused"))
      throw new ProviderFinding(
        "prov-part-over",
        {
          expected: `no refund, because the bet ${bet.txId} ${OVER[standing]}: ${answerInWords(finalCall(bet)?.answer)}`,
          received: callInWords(refund),
          fix: "Refund only what may have been paid: a bet without a final answer.",
        },
        refund,
      );
    const first = refundsOf(all, bet)[0]?.first;
    if (first !== undefined && first.txId !== refund.txId)
      throw new ProviderFinding(
        "prov-part-refund",
        {
          expected: `the refund ${first.txId} again, under its own id`,
          received: `a second refund of the bet ${bet.txId}: ${callInWords(refund)}`,
          fix: "Store the refund's `tx_id` with the bet before the first call, or make it from the bet's: `refund-<tx_id>`.",
        },
        refund,
      );
  }
}

/** The provider must not both play and refund a round. */
export function settledRoundsStay(calls: readonly Call[]): void {
  const all = transactionsOf(calls);
  for (const bet of betsOf(all)) {
    const [refund] = refundsOf(all, bet);
    if (refund === undefined) continue;
    const own = betsOf(all).filter(({ first }) => first.roundId === bet.first.roundId);
    const isLastBet = own.every((other) => refundsOf(all, other).length > 0);
    const win = winsOf(all).find(({ first }) => first.roundId === bet.first.roundId);
    const isAcceptedAtOnce = bet.first.answer?.kind === "success" && bet.first.at < refund.first.at;
    if (win === undefined ? !isAcceptedAtOnce : !isLastBet) continue;
    const later = win === undefined || win.first.at < refund.first.at ? refund.first : win.first;
    throw new ProviderFinding(
      "prov-part-settled",
      {
        expected:
          win === undefined
            ? `no refund of the bet ${bet.txId}: it was SUCCESS at once, and the player played the round`
            : `either the win ${win.txId} or the refund ${refund.txId} of one round`,
        received: callInWords(later),
        fix: "Decide once whether a round is played or refunded, and store the decision.",
      },
      later,
    );
  }
}

/** Call this after the provider's time for its next call is over. */
export function creditsAreDelivered(calls: readonly Call[]): void {
  for (const credit of transactionsOf(calls)) {
    if (credit.method === "EndRound") endIsDelivered(credit);
    if (credit.method !== "PayWin" && credit.method !== "RefundBet") continue;
    const standing = standingOf(credit);
    if (standing === "delivered" || isFinal(standing)) continue;
    const isWin = credit.method === "PayWin";
    const repeats = credit.calls.length - 1;
    const others = transactionsOf(calls).filter(
      ({ method, txId, first }) =>
        method === credit.method && txId !== credit.txId && first.roundId === credit.first.roundId,
    );
    throw new ProviderFinding(
      "prov-part-deliver",
      {
        expected: `the ${isWin ? "win" : "refund"} ${credit.txId} repeated under its own id until its reply is SUCCESS or PENDING`,
        received: `${repeats === 0 ? "no repeat" : `${repeats} ${repeats === 1 ? "repeat" : "repeats"}`}; the last answer was ${answerInWords(credit.calls.at(-1)?.answer)}${others.length === 0 ? "" : `. Another id came instead: ${others.map(({ txId }) => txId).join(", ")}`}`,
        fix: `The player is owed this money. Store the request before the first call, and repeat it with growing pauses until it is delivered, also after a restart of your server.`,
      },
      credit.calls.at(-1),
    );
  }
}

function endIsDelivered(end: Transaction): void {
  if (isFinal(standingOf(end))) return;
  throw new ProviderFinding(
    "round-end-round",
    {
      expected: `EndRound of ${end.first.roundId} again until it succeeds`,
      received: `no further call; the last answer was ${answerInWords(end.calls.at(-1)?.answer)}`,
      fix: "Store that the round has ended, and repeat EndRound with growing pauses.",
    },
    end.calls.at(-1),
  );
}

/** The service delivers a PENDING win, so a second win would pay twice. */
export function winsArePaidOnce(calls: readonly Call[]): void {
  const wins = winsOf(transactionsOf(calls));
  for (const [i, win] of wins.entries()) {
    const twin = wins
      .slice(0, i)
      .find(
        (earlier) =>
          earlier.first.roundId === win.first.roundId &&
          earlier.first.amountMinor === win.first.amountMinor &&
          earlier.calls.every(({ answer, at }) => at < win.first.at && answer?.kind !== "success"),
      );
    if (twin === undefined) continue;
    throw new ProviderFinding(
      "prov-part-repeat",
      {
        expected: `the win ${twin.txId} again under its own id, or nothing more of it`,
        received: `the same win under another id: ${callInWords(win.first)}`,
        fix: "Make the `tx_id` of a win once. A new id pays the player twice.",
      },
      win.first,
    );
  }
}
