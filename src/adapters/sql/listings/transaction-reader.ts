import type { ActionSums, RoundSums } from "../../../domain/transaction/round.ts";
import type { Action, DbTime } from "../../../domain/transaction/transaction.ts";
import type { TxKey } from "../../../domain/values/identifiers.ts";
import {
  type FeedPage,
  type FeedQuery,
  type ListedTransaction,
  type LoggedTransaction,
  type RoundPage,
  type RoundQuery,
  type TransactionFilter,
  type TransactionQuery,
  TransactionReader,
} from "../../../ports/transactions/transaction-reader.ts";
import type { AttemptResult } from "../../../ports/transactions/transaction-store.ts";
import type { Database } from "../connection/database.ts";
import { type Binding, decisiveRows, type Row, type Statement, selectedRows } from "../connection/statement.ts";
import { type TurnLimits, Turns } from "../connection/turns.ts";
import { type FeedStatements, feedStatements } from "../reports/feed-statements.ts";
import { ACTION, STATUS } from "../schema/codes.ts";
import { nowMs } from "../schema/columns.ts";
import { readLog } from "../transactions/attempt-log.ts";
import { GameRefs } from "../transactions/game-refs.ts";
import { COLUMNS, toTransaction } from "../transactions/rows.ts";
import { by, filtering, inOrder, type Refs, selection, type Way } from "./selection.ts";

const MINUTE_MS = 60_000;
/** So many rows without a number are looked at for their age. */
const UNNUMBERED_LOOKED_AT = 1_000;

/**
 * Pages read at once, of the 4 connections for selecting, and of them one merchant's. A merchant's exports wait for each other, a page
 * at a time, and other merchants' listings go past them.
 */
const TURNS: TurnLimits = { atOnce: 4, ofOneAtOnce: 2, waitingMax: 512, waitMs: 5_000, ofOne: 64 };

interface Bounds {
  /** As long as no more rows are pending, sorting them is cheaper than to look for them along the time. */
  readonly pendingSorted: number;
  /** So many numbers of the feed are looked at for what a filter asks. */
  readonly feedWindow: number;
}

/**
 * Reads the rows of `tx`. The ids of a page are found in an index, and then its rows are read. Each statement names its index: with the
 * statistics of the moment, a filter that matches little makes a planner read a month's rows.
 */
export class SqlTransactionReader extends TransactionReader {
  readonly #database: Database;
  readonly #games: GameRefs;
  readonly #now: string;
  readonly #feed: FeedStatements;
  readonly #bounds: Bounds;
  readonly #turns = new Turns(TURNS);

  constructor(database: Database, bounds: Bounds = { pendingSorted: 5_000, feedWindow: 20_000 }) {
    super();
    this.#bounds = bounds;
    this.#database = database;
    this.#games = new GameRefs(database);
    this.#now = nowMs(database.dialect);
    this.#feed = feedStatements(database.dialect);
  }

  override async now(): Promise<DbTime> {
    const [row] = await this.#read(`SELECT ${this.#now} AS now`, []);
    return Number(row?.now);
  }

