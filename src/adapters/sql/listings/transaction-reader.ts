import type { ActionSums, RoundSums } from "../../../domain/transaction/round.ts";
import { type Action, answerOf, type DbTime } from "../../../domain/transaction/transaction.ts";
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
import type { Database } from "../connection/database.ts";
import { readTime } from "../connection/database-time.ts";
import { decisiveRows, selectedRows } from "../connection/execute.ts";
import { FairQueue, type QueueLimits } from "../connection/fair-queue.ts";
import { type Binding, integer, type Row, type Statement } from "../connection/statement.ts";
import type { SqlFragments, TxIndex } from "../dialects/sql-fragments.ts";
import { type FeedStatements, feedStatements } from "../reports/feed-statements.ts";
import { ACTION, STATUS } from "../schema/codes.ts";
import { numberOrNull } from "../schema/columns.ts";
import { readLog } from "../transactions/attempt-log.ts";
import { GameRefs } from "../transactions/game-refs.ts";
import { listed, listedColumns } from "./listed-rows.ts";
import { ROUND_OPENED_AT } from "./provider-records.ts";
import { filtering, inOrder, type Path, type Refs, selection } from "./selection.ts";

const MINUTE_MS = 60_000;
/** The clocks of a cluster's nodes differ by at most this time. */
const CLOCKS_APART_MS = 1_000;
/** The maximum of rows without a number in the feed whose age is examined. */
const UNNUMBERED_EXAMINED = 1_000;

/**
 * At most 4 pages are read at once: one on each connection for reads of many rows, and 2 of them for one merchant. So a
 * merchant's exports wait for each other page by page, and the listings of other merchants go before them.
 */
const QUEUE_LIMITS: QueueLimits = { runningMax: 4, runningPerCaller: 2, waitingMax: 512, waitMs: 5_000, perCaller: 64 };

interface Bounds {
  /** Up to this many pending rows, it is cheaper to sort them than to find them by the index of creation times. */
  readonly pendingSorted: number;
  /** The maximum of feed numbers that one filtered page examines. */
  readonly feedWindow: number;
}

/**
 * Reads the rows of `tx`. The ids of a page are found in an index. Then the page's rows are read. Each statement names
 * its index, because a database's planner follows its statistics of the moment. For a filter that matches few rows it
 * may read the rows of a month.
 */
export class SqlTransactionReader extends TransactionReader {
  readonly #database: Database;
  readonly #games: GameRefs;
  readonly #sql: SqlFragments;
  readonly #feed: FeedStatements;
  readonly #bounds: Bounds;
  readonly #queue = new FairQueue(QUEUE_LIMITS);

  constructor(database: Database, bounds: Bounds = { pendingSorted: 5_000, feedWindow: 20_000 }) {
    super();
    this.#bounds = bounds;
    this.#database = database;
    this.#games = new GameRefs(database);
    this.#sql = database.dialect.sql;
    this.#feed = feedStatements(this.#sql);
  }

