import type { StuckKind } from "../../../domain/transaction/stuck.ts";
import { NEVER } from "../../../domain/transaction/transaction.ts";
import type { TxKey } from "../../../domain/values/identifiers.ts";
import {
  OPEN_COUNTED_MAX,
  type OpenSums,
  type SlipQuery,
  STUCK_COUNTED_MAX,
  StuckMoney,
  type StuckPosition,
  type StuckQuery,
  type StuckSlip,
  type StuckSums,
  type StuckTransaction,
} from "../../../ports/transactions/stuck-money.ts";
import { chunks } from "../connection/chunks.ts";
import type { Database } from "../connection/database.ts";
import { readTime } from "../connection/database-time.ts";
import { selectedRows } from "../connection/execute.ts";
import { integer, type Row, type Statement } from "../connection/statement.ts";
import { STUCK } from "../reports/stuck-notes.ts";
import { GameRefs } from "../transactions/game-refs.ts";
import { listedRows } from "./listed-rows.ts";
import { DUE, IS_CREDIT, type NotedKind, notedSince, STILL } from "./stuck-conditions.ts";
import { slipSums, stuckSlips } from "./stuck-slips.ts";
import { notedSums, openSums, pendingSums } from "./stuck-sums.ts";

/** The number of merchants in one statement. SQLite allows 500 parts of a UNION, and each merchant needs two. */
const MERCHANTS_AT_ONCE = 64;
/** The number of merchants in one statement that makes one look-up for each merchant. */
const LOOKED_UP_AT_ONCE = 500;
/** Rows are numbered in the order of their creation, except for those that are created at nearly the same time. */
const ORDER_SLACK_MS = 60_000;

const PENDING_KINDS = ["retrying", "unanswered", "pending"] as const;
const NOTED_KINDS = ["owed", "contradiction"] as const;

/**
 * Reads the table `stuck`, the end of the index of due times, and the slips that have not ended. Each read is bounded by
 * the number of rows that it shows or counts.
 */
export class SqlStuckMoney extends StuckMoney {
  readonly #database: Database;
  readonly #games: GameRefs;

  constructor(database: Database) {
    super();
    this.#database = database;
    this.#games = new GameRefs(database);
  }