  override async find({ merchantId, txId }: TxKey): Promise<LoggedTransaction | undefined> {
    const columns = [...COLUMNS, "id", "last_result", "attempt_log"].join(", ");
    const sql = `SELECT ${columns}, ${this.#now} AS read_at FROM tx WHERE merchant_id = ? AND tx_id = ? AND status <> ${STATUS.void}`;
    const [row] = await decisiveRows(this.#database, { sql, bindings: [merchantId, txId] });
    if (row === undefined) return undefined;
    const [listed] = await this.#listed([row]);
    return listed && { ...listed, log: readLog(row.attempt_log as string | null) };
  }

  override list(query: TransactionQuery, limit: number): Promise<ListedTransaction[]> {
    return this.#turns.take(query.merchantId, () => this.#list(query, limit));
  }

  async #list(query: TransactionQuery, limit: number): Promise<ListedTransaction[]> {
    const refs = await this.#refs(query);
    if (refs === undefined) return [];
    const page = selection(this.#database.dialect, await this.#way(query), query, refs, limit);
    return this.#listed(await this.#read(`${this.#rowsOf(page)} ORDER BY ${inOrder(query.order, "p.")}`, page.bindings));
  }

  override async feedStart(merchantId: number, since: DbTime): Promise<bigint> {
    const bindings = [merchantId, Math.floor(since / MINUTE_MS) * MINUTE_MS, merchantId];
    const [row] = await this.#turns.take(merchantId, () => this.#read(this.#feed.start, bindings));
    return integer(row?.seq);
  }

  override feed(query: FeedQuery, limit: number): Promise<FeedPage> {
    return this.#turns.take(query.merchantId, () => this.#feedPage(query, limit));
  }

  async #feedPage(query: FeedQuery, limit: number): Promise<FeedPage> {
    const { merchantId, after } = query;
    // Before the page: what was known longer ago than this is in the page then, or in one before it.
    const [behind] = await this.#read(this.#feed.behind, [merchantId, UNNUMBERED_LOOKED_AT]);
    const behindMs = Math.max(0, Number(behind?.ms ?? 0));
    const refs = await this.#refs(query);
    const filter = filtering(query, refs ?? {});
    const isFiltered = refs === undefined || filter.sql !== "";
    const end = isFiltered ? await this.#endOfWindow(merchantId, after) : null;
    const more = isFiltered ? { sql: ` AND feed_seq <= ? AND ${filter.sql || "1 = 1"}`, bindings: [end, ...filter.bindings] } : { sql: "", bindings: [] };
    const page = { sql: this.#feed.page(more.sql), bindings: [merchantId, after, ...more.bindings, limit] };
    const found = refs === undefined ? [] : await this.#read(`${this.#rowsOf(page, "p.feed_seq")} ORDER BY p.feed_seq`, page.bindings);
    const last = found.at(-1);
    const isFull = found.length === limit;
    return { items: await this.#listed(found), next: isFull || end === null ? integer(last?.feed_seq ?? after) : end, behindMs };
  }

  override round(query: RoundQuery, limit: number): Promise<RoundPage | undefined> {
    return this.#turns.take(query.merchantId, () => this.#round(query, limit));
  }

  async #round(query: RoundQuery, limit: number): Promise<RoundPage | undefined> {
    const { dialect } = this.#database;
    const { merchantId, roundId, after } = query;
    const refs = await this.#refs(query);
    if (refs?.providerId === undefined) return undefined;
    const page = selection(dialect, "round", { merchantId, roundId, after, order: "asc" }, refs, limit);
    const sums = `SELECT ${SUMS.join(", ")} FROM tx ${by(dialect, "round")} WHERE merchant_id = ? AND round_id = ? AND provider_id = ?`;
    const found = await this.#read(
      `SELECT s.*, ${columnsOf("o")}, ${this.#now} AS read_at FROM (${sums}) s LEFT JOIN (${page.sql}) p ON 1 = 1 LEFT JOIN tx o ON o.id = p.id ORDER BY ${inOrder("asc", "p.")}`,
      [merchantId, roundId, refs.providerId, ...page.bindings],
    );
    const [first] = found;
    if (first === undefined || Number(first.all_count) === 0) return undefined;
    return { items: await this.#listed(found.filter((row) => row.id !== null)), sums: toSums(first) };
  }

  #read(sql: string, bindings: readonly Binding[]): Promise<readonly Row[]> {
    return selectedRows(this.#database, { sql, bindings });
  }

  /** The rows of a page of ids. */
  #rowsOf({ sql }: Statement, more?: string): string {
    const join = this.#database.dialect === "mysql" ? "STRAIGHT_JOIN" : "CROSS JOIN";
    const columns = more === undefined ? columnsOf("o") : `${columnsOf("o")}, ${more}`;
    return `SELECT ${columns}, ${this.#now} AS read_at FROM (${sql}) p ${join} tx o ON o.id = p.id`;
  }