  override async now(): Promise<DbTime> {
    const { sql, bindings } = readTime(this.#sql);
    const [row] = await this.#read(sql, bindings);
    return Number(row?.now_ms);
  }

  override async find({ merchantId, txId }: TxKey): Promise<LoggedTransaction | undefined> {
    const sql = `SELECT ${listedColumns("tx")}, attempt_log, ${this.#sql.nowMs} AS read_at FROM tx WHERE merchant_id = ? AND tx_id = ? AND status <> ${STATUS.void}`;
    const [row] = await decisiveRows(this.#database, { sql, bindings: [merchantId, txId] });
    if (row === undefined) return undefined;
    const [found] = await listed(this.#games, [row]);
    if (found === undefined) return undefined;
    const answer = answerOf(found.transaction);
    // A person who closes a transaction as failed gives it a code that is not the wallet's.
    const isOfWallet = found.transaction.resolvedBy !== "manual";
    const lastError = answer.status === "failed" && isOfWallet ? answer.error : null;
    return { ...found, log: readLog(row.attempt_log as string | null, lastError) };
  }

  override list(query: TransactionQuery, limit: number): Promise<ListedTransaction[]> {
    return this.#queue.run(query.merchantId, () => this.#list(query, limit));
  }

  async #list(query: TransactionQuery, limit: number): Promise<ListedTransaction[]> {
    const refs = await this.#refs(query);
    if (refs === undefined) return [];
    const page = selection(this.#sql, await this.#path(query), query, refs, limit);
    return listed(
      this.#games,
      await this.#read(`${this.#rowsOf(page)} ORDER BY ${inOrder(query.order, "p.")}`, page.bindings),
    );
  }

  override async feedStart(merchantId: number, since: DbTime): Promise<bigint> {
    // The clock of the node that numbered a change may be behind the clock of the node that made it.
    const from = Math.floor((since - CLOCKS_APART_MS) / MINUTE_MS) * MINUTE_MS;
    const bindings = [merchantId, from, merchantId];
    const [row] = await this.#queue.run(merchantId, () => this.#read(this.#feed.start, bindings));
    return integer(row?.seq);
  }

  override feed(query: FeedQuery, limit: number): Promise<FeedPage> {
    return this.#queue.run(query.merchantId, () => this.#feedPage(query, limit));
  }

  async #feedPage(query: FeedQuery, limit: number): Promise<FeedPage> {
    const { merchantId, after } = query;
    // This age of the oldest change without a number is read before the page. So every older change is in this page or
    // in an earlier one.
    const [behind] = await this.#read(this.#feed.behind, [merchantId, UNNUMBERED_EXAMINED]);
    const behindMs = Math.max(0, Number(behind?.ms ?? 0));
    const refs = await this.#refs(query);
    const filter = filtering(query, refs ?? {});
    const isFiltered = refs === undefined || filter.sql !== "";
    const end = isFiltered ? await this.#endOfWindow(merchantId, after) : null;
    const more = isFiltered
      ? { sql: ` AND feed_seq <= ? AND ${filter.sql || "1 = 1"}`, bindings: [end, ...filter.bindings] }
      : { sql: "", bindings: [] };
    const page = { sql: this.#feed.page(more.sql), bindings: [merchantId, after, ...more.bindings, limit] };
    const found =
      refs === undefined
        ? []
        : await this.#read(`${this.#rowsOf(page, "p.feed_seq")} ORDER BY p.feed_seq`, page.bindings);
    const last = found.at(-1);
    const isFull = found.length === limit;
    return {
      items: await listed(this.#games, found),
      next: isFull || end === null ? integer(last?.feed_seq ?? after) : end,
      behindMs,
    };
  }

  override round(query: RoundQuery, limit: number): Promise<RoundPage | undefined> {
    return this.#queue.run(query.merchantId, () => this.#round(query, limit));
  }

  async #round(query: RoundQuery, limit: number): Promise<RoundPage | undefined> {
    const { merchantId, roundId, after } = query;
    const refs = await this.#refs(query);
    if (refs?.providerId === undefined) return undefined;
    const page = selection(this.#sql, "round", { merchantId, roundId, after, order: "asc" }, refs, limit);
    const sums = `SELECT ${SUMS.join(", ")} FROM tx ${this.#sql.byIndex("round")} WHERE merchant_id = ? AND round_id = ? AND provider_id = ?`;
    const found = await this.#read(
      `SELECT s.*, ${listedColumns("o")}, ${this.#sql.nowMs} AS read_at FROM (${sums}) s LEFT JOIN (${page.sql}) p ON 1 = 1 LEFT JOIN tx o ON o.id = p.id ORDER BY ${inOrder("asc", "p.")}`,
      [merchantId, roundId, refs.providerId, ...page.bindings],
    );
    const [first] = found;
    if (first === undefined || Number(first.all_count) === 0) return undefined;
    return {
      items: await listed(
        this.#games,
        found.filter((row) => row.id !== null),
      ),
      sums: toSums(first),
      openedAt: numberOrNull(first.round_opened_at),
    };
  }

  #read(sql: string, bindings: readonly Binding[]): Promise<readonly Row[]> {
    return selectedRows(this.#database, { sql, bindings });
  }

  /** Selects the rows whose ids are in the page. */
  #rowsOf({ sql }: Statement, more?: string): string {
    const columns = more === undefined ? listedColumns("o") : `${listedColumns("o")}, ${more}`;
    return `SELECT ${columns}, ${this.#sql.nowMs} AS read_at FROM (${sql}) p ${this.#sql.joinInOrder} tx o ON o.id = p.id`;
  }

  async #path({ merchantId, txId, refTxId, roundId, playerId, status, kind }: TransactionQuery): Promise<Path> {
    if (txId !== undefined) return "key";
    if (refTxId !== undefined) return "ref";
    if (roundId !== undefined) return "round";
    if (playerId !== undefined) return "player";
    if (status === "pending" && (await this.#hasFewPending(merchantId))) return "pending";
    return kind !== undefined && (await this.#areKindsListed(merchantId)) ? "kind" : "list";
  }

  /** `false`: a replica of an older release has numbered changes, and the catch-up has not examined them yet. */
  async #areKindsListed(merchantId: number): Promise<boolean> {
    const [head] = await this.#read("SELECT seq = kind_seq AS done FROM feed_head WHERE merchant_id = ?", [merchantId]);
    return head === undefined || Number(head.done) === 1;
  }

  /**
   * A pending row has a due time, except during its first attempt and before it is numbered. In these cases it has no
   * number in the feed.
   */
  async #hasFewPending(merchantId: number): Promise<boolean> {
    const count = (index: TxIndex, condition: string): string =>
      `(SELECT COUNT(*) FROM (SELECT 1 FROM tx ${this.#sql.byIndex(index)} WHERE merchant_id = ? AND ${condition} LIMIT ?) w)`;
    const [row] = await this.#read(
      `SELECT ${count("due", "next_at >= 0")} + ${count("feed", "feed_seq IS NULL")} AS n`,
      [merchantId, this.#bounds.pendingSorted + 1, merchantId, this.#bounds.pendingSorted + 1],
    );
    return Number(row?.n) <= this.#bounds.pendingSorted;
  }

  /**
   * The last number that a filtered page examines. So the feed advances even if the filter matches nothing. null: there
   * are no further numbers.
   */
  async #endOfWindow(merchantId: number, after: bigint): Promise<bigint | null> {
    const [row] = await this.#read(this.#feed.end, [merchantId, after, this.#bounds.feedWindow]);
    return row?.seq == null ? null : integer(row.seq);
  }

  /** The row numbers of a filter's codes. undefined: there is no such provider or game, so nothing matches. */
  async #refs({ provider, game }: TransactionFilter): Promise<Refs | undefined> {
    if (game !== undefined) {
      const ofProvider =
        provider === undefined ? { sql: "", bindings: [] } : { sql: " WHERE p.code = ?", bindings: [provider] };
      const found = await this.#read(
        `SELECT g.id FROM providers p JOIN games g ON g.provider_id = p.id AND g.code = ?${ofProvider.sql}`,
        [game, ...ofProvider.bindings],
      );
      return found.length === 0 ? undefined : { gameIds: found.map((row) => Number(row.id)) };
    }
    if (provider === undefined) return {};
    const [row] = await this.#read("SELECT id FROM providers WHERE code = ?", [provider]);
    return row && { providerId: Number(row.id) };
  }
}

const ACTIONS = Object.keys(ACTION) as readonly Action[];
const sumOf = (status: "success" | "pending", action: Action): string =>
  `SUM(CASE WHEN status = ${STATUS[status]} AND action = ${ACTION[action]} THEN amount_minor ELSE 0 END) AS ${status}_${action}`;
const SUMS: readonly string[] = [
  ...(["success", "pending"] as const).flatMap((status) => ACTIONS.map((action) => sumOf(status, action))),
  `SUM(CASE WHEN status = ${STATUS.pending} THEN 1 ELSE 0 END) AS pending_count`,
  `SUM(CASE WHEN status <> ${STATUS.void} THEN 1 ELSE 0 END) AS all_count`,
  `${ROUND_OPENED_AT} AS round_opened_at`,
];

const toSums = (row: Row): RoundSums => {
  const of = (status: "success" | "pending"): ActionSums =>
    Object.fromEntries(ACTIONS.map((action) => [action, integer(row[`${status}_${action}`])])) as Record<
      Action,
      bigint
    >;
  return { success: of("success"), pending: { ...of("pending"), count: Number(row.pending_count) } };
};
