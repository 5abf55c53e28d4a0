/**
 * The sums by kind, hour and game of the table `ggr_kind`: the successful bets and wins that have a kind and a number in
 * the feed. The numbering adds to them. It does so only while `kind_seq` of the merchant's `feed_head` is its last
 * number. A replica of a release that does not know the table leaves `kind_seq` behind. Then reports read the rows with
 * later numbers, until {@link addKinds} has added them.
 */
import type { Knex } from "knex";
import type { GgrQuery } from "../../../ports/transactions/ggr-store.ts";
import { changedIn, rowsIn } from "../connection/database-transaction.ts";
import { integer, type Row, type Statement } from "../connection/statement.ts";
import type { Dialect, Read } from "../dialects/dialect.ts";
import type { SqlFragments } from "../dialects/sql-fragments.ts";
import { STATUS, statusOf } from "../schema/codes.ts";
import { type Hours, hourOf } from "./ggr-hours.ts";
import { kindsAfter, ofMerchants, wholeHours } from "./ggr-statements.ts";

const HOUR_MS = 3_600_000;
const KEY = "merchant_id, hour, game_id, action, kind";

/** A row of the table. */
export interface StoredKindSum {
  readonly merchantId: number;
  readonly hour: number;
  readonly gameId: number;
  readonly providerId: number;
  readonly type: number;
  /** The numbers of schema/codes.ts. */
  readonly action: number;
  readonly kind: number;
  readonly count: number;
  readonly sumMinor: bigint;
}

/** Adds to the sums. */
export const addKindSums = (sums: readonly StoredKindSum[], { updateExisting, inserted }: SqlFragments): Statement => ({
  sql: `INSERT INTO ggr_kind (${KEY}, provider_id, type, tx_count, sum_minor)
    VALUES ${sums.map(() => "(?, ?, ?, ?, ?, ?, ?, ?, ?)").join(", ")} ${updateExisting(KEY)}
    tx_count = tx_count + ${inserted("tx_count")}, sum_minor = sum_minor + ${inserted("sum_minor")}`,
  bindings: sums.flatMap((sum) => [
    ...[sum.merchantId, sum.hour, sum.gameId, sum.action, sum.kind],
    ...[sum.providerId, sum.type, sum.count, sum.sumMinor],
  ]),
});

/** Adds the rows of a range of numbers: those that a replica of an older release numbered. */
export async function addKinds(trx: Knex.Transaction, dialect: Dialect, { sql, bindings }: Statement): Promise<void> {
  const found = await rowsIn(dialect, trx, {
    sql: `SELECT t.merchant_id, t.created_at - t.created_at % ${HOUR_MS} AS hour, t.game_id, g.provider_id, g.type, t.action, t.kind,
        COUNT(*) AS n, SUM(t.amount_minor) AS m
      FROM tx t ${dialect.sql.byIndex("feed")} JOIN games g ON g.id = t.game_id
      WHERE ${sql} AND t.kind IS NOT NULL AND t.status = ${STATUS.success}
      GROUP BY t.merchant_id, hour, t.game_id, g.provider_id, g.type, t.action, t.kind`,
    bindings,
  });
  const sums = found.map((row) => ({
    merchantId: Number(row.merchant_id),
    hour: Number(row.hour),
    gameId: Number(row.game_id),
    providerId: Number(row.provider_id),
    type: Number(row.type),
    action: Number(row.action),
    kind: Number(row.kind),
    count: Number(row.n),
    sumMinor: integer(row.m),
  }));
  if (sums.length > 0) await changedIn(dialect, trx, addKindSums(sums, dialect.sql));
}

/** The sums by kind of the whole hours, of rows with a number, as rows like those of ggr-statements.ts. */
export async function readKinds(fragments: SqlFragments, query: GgrQuery, hours: Hours, read: Read): Promise<Row[]> {
  const found = [...(await read(wholeHours(query, hours, "ggr_kind")))];
  const own = ofMerchants(query);
  const behind = await read({
    sql: `SELECT merchant_id, kind_seq FROM feed_head WHERE ${own.sql} AND (kind_seq IS NULL OR kind_seq < seq)`,
    bindings: own.bindings,
  });
  for (const { merchant_id: id, kind_seq: seq } of behind) {
    const later = kindsAfter(fragments, { ...query, merchantIds: [Number(id)] }, hours, integer(seq ?? 0));
    found.push(...(await read(later)).filter(({ begins }) => !hours.cut.has(hourOf(Number(begins)))));
  }
  return found;
}

/** The sum of all rows and, if it is of successes that have a kind, the same sum as a part of it. */
export const withKinds = (rows: readonly Row[]): Row[] =>
  rows.flatMap((row) =>
    !isOfKind(row) ? [row] : [{ ...row, kind: null }, ...(statusOf(row.status) === "success" ? [row] : [])],
  );

/** Whether a sum is of one kind, and so a part of another sum. */
export const isOfKind = ({ kind }: Row): boolean => kind !== null && kind !== undefined;