  async #way({ merchantId, txId, refTxId, roundId, playerId, status }: TransactionQuery): Promise<Way> {
    if (txId !== undefined) return "key";
    if (refTxId !== undefined) return "ref";
    if (roundId !== undefined) return "round";
    if (playerId !== undefined) return "player";
    return status === "pending" && (await this.#hasFewPending(merchantId)) ? "pending" : "list";
  }

  /** Every pending row has a due time, but while its first attempt runs or before it is numbered: then it has no number. */
  async #hasFewPending(merchantId: number): Promise<boolean> {
    const count = (index: string, condition: string): string =>
      `(SELECT COUNT(*) FROM (SELECT 1 FROM tx ${by(this.#database.dialect, index)} WHERE merchant_id = ? AND ${condition} LIMIT ?) w)`;
    const [row] = await this.#read(`SELECT ${count("due", "next_at >= 0")} + ${count("feed", "feed_seq IS NULL")} AS n`, [
      ...[merchantId, this.#bounds.pendingSorted + 1],
      ...[merchantId, this.#bounds.pendingSorted + 1],
    ]);
    return Number(row?.n) <= this.#bounds.pendingSorted;
  }

  /** Where a filtered look at the feed ends, so that a filter that matches nothing still moves on; null: nothing is left. */
  async #endOfWindow(merchantId: number, after: bigint): Promise<bigint | null> {
    const [row] = await this.#read(this.#feed.end, [merchantId, after, this.#bounds.feedWindow]);
    return row?.seq == null ? null : integer(row.seq);
  }

  /** The row numbers of a filter's codes; undefined: there is no such provider or game, so nothing matches. */
  async #refs({ provider, game }: TransactionFilter): Promise<Refs | undefined> {
    if (game !== undefined) {
      const ofProvider = provider === undefined ? { sql: "", bindings: [] } : { sql: " WHERE p.code = ?", bindings: [provider] };
      const found = await this.#read(`SELECT g.id FROM providers p JOIN games g ON g.provider_id = p.id AND g.code = ?${ofProvider.sql}`, [
        game,
        ...ofProvider.bindings,
      ]);
      return found.length === 0 ? undefined : { gameIds: found.map((row) => Number(row.id)) };
    }
    if (provider === undefined) return {};
    const [row] = await this.#read("SELECT id FROM providers WHERE code = ?", [provider]);
    return row && { providerId: Number(row.id) };
  }

  async #listed(found: readonly Row[]): Promise<ListedTransaction[]> {
    await this.#games.load(found.map((row) => Number(row.game_id)));
    return found.map((row) => ({
      id: integer(row.id),
      transaction: toTransaction(row, this.#games),
      lastResult: row.last_result === null ? null : (row.last_result as AttemptResult),
    }));
  }
}

const columnsOf = (alias: string): string => [...COLUMNS, "id", "last_result"].map((name) => `${alias}.${name}`).join(", ");
const integer = (value: unknown): bigint => BigInt(value as string | number | bigint);

const ACTIONS = Object.keys(ACTION) as readonly Action[];
const sumOf = (status: "success" | "pending", action: Action): string =>
  `SUM(CASE WHEN status = ${STATUS[status]} AND action = ${ACTION[action]} THEN amount_minor ELSE 0 END) AS ${status}_${action}`;
const SUMS: readonly string[] = [
  ...(["success", "pending"] as const).flatMap((status) => ACTIONS.map((action) => sumOf(status, action))),
  `SUM(CASE WHEN status = ${STATUS.pending} THEN 1 ELSE 0 END) AS pending_count`,
  `SUM(CASE WHEN status <> ${STATUS.void} THEN 1 ELSE 0 END) AS all_count`,
];

const toSums = (row: Row): RoundSums => {
  const of = (status: "success" | "pending"): ActionSums =>
    Object.fromEntries(ACTIONS.map((action) => [action, integer(row[`${status}_${action}`])])) as Record<Action, bigint>;
  return { success: of("success"), pending: { ...of("pending"), count: Number(row.pending_count) } };
};
