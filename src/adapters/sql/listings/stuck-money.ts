import type { StuckKind } from "../../../domain/transaction/stuck.ts";
import { NEVER } from "../../../domain/transaction/transaction.ts";
import type { TxKey } from "../../../domain/values/identifiers.ts";
import {
  CONTRADICTIONS_MS,
  type SlipQuery,
  STUCK_COUNTED_MAX,
  StuckMoney,
  type StuckPosition,
  type StuckQuery,
  type StuckSlip,
  type StuckSums,
  type StuckTransaction,
} from "../../../ports/transactions/stuck-money.ts";
import type { Database } from "../connection/database.ts";
import { selectedRows } from "../connection/execute.ts";
import type { Binding, Row, Statement } from "../connection/statement.ts";
import { STUCK } from "../reports/stuck-notes.ts";
import { ACTION, STATUS } from "../schema/codes.ts";
import { GameRefs } from "../transactions/game-refs.ts";
import { listedRows } from "./listed-rows.ts";
import { slipSums, stuckSlips } from "./stuck-slips.ts";

/** The number of merchants in one statement. SQLite allows 500 parts of a UNION, and each merchant needs three. */
const MERCHANTS_AT_ONCE = 64;
/** The number of merchants in one statement that makes one look-up for each merchant. */
const LOOKED_UP_AT_ONCE = 500;
/** Rows are numbered in the order of their creation, except for those that are created at nearly the same time. */
const ORDER_SLACK_MS = 60_000;

type NotedKind = keyof typeof STUCK;
type PendingKind = "retrying" | "unanswered" | "pending";

const IS_CREDIT = `action IN (${ACTION.win}, ${ACTION.refund})`;

/** The range of the index of due times that has the rows of a kind. */
const DUE = {
  retrying: `next_at >= 0 AND next_at < ${NEVER}`,
  open: "next_at >= 0",
  never: `next_at = ${NEVER}`,
} as const;

