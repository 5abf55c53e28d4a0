import { KINDS } from "../../../../contract/transactions/kinds.ts";
import type { Action } from "../../../domain/transaction/transaction.ts";
import type { TransactionFilter, TransactionQuery } from "../../../ports/transactions/transaction-reader.ts";
import { type Binding, marks, type Statement } from "../connection/statement.ts";
import type { SqlFragments, TxIndex } from "../dialects/sql-fragments.ts";
import { ACTION, KIND, STATUS } from "../schema/codes.ts";

/** The provider and game of a filter as row numbers. undefined: the filter has no such field. */
export interface Refs {
  readonly providerId?: number | undefined;
  readonly gameIds?: readonly number[] | undefined;
}

/**
 * The index in which the rows of a page are found. `pending`: two indexes, which together have every pending row.
 * `kind`: the list of the transactions with a kind, and the index of the rows that are not listed yet.
 */
export type Path = "key" | "ref" | "round" | "player" | "list" | "pending" | "kind";

/**
 * Selects the ids of a page, in the page's order. The index `list` has all columns that its filters read,
 * and the index `player` is in the page's order. So with either of them the server stops reading at the page's end. Each of the other
 * indexes selects few rows, which the server sorts.
 */
export function selection(
  fragments: SqlFragments,
  path: Path,
  query: TransactionQuery,
  refs: Refs,
  limit: number,
): Statement {
  const { sql, bindings } = matching(query, refs);
  const columns = "id, created_at";
  const from = (index: TxIndex, more = ""): string =>
    `SELECT ${columns} FROM tx ${fragments.byIndex(index)} WHERE ${sql}${more}`;
  const page = `${inOrder(query.order)} LIMIT ?`;
  if (path === "kind") return ofKind(fragments, query, refs, limit);
  if (path !== "pending") return { sql: `${from(path)} ORDER BY ${page}`, bindings: [...bindings, limit] };
  return {
    sql: `SELECT ${columns} FROM (${from("due", " AND next_at >= 0")} UNION ${from("feed", " AND feed_seq IS NULL")}) u ORDER BY ${page}`,
    bindings: [...bindings, ...bindings, limit],
  };
}

/** The list is in the page's order, so the server stops reading at the page's end. */
function ofKind(fragments: SqlFragments, query: TransactionQuery, refs: Refs, limit: number): Statement {
  const { kind, merchantId, order } = query;
  if (kind === undefined) throw new Error("this path needs a kind");
  const { sql, bindings } = matching(query, refs);
  const listed = `SELECT id, created_at FROM kinds ${fragments.joinInOrder} tx ON id = listed_tx
    WHERE listed_merchant = ? AND listed_kind = ? AND listed_at >= ? AND listed_at <= ? AND ${sql}
    ORDER BY listed_at ${ORDER[order]}, listed_tx ${ORDER[order]} LIMIT ?`;
  const unlisted = `SELECT id, created_at FROM tx ${fragments.byIndex("feed")} WHERE ${sql} AND feed_seq IS NULL`;
  return {
    sql: `SELECT id, created_at FROM (SELECT * FROM (${listed}) l UNION ${unlisted}) u ORDER BY ${inOrder(order)} LIMIT ?`,
    bindings: [merchantId, KIND[kind], ...times(query), ...bindings, limit, ...bindings, limit],
  };
}

export const inOrder = (order: "asc" | "desc", alias = ""): string =>
  `${alias}created_at ${ORDER[order]}, ${alias}id ${ORDER[order]}`;

/** Only these two words are written into a statement, never a text of the request. */
const ORDER = { asc: "ASC", desc: "DESC" } as const;

function matching(query: TransactionQuery, refs: Refs): Statement {
  const { status, after, order } = query;
  const filter = filtering(query, refs);
  const isBehind = order === "desc" ? "created_at < ? OR id < ?" : "created_at > ? OR id > ?";
  const parts: readonly (readonly [string, readonly Binding[]])[] = [
    ["merchant_id = ?", [query.merchantId]],
    status === undefined ? [`status <> ${STATUS.void}`, []] : ["status = ?", [STATUS[status]]],
    ["created_at >= ? AND created_at <= ?", times(query)],
    ...(after === undefined ? [] : [[`(${isBehind})`, [after.createdAt, after.id]] as const]),
    ...(filter.sql === "" ? [] : [[filter.sql, filter.bindings] as const]),
  ];
  return { sql: parts.map(([sql]) => sql).join(" AND "), bindings: parts.flatMap(([, bindings]) => bindings) };
}

/**
 * The first and last creation time of the page's rows. There is one bound on each side. With two bounds, the server may
 * begin in the index at the wider bound and read all earlier pages again.
 */
function times({ from = 0, to = Number.MAX_SAFE_INTEGER, after, order }: TransactionQuery): readonly [number, number] {
  const low = after === undefined || order === "desc" ? from : Math.max(from, after.createdAt);
  const high = after === undefined || order === "asc" ? to - 1 : Math.min(to - 1, after.createdAt);
  return [low, high];
}

/** The action that the filter's kind implies. With it, the index `list` leaves out most rows that have another kind. */
const impliedAction = ({ action, kind }: TransactionFilter): Action | undefined => {
  const of = action !== undefined || kind === undefined ? "both" : KINDS[kind].of;
  return of === "both" ? action : of;
};

/** The conditions of a filter, joined by AND. An empty text: the filter has no condition. */
export function filtering(filter: TransactionFilter, { providerId, gameIds }: Refs): Statement {
  const { kind, playerId, roundId, txId, refTxId } = filter;
  const action = impliedAction(filter);
  const equal: Readonly<Record<string, Binding | undefined>> = {
    action: action && ACTION[action],
    kind: kind && KIND[kind],
    provider_id: providerId,
    player_id: playerId,
    round_id: roundId,
    tx_id: txId,
    ref_tx_id: refTxId,
  };
  const set = Object.entries(equal).filter((entry): entry is [string, Binding] => entry[1] !== undefined);
  const sql = set.map(([column]) => `${column} = ?`);
  if (gameIds !== undefined) sql.push(`game_id IN (${marks(gameIds)})`);
  return { sql: sql.join(" AND "), bindings: [...set.map(([, value]) => value), ...(gameIds ?? [])] };
}
