/** The rules for the pace and the duration of repeats. */
import type { Call } from "../aggregator/session.ts";
import { ProviderFinding } from "./finding.ts";
import { finalCall, type Transaction, transactionsOf } from "./standing.ts";
import { callInWords, inSeconds } from "./words.ts";

/** The maximum number of calls of one transaction in a second. Pauses of 250 ms that double make three. */
const PER_SECOND_MAX = 5;
/**
 * The maximum number of calls after the final answer. One copy may have been sent before the answer came, and a
 * restarted provider may repeat the call once.
 */
const AFTER_FINAL_MAX = 2;
/** Pauses of this length need not grow further. */
const LONG_PAUSE_MS = 5_000;
/** The minimum number of pauses to judge whether pauses grow. */
const PAUSES_MIN = 4;
/**
 * The last pauses must be longer than the first by this factor. It is low, because a busy machine lengthens some
 * pauses.
 */
const GROWTH = 1.5;
/** A pause with at least this part of another one counts as not shorter, because a busy machine lengthens both. */
const AS_LONG = 0.75;

export function repeatsAreNoStorm(calls: readonly Call[]): void {
  for (const { txId, calls: own } of transactionsOf(calls)) {
    for (const [i, call] of own.entries()) {
      const sixth = own[i + PER_SECOND_MAX];
      if (sixth === undefined || sixth.at - call.at >= 1_000) continue;
      const count = own.filter(({ at }) => at >= call.at && at < call.at + 1_000).length;
      throw new ProviderFinding(
        "prov-part-pace",
        {
          expected: `at most ${PER_SECOND_MAX} calls of one transaction in a second`,
          received: `${count} calls of ${txId} in the second after ${inSeconds(call.at)}`,
          fix: "Wait 250 ms before the first repeat, and twice as long before each further one, up to 10 s.",
        },
        sixth,
      );
    }
  }
}

export function finalAnswersEndRepeats(calls: readonly Call[]): void {
  for (const transaction of transactionsOf(calls)) {
    if (mayBeJudgedAnew(transaction)) continue;
    const ended = finalCall(transaction)?.answeredAt;
    // A repeat of a Play for its win repeats its bet, too.
    const isRepeated = ({ at, method, further }: Call): boolean =>
      ended !== undefined && at > ended && !(method === "PlaceBet" && further.via === "Play");
    const later = transaction.calls.filter(isRepeated);
    const tooMany = later[AFTER_FINAL_MAX];
    if (tooMany === undefined) continue;
    throw new ProviderFinding(
      "prov-part-stop",
      {
        expected: `no more calls of ${transaction.txId} after its final answer`,
        received: `${later.length} more: ${callInWords(tooMany)}`,
        fix: "Store the final answer, and stop. Another call gets the same answer.",
      },
      tooMany,
    );
  }
}

/**
 * A FAILED win or refund may be repeated, because the wallet then decides again. A refund without its bet stays FAILED.
 */
const mayBeJudgedAnew = ({ method, calls }: Transaction): boolean =>
  (method === "PayWin" || method === "RefundBet") &&
  calls.some(({ answer }) => answer?.kind === "failed" && answer.error !== "TRANSACTION_NOT_FOUND");

/** The times between an answer and the next call. Calls that overlap have no pause. */
const pausesOf = ({ calls }: Transaction): number[] =>
  calls.slice(1).flatMap((call, i) => {
    const before = calls[i]?.answeredAt;
    return before === undefined || before > call.at ? [] : [call.at - before];
  });

/** Transactions with enough pauses to judge whether they grow. */
export const withPauses = (calls: readonly Call[]): Transaction[] =>
  transactionsOf(calls).filter((transaction) => pausesOf(transaction).length >= PAUSES_MIN);

/**
 * The pauses of each transaction must grow. Pauses that do not grow are no fault if another transaction's pauses grow
 * and are not longer: the provider then sends no more calls than with growing pauses. A stall of a busy machine makes
 * such pauses out of growing ones, because it lengthens the first pauses most.
 */
export function pausesGrow(transactions: readonly Transaction[]): void {
  const growing = transactions.map(pausesOf).filter(doGrow);
  for (const transaction of transactions) {
    const pauses = pausesOf(transaction);
    if (doGrow(pauses) || growing.some((others) => areAsLong(pauses, others))) continue;
    throw new ProviderFinding(
      "prov-part-pace",
      {
        expected: "pauses that grow from repeat to repeat",
        received: `the pauses of ${transaction.txId}: ${pauses.map(inSeconds).join(", ")}`,
        fix: "Double the pause with each repeat, up to 10 s, because an overloaded service needs fewer calls.",
      },
      transaction.calls.at(-1),
    );
  }
}

function doGrow(pauses: readonly number[]): boolean {
  const [first, last] = [Math.min(...pauses.slice(0, 2)), Math.max(...pauses.slice(-2))];
  return last >= LONG_PAUSE_MS || last >= first * GROWTH;
}

const areAsLong = (pauses: readonly number[], others: readonly number[]): boolean =>
  pauses.every((ms, i) => ms >= AS_LONG * (others[i] ?? others.at(-1) ?? 0));