/** Whether a noted row `t` is still stuck. It may have changed since it was noted. */
const STILL: Readonly<Record<NotedKind, string>> = {
  owed: `t.status = ${STATUS.failed}`,
  contradiction: `NOT (t.status = ${STATUS.success} AND t.error IS NULL AND t.action IN (${ACTION.win}, ${ACTION.refund}))`,
};

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
    const all: StuckSums[] = [];
    const has = (kind: StuckKind): boolean => kinds.includes(kind);
    for (let from = 0; from < merchantIds.length; from += MERCHANTS_AT_ONCE) {
      const some = merchantIds.slice(from, from + MERCHANTS_AT_ONCE);
      const ages = agesMs.map((age) => now - age);
      for (const kind of (["retrying", "unanswered", "pending"] as const).filter(has)) {
        const openedTo = kind === "retrying" ? now : now - horizonMs;
        const found = await this.#select(this.#pendingSums(kind, some, ages, openedTo));
        all.push(...toSums(found, kind, ages.length, openedTo));
      }
      for (const kind of (["owed", "contradiction"] as const).filter(has))
        all.push(...toSums(await this.#select(this.#notedSums(kind, some, ages, now)), kind, ages.length, now));
    }
    if (!has("slip")) return all;
    return [...all, ...slipSums(await this.slips({ merchantIds, olderThanMs: 0 }, STUCK_COUNTED_MAX), agesMs, now)];
  }

  #pendingSums(
    kind: PendingKind,
    merchantIds: readonly number[],
    createdTo: readonly number[],
    openedTo: number,
  ): Statement {
    const { byIndex } = this.#database.dialect.sql;
    const [range, order] = kind === "retrying" ? [DUE.retrying, "next_at, id"] : [DUE.never, "id"];
    const stuck = `opened_at <= ? AND ${kind === "pending" ? "NOT " : ""}${IS_CREDIT}`;
    const part = (i: number): string =>
      `SELECT * FROM (SELECT merchant_id, created_at, amount_minor, player_id, CASE WHEN ${stuck} THEN 1 ELSE 0 END AS stuck
        FROM tx ${byIndex("due")} WHERE merchant_id = ? AND ${range} ORDER BY ${order} LIMIT ?) m${i}`;
    return summed(
      merchantIds.map((_, i) => part(i)),
      merchantIds.flatMap((id) => [openedTo, id, STUCK_COUNTED_MAX]),
      createdTo,
    );
  }

  #notedSums(kind: NotedKind, merchantIds: readonly number[], createdTo: readonly number[], now: number): Statement {
    const part = (i: number): string =>
      `SELECT * FROM (SELECT tx FROM stuck WHERE merchant_id = ? AND kind = ${STUCK[kind]} AND is_open = 1 AND created_at >= ?
        ORDER BY created_at, tx LIMIT ?) m${i}`;
    const noted = merchantIds.map((_, i) => part(i)).join(" UNION ALL ");
    return summed(
      [
        `SELECT t.merchant_id, t.created_at, t.amount_minor, t.player_id, CASE WHEN ${STILL[kind]} THEN 1 ELSE 0 END AS stuck
          FROM (${noted}) n ${this.#database.dialect.sql.joinInOrder} tx t ON t.id = n.tx`,
      ],
      merchantIds.flatMap((id) => [id, since(kind, now), STUCK_COUNTED_MAX]),
      createdTo,
    );
  }

  override async list(query: StuckQuery, limit: number): Promise<StuckTransaction[]> {
    const { kind, merchantIds, olderThanMs, horizonMs, after } = query;
    const now = await this.#now();
    const createdTo = now - olderThanMs;
    const ids: bigint[] = [];
    const atOnce = kind === "retrying" || kind === "open" ? MERCHANTS_AT_ONCE : LOOKED_UP_AT_ONCE;
    for (let from = 0; from < merchantIds.length; from += atOnce) {
      const some = merchantIds.slice(from, from + atOnce);
      for (const merchantId of await this.#having(kind, some, createdTo)) {
        if (ids.length >= limit) return listedRows(this.#database, this.#games, ids);
        const behind = merchantId === merchantIds[0] ? after : undefined;
        const most = limit - ids.length;
        ids.push(
          ...(kind === "retrying" || kind === "open"
            ? await this.#due(kind, merchantId, behind, most)
            : kind === "pending"
              ? await this.#pending(merchantId, createdTo, now - horizonMs, behind, most)
              : await this.#noted(kind, merchantId, since(kind, now), createdTo, behind, most)),
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
        : `SELECT 1 FROM stuck WHERE merchant_id = n.id AND kind = ${STUCK[kind]} AND is_open = 1 AND created_at <= ${createdTo} LIMIT 1`;
    const ids = sql.idTable(merchantIds);
    const found = await this.#select({
      sql: `SELECT n.id FROM ${ids.sql} n WHERE (${one}) IS NOT NULL`,
      bindings: ids.bindings,
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
    const [row] = await this.#select({ sql: `SELECT ${this.#database.dialect.sql.nowMs} AS now`, bindings: [] });
    return Number(row?.now);
  }

  #select(statement: Statement): Promise<readonly Row[]> {
    return selectedRows(this.#database, statement);
  }
}

const since = (kind: NotedKind, now: number): number => (kind === "owed" ? 0 : now - CONTRADICTIONS_MS);

/** @param parts - SELECTs of merchant_id, created_at, amount_minor, player_id and stuck. */
function summed(parts: readonly string[], bindings: readonly Binding[], createdTo: readonly number[]): Statement {
  const older = (value: string): string => `SUM(CASE WHEN stuck = 1 AND created_at <= ? THEN ${value} ELSE 0 END)`;
  const ages = createdTo.map((_, i) => `${older("1")} AS n${i}, ${older("amount_minor")} AS minor${i}`).join(", ");
  return {
    sql: `SELECT merchant_id, COUNT(*) AS counted, MAX(created_at) AS newest, COUNT(DISTINCT CASE WHEN stuck = 1 THEN player_id END) AS players, ${ages}
      FROM (${parts.join(" UNION ALL ")}) w GROUP BY merchant_id`,
    bindings: [...createdTo.flatMap((to) => [to, to]), ...bindings],
  };
}

/** @param createdTo - a row that was created later is not stuck, nor is any row behind it. */
const toSums = (found: readonly Row[], kind: StuckKind, ages: number, createdTo: number): StuckSums[] =>
  found
    .map((row) => ({
      merchantId: Number(row.merchant_id),
      kind,
      players: Number(row.players),
      ages: Array.from({ length: ages }, (_, i) => ({
        count: Number(row[`n${i}`]),
        sumMinor: integer(row[`minor${i}`]),
      })),
      more: Number(row.counted) >= STUCK_COUNTED_MAX && Number(row.newest) <= createdTo,
    }))
    .filter(({ players }) => players > 0);

const integer = (value: unknown): bigint => BigInt(String(value));
