import type { Knex } from "knex";
import type { Database } from "../connection/database.ts";
import { changedIn, inTransaction } from "../connection/database-transaction.ts";
import { rows } from "../connection/execute.ts";
import { failureOf } from "../connection/failure.ts";
import { integer, type Row, type Statement } from "../connection/statement.ts";

/** The column of `feed_head` with the merchant's last number up to which every change was examined. NULL: none was. */
export type ExaminedUpTo = "stuck_seq" | "kind_seq";

/** The maximum of changes that are examined in one database transaction. */
const EXAMINED_AT_ONCE = 1_000;

/**
 * Examines some changes of one merchant that a replica of an older release numbered.
 *
 * @param examine - examines the rows `t` in a range of numbers, in the transaction that also moves the column.
 * @returns whether more may be left.
 */
export async function catchUp(
  database: Database,
  column: ExaminedUpTo,
  examine: (trx: Knex.Transaction, range: Statement) => Promise<void>,
): Promise<boolean> {
  const { dialect } = database;
  const [head] = await behind(database, column);
  if (head === undefined) return false;
  const [merchantId, from] = [Number(head.merchant_id), integer(head.examined ?? 0)];
  const [window] = await rows(database, {
    sql: `SELECT COUNT(*) AS n, MAX(feed_seq) AS last FROM (SELECT feed_seq FROM tx ${dialect.sql.byIndex("feed")}
      WHERE merchant_id = ? AND feed_seq > ? ORDER BY feed_seq LIMIT ?) w`,
    bindings: [merchantId, from, EXAMINED_AT_ONCE],
  });
  const to = integer(Number(window?.n) < EXAMINED_AT_ONCE ? head.seq : window?.last);
  try {
    // The change of the head locks it, so nothing is numbered meanwhile. A row that changes later is examined when it
    // is numbered.
    await inTransaction(database, async (trx) => {
      const moved = await changedIn(dialect, trx, {
        sql: `UPDATE feed_head SET ${column} = ? WHERE merchant_id = ? AND COALESCE(${column}, 0) = ?`,
        bindings: [to, merchantId, from],
      });
      if (moved === 1)
        await examine(trx, {
          sql: "t.merchant_id = ? AND t.feed_seq > ? AND t.feed_seq <= ?",
          bindings: [merchantId, from, to],
        });
    });
  } catch (error) {
    if (failureOf(dialect, error) !== "conflict") throw error;
  }
  return true;
}

/** Whether every numbered change was examined. */
export const isCaughtUp = async (database: Database, column: ExaminedUpTo): Promise<boolean> =>
  (await behind(database, column)).length === 0;

/** A merchant with changes that were not examined. */
const behind = (database: Database, column: ExaminedUpTo): Promise<readonly Row[]> =>
  rows(database, {
    sql: `SELECT merchant_id, seq, ${column} AS examined FROM feed_head WHERE ${column} IS NULL OR ${column} < seq LIMIT 1`,
    bindings: [],
  });
