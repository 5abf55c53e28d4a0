/**
 * The statements of a GGR report. Each returns sums as rows with the columns begins (a moment in the span), k (the
 * group), status, action, n (the count) and m (minor units). Some have the column kind, too.
 */
import type { GroupingName } from "../../../../contract/values/groupings.ts";
import type { DbTime } from "../../../domain/transaction/transaction.ts";
import type { GgrQuery } from "../../../ports/transactions/ggr-store.ts";
import { type Binding, marks, type Statement } from "../connection/statement.ts";
import type { SqlFragments, TxIndex } from "../dialects/sql-fragments.ts";
import { STATUS } from "../schema/codes.ts";
import { productNumber } from "../settings/settings-rows.ts";
import type { Hours } from "./ggr-hours.ts";

/** A time: from `from` until before `to`. */
export type Span = Pick<Hours, "from" | "to">;
type Steps = Pick<Hours, "from" | "to" | "stepMs">;

/** The type of a row's game. A planner can't turn a scalar subquery into a join that begins with the games. */
const TYPE = "(SELECT g.type FROM games g WHERE g.id = tx.game_id)";

/**
 * The expression by which the rows of `tx` are grouped, and the column by which those of `ggr_hour` and `ggr_kind` are
 * grouped. "0": they are grouped by time only. Empty: the tables have no such column. Only `ggr_kind` has game_id.
 */
const KEYS: Readonly<Record<GroupingName, readonly [tx: string, hour: string]>> = {
  day: ["0", "0"],
  provider: ["provider_id", "provider_id"],
  type: [TYPE, "type"],
  game: ["game_id", "game_id"],
  player: ["player_id", ""],
  merchant: ["merchant_id", "merchant_id"],
};

const PROVIDER = "provider_id = (SELECT p.id FROM providers p WHERE p.code = ?)";

/** The conditions of a query's filters. `typeIs`: the type of a row, as SQL. */
function filters({ provider, type }: GgrQuery, typeIs: string): Statement {
  const parts: Statement[] = [];
  if (provider !== null) parts.push({ sql: ` AND ${PROVIDER}`, bindings: [provider] });
  if (type !== null) parts.push({ sql: ` AND ${typeIs} = ?`, bindings: [productNumber(type)] });
  return { sql: parts.map(({ sql }) => sql).join(""), bindings: parts.flatMap(({ bindings }) => bindings) };
}

/** The condition that a row belongs to one of the query's merchants. */
export const ofMerchants = ({ merchantIds }: Pick<GgrQuery, "merchantIds">): Statement => ({
  sql: merchantIds.length === 1 ? "merchant_id = ?" : `merchant_id IN (${marks(merchantIds)})`,
  bindings: merchantIds,
});

/** Sums of the whole hours: of all transactions, or of those that have a kind. */
export function wholeHours(query: GgrQuery, { from, to, cut }: Hours, table: "ggr_hour" | "ggr_kind"): Statement {
  const [, key] = KEYS[query.groupBy];
  const filter = filters(query, "type");
  const whole = cut.size === 0 ? "" : ` AND hour NOT IN (${marks([...cut])})`;
  const own = ofMerchants(query);
  const action = table === "ggr_kind" ? "action, kind" : "action";
  return {
    sql: `SELECT ${query.groupBy === "day" ? "hour" : "0"} AS begins, ${key} AS k, ${STATUS.success} AS status, ${action}, SUM(tx_count) AS n, SUM(sum_minor) AS m
      FROM ${table} WHERE ${own.sql} AND hour >= ? AND hour < ?${whole}${filter.sql} GROUP BY ${query.groupBy === "day" ? "hour" : key}, ${action}`,
    bindings: [...own.bindings, from, to, ...cut, ...filter.bindings],
  };
}

/**
 * Sums of the rows created from `from` until before `to`, grouped by time step, key, status and action. `stepMs` null:
 * one step for the whole time. `kinds`: grouped by kind, too. The index `list` has no kind, so this reads the rows.
 */
function txSums(
  fragments: SqlFragments,
  query: GgrQuery,
  stepMs: number | null,
  index: TxIndex,
  where: Statement,
  from: DbTime,
  to: DbTime,
  kinds: boolean,
): Statement {
  const [key] = KEYS[query.groupBy];
  const filter = filters(query, TYPE);
  const own = ofMerchants(query);
  const begins = stepMs === null ? "0" : `created_at - created_at % ${stepMs}`;
  const groups = [
    ...(stepMs === null ? [] : ["begins"]),
    ...(query.groupBy === "day" ? [] : ["k"]),
    "status",
    "action",
    ...(kinds ? ["kind"] : []),
  ];
  return {
    sql: `SELECT ${begins} AS begins, ${key} AS k, status, action,${kinds ? " kind," : ""} COUNT(*) AS n, SUM(amount_minor) AS m FROM tx ${fragments.byIndex(index)}
      WHERE ${own.sql} AND created_at >= ? AND created_at < ? AND ${where.sql}${filter.sql} GROUP BY ${groups.join(", ")}`,
    bindings: [...own.bindings, from, to, ...where.bindings, ...filter.bindings],
  };
}

