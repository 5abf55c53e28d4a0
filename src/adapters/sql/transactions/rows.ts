/** Converts a row of `tx` to the domain's transaction, and a state to columns. */

import type { GameRef, ResolvedBy, State, Transaction } from "../../../domain/transaction/transaction.ts";
import { CARRIED, type Carried } from "../../../domain/values/carried.ts";
import type { PlayerId, TxId } from "../../../domain/values/identifiers.ts";
import type { Currency } from "../../../domain/values/money.ts";
import { integer, type Row } from "../connection/statement.ts";
import { actionOf, kindOf, statusOf } from "../schema/codes.ts";
import { hexOf, numberOrNull } from "../schema/columns.ts";

/** The columns of the labels. */
export const LABEL_COLUMNS = ["kind", "promo_id", "jackpot_id", "jackpot_tier", "jackpot_micros"] as const;

/** The columns that {@link toTransaction} reads. A statement adds `read_at`: the statement's own time. */
export const COLUMNS = [
  "merchant_id",
  "tx_id",
  "action",
  "status",
  "player_id",
  "amount_minor",
  "currency",
  "game_id",
  ...CARRIED.map(({ name }) => name),
  "reversed_by",
  "bet_tx_id",
  "settles",
  "settled_by",
  "play_win",
  ...LABEL_COLUMNS,
  "round_ended",
  "resolved_by",
  "error",
  "balance_minor",
  "attempts",
  "lease_token",
  "lease_until",
  "silent_at",
  "next_at",
  "created_at",
  "opened_at",
  "updated_at",
];

/** Games by row number. */
interface Games {
  of(id: number): GameRef;
}

/** @param games - finds a game by its row number. It must know the row's game. */
export function toTransaction(row: Row, games: Games): Transaction {
  return {
    merchantId: Number(row.merchant_id),
    txId: row.tx_id as TxId,
    action: actionOf(row.action),
    playerId: row.player_id as PlayerId,
    amountMinor: integer(row.amount_minor),
    currency: row.currency as Currency,
    game: games.of(Number(row.game_id)),
    ...(carried(row) as Carried & { readonly refTxId: TxId | null }),
    ...(row.bet_tx_id !== null && { bet: { txId: row.bet_tx_id as TxId, settles: Number(row.settles) === 1 } }),
    ...labelsOf(row),
    ...(Number(row.round_ended) === 1 && { roundEnded: true }),
    attempts: Number(row.attempts),
    leaseToken: hexOf(row.lease_token),
    leaseUntil: numberOrNull(row.lease_until),
    silentAt: numberOrNull(row.silent_at),
    nextAt: numberOrNull(row.next_at),
    reversedBy: row.reversed_by as TxId | null,
    settledBy: row.settled_by as TxId | null,
    playWin: row.play_win as TxId | null,
    resolvedBy: row.resolved_by as ResolvedBy,
    createdAt: Number(row.created_at),
    openedAt: Number(row.opened_at),
    updatedAt: Number(row.updated_at),
    readAt: Number(row.read_at),
    ...toState(row),
  };
}

const carried = (row: Row) => Object.fromEntries(CARRIED.map(({ name, property }) => [property, row[name]]));

function labelsOf(row: Row): Pick<Transaction, "labels"> {
  if (LABEL_COLUMNS.every((column) => row[column] === null)) return {};
  return {
    labels: {
      kind: kindOf(row.kind),
      promoId: row.promo_id as string | null,
      jackpotId: row.jackpot_id as string | null,
      jackpotTier: row.jackpot_tier as string | null,
      jackpotMicros: row.jackpot_micros === null ? null : integer(row.jackpot_micros),
    },
  };
}

function toState(row: Row): State {
  const status = statusOf(row.status);
  const balanceMinor = row.balance_minor === null ? null : integer(row.balance_minor);
  if (status === "success") {
    return row.error === null ? { status, balanceMinor } : { status, balanceMinor, rejected: row.error as string };
  }
  if (status !== "failed") return { status };
  return { status, error: row.error as string, ...(balanceMinor !== null && { balanceMinor }) };
}

/**
 * The value of the column `error` for a state. If an accepted reversal turned a rejection into a success, the success
 * keeps the rejection.
 */
export const errorOf = (state: State): string | null =>
  state.status === "failed" ? state.error : state.status === "success" ? (state.rejected ?? null) : null;
export const balanceOf = (state: State): bigint | null =>
  state.status === "success" || state.status === "failed" ? (state.balanceMinor ?? null) : null;
