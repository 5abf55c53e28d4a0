/** What a GGR report reads: each statement gives its sums as rows of begins (a moment in the span), k (the group), status, action, n and m. */
import type { Grouping } from "../../../domain/transaction/report.ts";
import type { DbTime } from "../../../domain/transaction/transaction.ts";
import type { GgrQuery } from "../../../ports/transactions/ggr-store.ts";
import type { Dialect } from "../connection/database.ts";
import type { Binding, Statement } from "../connection/statement.ts";
import { STATUS } from "../schema/codes.ts";
import { productNumber } from "../settings/settings-rows.ts";
import type { Hours } from "./ggr-hours.ts";

/** The type of the row's game. As a scalar subquery it can't be turned into a join that begins with the games. */
const TYPE = "(SELECT g.type FROM games g WHERE g.id = tx.game_id)";

/** What the rows of `tx`, and those of `ggr_hour`, are grouped by. */
const KEYS: Readonly<Record<Grouping, readonly [tx: string, hour: string]>> = {
  day: ["0", "0"],
  provider: ["provider_id", "provider_id"],
  type: [TYPE, "type"],
  game: ["game_id", ""],
  player: ["player_id", ""],
};

const PROVIDER = "provider_id = (SELECT p.id FROM providers p WHERE p.code = ?)";

/** The filters that a query has; `type` is how the table tells it. */
function filters({ provider, type }: GgrQuery, typeIs: string): Statement {
  const parts: Statement[] = [];
  if (provider !== null) parts.push({ sql: ` AND ${PROVIDER}`, bindings: [provider] });
  if (type !== null) parts.push({ sql: ` AND ${typeIs} = ?`, bindings: [productNumber(type)] });
  return { sql: parts.map(({ sql }) => sql).join(""), bindings: parts.flatMap(({ bindings }) => bindings) };
}

export function wholeHours(query: GgrQuery, { from, to, cut }: Hours): Statement {
  const [, key] = KEYS[query.groupBy];
  const filter = filters(query, "type");
  const whole = cut.size === 0 ? "" : ` AND hour NOT IN (${[...cut].map(() => "?").join(",")})`;
  return {
    sql: `SELECT ${query.groupBy === "day" ? "hour" : "0"} AS begins, ${key} AS k, ${STATUS.success} AS status, action, SUM(tx_count) AS n, SUM(sum_minor) AS m
      FROM ggr_hour WHERE merchant_id = ? AND hour >= ? AND hour < ?${whole}${filter.sql} GROUP BY ${query.groupBy === "day" ? "hour" : key}, action`,
    bindings: [query.merchantId, from, to, ...cut, ...filter.bindings],
  };
}

type TxIndex = "tx_list" | "tx_feed" | "tx_due" | "tx_player";

const by = (dialect: Dialect, index: TxIndex): string => (dialect === "mysql" ? `FORCE INDEX (${index})` : `INDEXED BY ${index}`);

/** The rows created between the two, by step (null: all in one), key, status and action. */
function txSums(dialect: Dialect, query: GgrQuery, stepMs: number | null, index: TxIndex, where: string, from: DbTime, to: DbTime): Statement {
  const [key] = KEYS[query.groupBy];
  const filter = filters(query, TYPE);
  const begins = stepMs === null ? "0" : `created_at - created_at % ${stepMs}`;
  const groups = [...(stepMs === null ? [] : ["begins"]), ...(query.groupBy === "day" ? [] : ["k"]), "status", "action"];
  return {
    sql: `SELECT ${begins} AS begins, ${key} AS k, status, action, COUNT(*) AS n, SUM(amount_minor) AS m FROM tx ${by(dialect, index)}
      WHERE merchant_id = ? AND created_at >= ? AND created_at < ? AND ${where}${filter.sql} GROUP BY ${groups.join(", ")}`,
    bindings: [query.merchantId, from, to, ...filter.bindings],
  };
}

const COUNTED = `status IN (${STATUS.pending}, ${STATUS.success})`;

/** The groups in any order: MariaDB would sort them. */
export function everything(dialect: Dialect, query: GgrQuery, { from, to }: Hours): Statement {
  const { sql, bindings } = txSums(dialect, query, null, "tx_list", COUNTED, from, to);
  return { sql: `${sql} ORDER BY NULL`, bindings };
}

/** As {@link everything}, by the key. */
export function everythingInOrder(dialect: Dialect, query: GgrQuery, { from, to }: Hours): Statement {
  const { sql, bindings } = txSums(dialect, query, null, "tx_list", COUNTED, from, to);
  return { sql: `${sql} ORDER BY k`, bindings };
}

/** The players with transactions of that time that come behind `after`, at most so many. */
export const playersBehind = (dialect: Dialect, query: GgrQuery, { from, to }: Hours, after: string, limit: number): Statement => ({
  sql: `SELECT DISTINCT player_id AS k FROM tx ${by(dialect, "tx_player")} WHERE merchant_id = ? AND player_id > ? AND created_at >= ? AND created_at < ?
    ORDER BY player_id LIMIT ?`,
  bindings: [query.merchantId, after, from, to, limit],
});

/** The sums of the players behind `after` up to `last`, by player. */
export function playersSums(dialect: Dialect, query: GgrQuery, { from, to }: Hours, after: string, last: string): Statement {
  const { sql, bindings } = txSums(dialect, query, null, "tx_player", `${COUNTED} AND player_id > ? AND player_id <= ?`, from, to);
  const [merchant, low, high, ...filters] = bindings;
  return { sql: `${sql} ORDER BY k`, bindings: [merchant ?? 0, low ?? 0, high ?? 0, after, last, ...filters] };
}

export function cutHours(dialect: Dialect, query: GgrQuery, { pieces, stepMs }: Hours): Statement {
  const statements = pieces.map(([from, to]) => txSums(dialect, query, stepMs, "tx_list", `status = ${STATUS.success}`, from, to));
  return {
    sql: statements.map(({ sql }) => sql).join(" UNION ALL "),
    bindings: statements.flatMap(({ bindings }): readonly Binding[] => bindings),
  };
}

/** Pending rows, too, as long as they have no number: those in their first call have no due time. */
export const notYetNumbered = (dialect: Dialect, query: GgrQuery, { from, to, stepMs }: Hours): Statement =>
  txSums(dialect, query, stepMs, "tx_feed", `feed_seq IS NULL AND ${COUNTED}`, from, to);

/** Once it is numbered, a row has a due time exactly while it is pending. */
export const waiting = (dialect: Dialect, query: GgrQuery, { from, to, stepMs }: Hours): Statement =>
  txSums(dialect, query, stepMs, "tx_due", `next_at >= 0 AND feed_seq IS NOT NULL AND status = ${STATUS.pending}`, from, to);