const condition = (sql: string, ...bindings: readonly Binding[]): Statement => ({ sql, bindings });

const COUNTED = condition(`status IN (${STATUS.pending}, ${STATUS.success})`);
const SUCCESSES = condition(`status = ${STATUS.success}`);

/** Sums of all rows, in any order. Without ORDER BY NULL, MariaDB would sort the groups. */
export function allRows(fragments: SqlFragments, query: GgrQuery, { from, to }: Span, kinds = false): Statement {
  const { sql, bindings } = txSums(fragments, query, null, "list", COUNTED, from, to, kinds);
  return { sql: `${sql} ORDER BY NULL`, bindings };
}

/** Sums of the successful rows, with and without a number, in any order. */
export function successes(fragments: SqlFragments, query: GgrQuery, { from, to }: Span): Statement {
  const { sql, bindings } = txSums(fragments, query, null, "list", SUCCESSES, from, to, false);
  return { sql: `${sql} ORDER BY NULL`, bindings };
}

/** Like {@link allRows} with kinds, but ordered by the key. */
export function allRowsInOrder(fragments: SqlFragments, query: GgrQuery, { from, to }: Span): Statement {
  const { sql, bindings } = txSums(fragments, query, null, "list", COUNTED, from, to, true);
  return { sql: `${sql} ORDER BY k`, bindings };
}

/** The next `limit` players after `after` that have a transaction in this time. */
export const nextPlayers = (
  fragments: SqlFragments,
  query: GgrQuery,
  { from, to }: Span,
  after: string,
  limit: number,
): Statement => ({
  sql: `SELECT DISTINCT player_id AS k FROM tx ${fragments.byIndex("player")} WHERE ${ofMerchants(query).sql} AND player_id > ? AND created_at >= ? AND created_at < ?
    ORDER BY player_id LIMIT ?`,
  bindings: [...ofMerchants(query).bindings, after, from, to, limit],
});

/** Sums of the players after `after`, up to and including `last`, grouped by player, with kinds. */
export function sumsOfPlayers(
  fragments: SqlFragments,
  query: GgrQuery,
  { from, to }: Span,
  after: string,
  last: string,
): Statement {
  const where = condition(`${COUNTED.sql} AND player_id > ? AND player_id <= ?`, after, last);
  const { sql, bindings } = txSums(fragments, query, null, "player", where, from, to, true);
  return { sql: `${sql} ORDER BY k`, bindings };
}

/** Sums of the successful rows in the hours that contain a bound, with kinds. */
export function cutHours(fragments: SqlFragments, query: GgrQuery, { pieces, stepMs }: Hours): Statement {
  const statements = pieces.map(([from, to]) => txSums(fragments, query, stepMs, "list", SUCCESSES, from, to, true));
  return {
    sql: statements.map(({ sql }) => sql).join(" UNION ALL "),
    bindings: statements.flatMap(({ bindings }): readonly Binding[] => bindings),
  };
}

/**
 * Sums of rows without a number in the feed, with kinds. Pending rows are included: a row has no due time during its
 * first call, so {@link numberedPending} does not find it.
 */
export const unnumbered = (fragments: SqlFragments, query: GgrQuery, { from, to, stepMs }: Steps): Statement =>
  txSums(fragments, query, stepMs, "feed", condition(`feed_seq IS NULL AND ${COUNTED.sql}`), from, to, true);

/**
 * Sums of the successful rows that have a kind and a number after `after`, with kinds. `query` is about one merchant.
 */
export const kindsAfter = (
  fragments: SqlFragments,
  query: GgrQuery,
  { from, to, stepMs }: Steps,
  after: bigint,
): Statement =>
  txSums(
    fragments,
    query,
    stepMs,
    "feed",
    condition(`feed_seq > ? AND kind IS NOT NULL AND ${SUCCESSES.sql}`, after),
    from,
    to,
    true,
  );

/** Sums of pending rows with a number. A numbered row has a due time exactly while it is pending. */
export const numberedPending = (fragments: SqlFragments, query: GgrQuery, { from, to, stepMs }: Steps): Statement =>
  txSums(
    fragments,
    query,
    stepMs,
    "due",
    condition(`next_at >= 0 AND feed_seq IS NOT NULL AND status = ${STATUS.pending}`),
    from,
    to,
    false,
  );
