/** The calls of WalletService that only ask: GetTransaction, GetRound and GetSession. They are not judged. */
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { isOwnTxId, isRoundId } from "../../../src/domain/values/identifiers.ts";
import { type Currency, countryOf } from "../../../src/domain/values/money.ts";
import {
  RecordState,
  TransactionAction,
  type TransactionRecordSchema,
} from "../../../src/gen/aggregator/provider/v1/transaction_record_pb.ts";
import { TransactionStatus } from "../../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import { RoundState, type WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import type { Ledger, Row } from "./ledger.ts";
import { refusalError } from "./refusal.ts";
import type { Session } from "./session.ts";

interface Surroundings {
  readonly provider: string;
  readonly key: string;
  readonly sessions: () => Iterable<Session>;
}

const STATUS = {
  success: TransactionStatus.SUCCESS,
  pending: TransactionStatus.PENDING,
  failed: TransactionStatus.FAILED,
} as const;
const ACTION = {
  PlaceBet: TransactionAction.BET,
  PayWin: TransactionAction.WIN,
  RefundBet: TransactionAction.REFUND,
  RollbackWin: TransactionAction.ROLLBACK,
  GetBalance: TransactionAction.UNSPECIFIED,
  EndRound: TransactionAction.UNSPECIFIED,
} as const;

const MERCHANT = "certification";
const PAGE_MAX = 1_000;
const PAGE_STANDARD = 100;
const DAY_MS = 86_400_000;

type Questions = Pick<ServiceImpl<typeof WalletService>, "getTransaction" | "getRound" | "getSession">;

export function questions({ provider, key, sessions }: Surroundings, ledger: Ledger): Questions {
  const checkKey = ({ requestHeader }: HandlerContext): void => {
    if (requestHeader.get("authorization") !== `Bearer ${key}`) throw refusalError({ code: "INVALID_API_KEY" });
  };
  const record = (txId: string, row: Row): MessageInitShape<typeof TransactionRecordSchema> => ({
    txId,
    wireTxId: `${provider}:${txId}`,
    action: ACTION[row.first.method],
    status: STATUS[row.status],
    error: row.error,
    ...(row.status === "success" && { balanceMinor: row.balanceMinor }),
    amountMinor: row.first.amountMinor,
    currency: row.first.currency,
    playerRef: row.first.session?.player.ref ?? "",
    game: row.first.game || (row.first.session?.game ?? ""),
    roundId: row.first.roundId,
    refTxId: row.first.refTxId,
    reversedBy: ledger.reversalOf(txId) ?? "",
    merchant: MERCHANT,
    createdAt: timestampFromMs(row.createdAt),
    updatedAt: timestampFromMs(row.createdAt),
  });
  return {
    getTransaction({ txId }, context) {
      checkKey(context);
      if (!isOwnTxId(txId)) throw invalid("tx_id", "1..95 bytes");
      const row = ledger.row(txId);
      if (row !== undefined) return { state: RecordState.FOUND, transaction: record(txId, row) };
      const reversedBy = ledger.reversalOf(txId);
      return reversedBy === undefined ? { state: RecordState.UNKNOWN } : { state: RecordState.MARKED, reversedBy };
    },
    getRound({ roundId, limit, cursor }, context) {
      checkKey(context);
      if (!isRoundId(roundId)) throw invalid("round_id", "1..128 bytes");
      if (limit > PAGE_MAX) throw invalid("limit", `0..${PAGE_MAX}`);
      const all = ledger.rows().filter(([, { first }]) => first.roundId === roundId);
      const from = cursor === "" ? 0 : Number(cursor);
      if (!(from >= 0 && from <= all.length)) throw invalid("cursor", "a next_cursor of this round");
      const end = from + (limit || PAGE_STANDARD);
      return {
        state: all.length === 0 ? RecordState.UNKNOWN : RecordState.FOUND,
        transactions: all.slice(from, end).map(([txId, row]) => record(txId, row)),
        nextCursor: end < all.length ? String(end) : "",
        ...roundEnd(ledger, roundId, all.length > 0),
      };
    },
    getSession({ sessionId }, context) {
      checkKey(context);
      if (sessionId === "") throw invalid("session_id", "required");
      const session = [...sessions()].find(({ id }) => id === sessionId);
      if (session === undefined) throw refusalError({ code: "SESSION_NOT_FOUND", field: "session_id" });
      if (session.demo) throw refusalError({ code: "DEMO_SESSION", field: "session_id" });
      return {
        playerRef: session.player.ref,
        currency: session.currency,
        country: countryOf(session.currency as Currency),
        language: session.language,
        merchant: MERCHANT,
        brand: MERCHANT,
        game: session.game,
        acceptsBets: true,
        expiresAt: timestampFromMs(Date.now() + DAY_MS),
      };
    },
  };
}

/** The fields of a round's end. */
function roundEnd(ledger: Ledger, roundId: string, isKnown: boolean) {
  const endedAt = ledger.endOf(roundId);
  if (endedAt !== undefined) return { roundState: RoundState.ENDED, endedAt: timestampFromMs(endedAt) };
  return { roundState: isKnown && ledger.endsRounds ? RoundState.OPEN : RoundState.UNKNOWN };
}

const invalid = (field: string, rule: string) => refusalError({ code: "VALIDATION_ERROR", faults: [{ field, rule }] });
