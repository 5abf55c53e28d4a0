import { SLIP_STUCK_AFTER_MS } from "../../../domain/transaction/stuck.ts";
import type { PlayerId } from "../../../domain/values/identifiers.ts";
import type { Currency } from "../../../domain/values/money.ts";
import {
  type SlipQuery,
  STUCK_COUNTED_MAX,
  type StuckSlip,
  type StuckSums,
} from "../../../ports/transactions/stuck-money.ts";
import type { Database } from "../connection/database.ts";
import { selectedRows } from "../connection/execute.ts";
import { integer, type Row } from "../connection/statement.ts";
import { textOf } from "../schema/columns.ts";

/** Stuck slips, of which there are few: all of them are read from the index of the slips that have not ended. */
export async function stuckSlips(
  database: Database,
  { merchantIds, olderThanMs, after }: SlipQuery,
  limit: number,
): Promise<StuckSlip[]> {
  const found = await selectedRows(database, {
    sql: `SELECT w.*, (SELECT SUM(b.amount_minor) FROM slips b WHERE b.merchant_id = w.merchant_id AND b.slip_id = w.slip_id) AS minor
      FROM (SELECT merchant_id, slip_id, tx_id, player_id, currency, status, created_at FROM slips
        WHERE due_at > 0 ORDER BY due_at LIMIT ?) w
      WHERE w.created_at <= ${database.dialect.sql.nowMs} - ?`,
    bindings: [STUCK_COUNTED_MAX, Math.max(olderThanMs, SLIP_STUCK_AFTER_MS)],
  });
  const place = new Map(merchantIds.map((id, i) => [id, i]));
  const placeOf = ({ merchantId }: StuckSlip): number => place.get(merchantId) ?? -1;
  return found
    .map(toSlip)
    .filter(
      (slip) =>
        placeOf(slip) > 0 || (placeOf(slip) === 0 && (after === undefined || inOrder(after.at, after.id, slip) < 0)),
    )
    .sort((a, b) => placeOf(a) - placeOf(b) || inOrder(a.createdAt, a.slipId, b))
    .slice(0, limit);
}

/** The sums of all slips by merchant. @param now - the database's time. */
export function slipSums(slips: readonly StuckSlip[], agesMs: readonly number[], now: number): StuckSums[] {
  return [...Map.groupBy(slips, ({ merchantId }) => merchantId)].map(([merchantId, own]) => ({
    merchantId,
    kind: "slip",
    players: new Set(own.map(({ playerId }) => playerId)).size,
    ages: agesMs.map((age) => {
      const old = own.filter(({ createdAt }) => createdAt <= now - age);
      return { count: old.length, sumMinor: old.reduce((sum, { amountMinor }) => sum + amountMinor, 0n) };
    }),
    more: slips.length >= STUCK_COUNTED_MAX,
  }));
}

const STATUSES = [undefined, "running", "accepted", "failed"] as const;

const toSlip = (row: Row): StuckSlip => ({
  merchantId: Number(row.merchant_id),
  slipId: textOf(row.slip_id),
  firstTxId: textOf(row.tx_id),
  playerId: textOf(row.player_id) as PlayerId,
  currency: textOf(row.currency) as Currency,
  amountMinor: integer(row.minor),
  status: STATUSES[Number(row.status)] ?? "running",
  createdAt: Number(row.created_at),
});

/** Negative: the position comes before the slip. */
const inOrder = (createdAt: number, slipId: string, slip: StuckSlip): number =>
  createdAt - slip.createdAt || (slipId < slip.slipId ? -1 : slipId === slip.slipId ? 0 : 1);
