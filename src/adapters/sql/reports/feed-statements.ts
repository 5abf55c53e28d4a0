import type { Dialect } from "../connection/database.ts";
import { by } from "../listings/selection.ts";
import { STATUS } from "../schema/codes.ts";
import { nowMs } from "../schema/columns.ts";

/** No attempt of the row is under way, so its state stands: it may be numbered. */
export const stands = (alias: string, dialect: Dialect): string =>
  `(${alias}.status <> ${STATUS.pending} OR ${alias}.lease_until IS NULL OR ${alias}.lease_until <= ${nowMs(dialect)})`;

/** Marks that the beginning of a feed looks at, a minute each: no two nodes' clocks are an hour apart. A month has 44 640. */
const MARKS = 60;

export interface FeedStatements {
  /**
   * The last number before the first of a minute or later ones; where none was given since, the last of all. Bindings: merchant, start of
   * the minute, merchant. The least of many marks, for on a cluster the nodes' clocks may have marked them out of order.
   */
  readonly start: string;
  /** How long the oldest change without a number has been known. Bindings: merchant, how many are looked at. */
  readonly behind: string;
  /** The last of the next so many numbers. Bindings: merchant, after, how many. */
  readonly end: string;
  /** Ids in the order of their numbers. `more`: further conditions. Bindings: merchant, after, those of `more`, limit. */
  page(more: string): string;
}

export function feedStatements(dialect: Dialect): FeedStatements {
  const index = by(dialect, "feed");
  const latest = dialect === "mysql" ? "GREATEST" : "MAX";
  const numbered = (columns: string, more = ""): string =>
    `SELECT ${columns} FROM tx ${index} WHERE merchant_id = ? AND feed_seq > ?${more} ORDER BY feed_seq LIMIT ?`;
  return {
    start: `SELECT COALESCE((SELECT MIN(seq) FROM (SELECT seq FROM feed_mark WHERE merchant_id = ? AND minute >= ? ORDER BY minute LIMIT ${MARKS}) m), (SELECT seq FROM feed_head WHERE merchant_id = ?), 0) AS seq`,
    behind: `SELECT ${nowMs(dialect)} - MIN(${latest}(updated_at, COALESCE(lease_until, 0))) AS ms FROM (
      SELECT updated_at, lease_until FROM tx ${index} WHERE merchant_id = ? AND feed_seq IS NULL AND ${stands("tx", dialect)} ORDER BY id LIMIT ?) w`,
    end: `SELECT MAX(feed_seq) AS seq FROM (${numbered("feed_seq")}) w`,
    page: (more) => numbered("id, feed_seq", more),
  };
}
