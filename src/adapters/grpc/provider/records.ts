/** What providers read of their transactions, rounds and sessions, as messages. */
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { SessionStanding } from "../../../app/transaction/player-lookup.ts";
import type { Found, RoundKnowledge, TransactionKnowledge } from "../../../app/transaction/provider-questions.ts";
import type { RoundEnd } from "../../../domain/transaction/round.ts";
import { type Action, answerOf } from "../../../domain/transaction/transaction.ts";
import { ownTxId, type TxId } from "../../../domain/values/identifiers.ts";
import {
  RecordState,
  TransactionAction,
  type TransactionRecordSchema,
} from "../../../gen/aggregator/provider/v1/transaction_record_pb.ts";
import {
  type GetRoundResponseSchema,
  type GetSessionResponseSchema,
  type GetTransactionResponseSchema,
  RoundState,
} from "../../../gen/aggregator/provider/v1/wallet_service_pb.ts";
import { labelFields } from "../messages/labels.ts";
import { toTimestamp } from "../messages/timestamp.ts";
import { STATUS, withBalance } from "./outcome.ts";

const STATE = {
  unknown: RecordState.UNKNOWN,
  marked: RecordState.MARKED,
  found: RecordState.FOUND,
} as const satisfies Record<TransactionKnowledge["state"], RecordState>;

const ROUND_STATE = {
  unknown: RoundState.UNKNOWN,
  open: RoundState.OPEN,
  ended: RoundState.ENDED,
} as const satisfies Record<RoundEnd["state"], RoundState>;

const ACTION = {
  bet: TransactionAction.BET,
  win: TransactionAction.WIN,
  refund: TransactionAction.REFUND,
  rollback: TransactionAction.ROLLBACK,
} as const satisfies Record<Action, TransactionAction>;

export function transactionMessage(known: TransactionKnowledge): MessageInitShape<typeof GetTransactionResponseSchema> {
  const state = STATE[known.state];
  if (known.state === "found") return { state, transaction: recordMessage(known.found) };
  return known.state === "marked" ? { state, reversedBy: ownTxId(known.reversedBy) } : { state };
}

/** The fields of a round's end, which two replies have. */
export const roundEndMessage = (end: RoundEnd) => ({
  roundState: ROUND_STATE[end.state],
  ...(end.state === "ended" && { endedAt: toTimestamp(end.endedAt) }),
});

export const roundMessage = ({
  state,
  round,
  items,
  nextCursor,
}: RoundKnowledge): MessageInitShape<typeof GetRoundResponseSchema> => ({
  state: STATE[state],
  ...roundEndMessage(round),
  transactions: items.map(recordMessage),
  nextCursor,
});

export const sessionMessage = ({
  session,
  merchant,
  acceptsBets,
  expiresAt,
}: SessionStanding): MessageInitShape<typeof GetSessionResponseSchema> => ({
  playerRef: session.playerRef,
  currency: merchant.currency,
  country: session.country,
  language: session.language,
  merchant: merchant.code,
  brand: merchant.brand,
  jurisdiction: merchant.jurisdiction ?? "",
  game: session.game,
  acceptsBets,
  expiresAt: toTimestamp(expiresAt),
});

/** The status is the one that a repeat of the request gets. */
function recordMessage({ transaction, playerRef, merchant }: Found): MessageInitShape<typeof TransactionRecordSchema> {
  const answer = answerOf(transaction);
  return {
    txId: ownTxId(transaction.txId),
    wireTxId: transaction.txId,
    action: ACTION[transaction.action],
    status: STATUS[answer.status],
    error: answer.status === "failed" ? answer.error : "",
    ...withBalance(answer.status === "pending" ? null : (answer.balanceMinor ?? null)),
    amountMinor: transaction.amountMinor,
    currency: transaction.currency,
    playerRef,
    game: transaction.game.code,
    roundId: transaction.roundId,
    refTxId: own(transaction.refTxId),
    reversedBy: own(transaction.reversedBy),
    settledBy: own(transaction.settledBy),
    betTxId: own(transaction.bet?.txId ?? null),
    settles: transaction.bet?.settles ?? false,
    ...labelFields(transaction.labels),
    roundEnded: transaction.roundEnded ?? false,
    merchant,
    createdAt: toTimestamp(transaction.createdAt),
    updatedAt: toTimestamp(transaction.updatedAt),
  };
}

const own = (txId: TxId | null): string => (txId === null ? "" : ownTxId(txId));
