import { duration, money } from "../../parts/format.ts";
import type { Attempt, Transaction } from "../../service/types.ts";
import { words } from "../../shell/language.ts";

type Tone = "good" | "bad" | "wait" | "plain";

/** One thing that happened to a transaction. */
export interface Moment {
  /** RFC 3339. */
  readonly at: string;
  readonly tone: Tone;
  readonly sentence: string;
  /** Further sentences and facts, as text. */
  readonly details: readonly string[];
  /** What the wallet sent back, as far as it was kept. */
  readonly reply?: string;
  /** Another transaction that the moment is about. */
  readonly txId?: string;
}

const end = ({ at, durationMs = 0 }: Attempt): number => Date.parse(at) + durationMs;

/** What the wallet did at a call. */
function answer({ result, durationMs, httpStatus }: Attempt, error: string | undefined): [Tone, string] {
  const say = words.timeline;
  const took = duration(durationMs ?? 0);
  if (result === undefined || result === "") return ["wait", durationMs === undefined ? say.noEnd : say.noAnswer(took)];
  if (result === "accepted") return ["good", say.accepted(took)];
  if (result === "rejected") return ["bad", say.rejected(took, error ?? "")];
  if (result === "timeout") return ["wait", say.timeout(took)];
  if (result === "connect") return ["wait", say.connect];
  if (result === "tls") return ["wait", say.tls];
  if (result === "http_5xx") return ["wait", say.http5xx(httpStatus ?? 500, took)];
  return ["wait", say.unreadable(took)];
}

/** The life of a transaction in sentences, the oldest first. */
export function timelineOf(transaction: Transaction, attempts: readonly Attempt[]): Moment[] {
  const say = words.timeline;
  const { playerId, provider, game, roundId, action, currency, status } = transaction;
  const amount = money(transaction.amountMinor, currency);
  const born: Moment = {
    at: transaction.createdAt,
    tone: "plain",
    sentence: say.created[action](playerId, amount),
    details: [say.where(game, provider, roundId)],
    ...(transaction.refTxId && { txId: transaction.refTxId }),
  };
  const calls = attempts.map((attempt, i): Moment => {
    const before = attempts[i - 1];
    const isLast = i === attempts.length - 1;
    const [tone, sentence] = answer(attempt, isLast ? transaction.error : undefined);
    const asked = before === undefined ? say.asked : say.askedAgain(duration(Date.parse(attempt.at) - end(before)));
    return {
      at: attempt.at,
      tone,
      sentence: `${asked} ${sentence}`,
      details: [
        ...(isLast && attempt.result === "accepted" && transaction.balanceMinor !== undefined
          ? [say.balance(playerId, money(transaction.balanceMinor, currency))]
          : []),
        ...(attempt.requestId ? [`X-Request-Id ${attempt.requestId}`] : []),
      ],
      ...(attempt.replyStart && { reply: attempt.replyStart }),
    };
  });
  const ends: Moment[] = [];
  if (transaction.resolvedBy === "manual")
    ends.push({
      at: transaction.updatedAt,
      tone: status === "success" ? "good" : "bad",
      sentence: status === "success" ? say.closedSuccess : say.closedFailed,
      details: [],
    });
  if (transaction.reversedBy)
    ends.push({
      at: transaction.updatedAt,
      tone: "plain",
      sentence: say.reversed(transaction.reversedBy),
      details: [],
      txId: transaction.reversedBy,
    });
  return [born, ...calls, ...ends];
}

/** What the transaction's state means for the player's money now. */
export function stateSentence(transaction: Transaction): string {
  const say = words.timeline.state;
  const amount = money(transaction.amountMinor, transaction.currency);
  const { action, status, playerId } = transaction;
  const isCredit = action === "win" || action === "refund";
  if (status === "success") return isCredit ? say.credited(playerId, amount) : say.debited(playerId, amount);
  if (status === "failed") return isCredit ? say.owed(playerId, amount) : say.notDebited(playerId, amount);
  return isCredit ? say.creditOpen(playerId, amount) : say.debitOpen(playerId, amount);
}