  override async sums(
    merchantIds: readonly number[],
    agesMs: readonly number[],
    horizonMs: number,
    kinds: readonly StuckKind[],
  ): Promise<StuckSums[]> {
    const now = await this.#now();
    const has = (kind: StuckKind): boolean => kinds.includes(kind);
    const all: StuckSums[] = [];
    for (const some of chunks(PENDING_KINDS.some(has) ? merchantIds : [], MERCHANTS_AT_ONCE)) {
      const asked = { merchantIds: some, agesMs, now, limit: STUCK_COUNTED_MAX, countsPlayers: true };
      all.push(...(await pendingSums(this.#database, asked, horizonMs)).filter(({ kind }) => has(kind)));
    }
    for (const kind of NOTED_KINDS.filter(has)) {
      const having: number[] = [];
      for (const some of chunks(merchantIds, LOOKED_UP_AT_ONCE)) having.push(...(await this.#having(kind, some, now)));
      for (const some of chunks(having, MERCHANTS_AT_ONCE)) {
        const asked = { merchantIds: some, agesMs, now, limit: STUCK_COUNTED_MAX, countsPlayers: true };
        all.push(...(await notedSums(this.#database, asked, kind)));
      }
    }
    if (!has("slip")) return all;
    return [...all, ...slipSums(await this.slips({ merchantIds, olderThanMs: 0 }, STUCK_COUNTED_MAX), agesMs, now)];
  }

  override async open(
    merchantIds: readonly number[],
    agesMs: readonly number[],
    horizonMs: number,
  ): Promise<OpenSums[]> {
    const now = await this.#now();
    const all: OpenSums[] = [];
    for (const some of chunks(merchantIds, MERCHANTS_AT_ONCE)) {
      const asked = { merchantIds: some, agesMs, now, limit: OPEN_COUNTED_MAX, countsPlayers: false };
      all.push(...(await openSums(this.#database, asked, horizonMs)));
    }
    return all;
  }

  override async list(query: StuckQuery, limit: number): Promise<StuckTransaction[]> {
    const { kind, merchantIds, olderThanMs, horizonMs, after } = query;
    const now = await this.#now();
    const createdTo = now - olderThanMs;
    const ids: bigint[] = [];
    const atOnce = kind === "retrying" || kind === "open" ? MERCHANTS_AT_ONCE : LOOKED_UP_AT_ONCE;
    for (const some of chunks(merchantIds, atOnce)) {
      for (const merchantId of await this.#having(kind, some, createdTo)) {
        if (ids.length >= limit) return listedRows(this.#database, this.#games, ids);
        const behind = merchantId === merchantIds[0] ? after : undefined;
        const most = limit - ids.length;
        ids.push(
          ...(kind === "retrying" || kind === "open"
            ? await this.#due(kind, merchantId, behind, most)
            : kind === "pending"
              ? await this.#pending(merchantId, createdTo, now - horizonMs, behind, most)
              : await this.#noted(kind, merchantId, notedSince(kind, now), createdTo, behind, most)),
        );
      }
    }
    return listedRows(this.#database, this.#games, ids);
  }

  /** The merchants that may have rows, in the same order. One look-up for each of them. */
  async #having(kind: StuckQuery["kind"], merchantIds: readonly number[], createdTo: number): Promise<number[]> {
    const { sql } = this.#database.dialect;
    if (kind === "retrying" || kind === "open") {
      // For a merchant of another table a server would read the whole range of the merchant.
      const one = (i: number): string =>
        `SELECT * FROM (SELECT merchant_id FROM tx ${sql.byIndex("due")} WHERE merchant_id = ? AND ${DUE[kind]} LIMIT 1) m${i}`;
      const found = await this.#select({
        sql: merchantIds.map((_, i) => one(i)).join(" UNION ALL "),
        bindings: merchantIds,
      });
      const having = new Set(found.map((row) => Number(row.merchant_id)));
      return merchantIds.filter((id) => having.has(id));
    }
    const one =
      kind === "pending"
        ? `SELECT 1 FROM tx ${sql.byIndex("due")} WHERE merchant_id = n.id AND ${DUE.never} LIMIT 1`
        : `SELECT 1 FROM stuck WHERE merchant_id = n.id AND kind = ${STUCK[kind]} AND is_open = 1 AND created_at <= ? LIMIT 1`;
    const ids = sql.idTable(merchantIds);
    const found = await this.#select({
      sql: `SELECT n.id FROM ${ids.sql} n WHERE (${one}) IS NOT NULL`,
      bindings: kind === "pending" ? ids.bindings : [...ids.bindings, createdTo],
    });
    const having = new Set(found.map((row) => Number(row.id)));
    return merchantIds.filter((id) => having.has(id));
  }

  async #noted(
    kind: NotedKind,
    merchantId: number,
    from: number,
    createdTo: number,
    after: StuckPosition | undefined,
    limit: number,
  ): Promise<bigint[]> {
    const found = await this.#select({
      sql: `SELECT s.tx FROM stuck s ${this.#database.dialect.sql.joinInOrder} tx t ON t.id = s.tx
        WHERE s.merchant_id = ? AND s.kind = ${STUCK[kind]} AND s.is_open = 1 AND s.created_at >= ? AND s.created_at <= ?
          AND (s.created_at > ? OR s.tx > ?) AND ${STILL[kind]} ORDER BY s.created_at, s.tx LIMIT ?`,
      bindings: [merchantId, Math.max(from, after?.at ?? 0), createdTo, after?.at ?? -1, after?.id ?? 0, limit],
    });
    return found.map((row) => integer(row.tx));
  }

  /**
   * The ids of pending rows in the order of their due times. A row has a due time while it is pending, except during its
   * first call. Only credits have one before {@link NEVER}.
   */
  async #due(
    kind: "retrying" | "open",
    merchantId: number,
    after: StuckPosition | undefined,
    limit: number,
  ): Promise<bigint[]> {
    const filter = kind === "retrying" ? `AND next_at < ${NEVER} AND ${IS_CREDIT}` : "";
    const found = await this.#select({
      sql: `SELECT id FROM tx ${this.#database.dialect.sql.byIndex("due")}
        WHERE merchant_id = ? AND next_at >= ? AND (next_at > ? OR id > ?) ${filter}
        ORDER BY next_at, id LIMIT ?`,
      bindings: [merchantId, after?.at ?? 0, after?.at ?? -1, after?.id ?? 0, limit],
    });
    return found.map((row) => integer(row.id));
  }

  /**
   * The ids of pending rows past their horizon. Reads the rows that the service does not send any more, in the order of
   * their insertion, and stops when they are too young to be stuck.
   */
  async #pending(
    merchantId: number,
    createdTo: number,
    openedTo: number,
    after: StuckPosition | undefined,
    limit: number,
  ): Promise<bigint[]> {
    const ids: bigint[] = [];
    for (let last = BigInt(after?.id ?? 0); ids.length < limit; ) {
      const window = await this.#select({
        sql: `SELECT id, created_at, opened_at FROM tx ${this.#database.dialect.sql.byIndex("due")}
          WHERE merchant_id = ? AND ${DUE.never} AND id > ? ORDER BY id LIMIT ?`,
        bindings: [merchantId, last, limit],
      });
      for (const row of window)
        if (Number(row.opened_at) <= openedTo && Number(row.created_at) <= createdTo) ids.push(integer(row.id));
      const end = window.at(-1);
      if (end === undefined || window.length < limit) break;
      if (Number(end.created_at) > Math.min(createdTo, openedTo) + ORDER_SLACK_MS) break;
      last = integer(end.id);
    }
    return ids.slice(0, limit);
  }

  override async isContradiction({ merchantId, txId }: TxKey): Promise<boolean> {
    const found = await this.#select({
      sql: `SELECT 1 FROM tx t ${this.#database.dialect.sql.joinInOrder} stuck s ON s.tx = t.id
        WHERE t.merchant_id = ? AND t.tx_id = ? AND s.kind = ${STUCK.contradiction} AND s.is_open = 1
          AND ${STILL.contradiction}`,
      bindings: [merchantId, txId],
    });
    return found.length > 0;
  }

  override slips(query: SlipQuery, limit: number): Promise<StuckSlip[]> {
    return stuckSlips(this.#database, query, limit);
  }

  async #now(): Promise<number> {
    const [row] = await this.#select(readTime(this.#database.dialect.sql));
    return Number(row?.now_ms);
  }

  #select(statement: Statement): Promise<readonly Row[]> {
    return selectedRows(this.#database, statement);
  }
}
