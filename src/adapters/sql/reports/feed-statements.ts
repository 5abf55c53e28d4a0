import type { SqlFragments } from "../dialects/sql-fragments.ts";
import { STATUS } from "../schema/codes.ts";

/**
 * Whether the row may get its change number now: no attempt of it is in progress. If a later attempt changes the state,
 * the row gets a new number.
 */
export const isNumberable = (alias: string, { nowMs }: SqlFragments): string =>
  `(${alias}.status <> ${STATUS.pending} OR ${alias}.lease_until IS NULL OR ${alias}.lease_until <= ${nowMs})`;

/**
 * The number of minutes whose entries are read at the beginning of a feed. The clocks of two nodes never differ by an
 * hour. A month has 44 640 entries.
 */
const MARKS = 60;

export interface FeedStatements {
  /**
   * Finds the last number before the first number of a minute or of a later minute. If no number was given since then,
   * it is the last of all numbers. It is the lowest of several entries, because the clocks of a cluster's nodes may
   * have written the entries out of order. Bindings: merchant, start of the minute, merchant.
   */
  readonly start: string;
  /** The time in ms since the oldest change without a number. Bindings: merchant, how many changes are examined. */
  readonly behind: string;
  /** The last of the next numbers. Bindings: merchant, the number before them, how many numbers. */
  readonly end: string;
  /**
   * Ids in the order of their numbers. `more`: further conditions. Bindings: merchant, the number before the page, the
   * bindings of `more`, limit.
   */
  page(more: string): string;
}

export function feedStatements(fragments: SqlFragments): FeedStatements {
  const { nowMs, greatest } = fragments;
  const index = fragments.byIndex("feed");
  const numbered = (columns: string, more = ""): string =>
    `SELECT ${columns} FROM tx ${index} WHERE merchant_id = ? AND feed_seq > ?${more} ORDER BY feed_seq LIMIT ?`;
  return {
    start: `SELECT COALESCE((SELECT MIN(seq) FROM (SELECT seq FROM feed_mark WHERE merchant_id = ? AND minute >= ? ORDER BY minute LIMIT ${MARKS}) m), (SELECT seq FROM feed_head WHERE merchant_id = ?), 0) AS seq`,
    behind: `SELECT ${nowMs} - MIN(${greatest}(updated_at, COALESCE(lease_until, 0))) AS ms FROM (
      SELECT updated_at, lease_until FROM tx ${index} WHERE merchant_id = ? AND feed_seq IS NULL AND ${isNumberable("tx", fragments)} ORDER BY id LIMIT ?) w`,
    end: `SELECT MAX(feed_seq) AS seq FROM (${numbered("feed_seq")}) w`,
    page: (more) => numbered("id, feed_seq", more),
  };
}
