import {
  type Beginning,
  MATCHES,
  type Match,
  type Matched,
  TransactionSearch,
  type Wanted,
} from "../../../ports/transactions/transaction-search.ts";
import { chunks } from "../connection/chunks.ts";
import type { Database } from "../connection/database.ts";
import { selectedRows } from "../connection/execute.ts";
import { FairQueue } from "../connection/fair-queue.ts";
import { marks, type Statement } from "../connection/statement.ts";
import type { TxIndex } from "../dialects/sql-fragments.ts";
import { STATUS } from "../schema/codes.ts";
import { GameRefs } from "../transactions/game-refs.ts";
import { listed, listedColumns } from "./listed-rows.ts";

/** The number of merchants in one statement. SQLite allows 500 parts of a UNION, and each merchant needs two. */
const MERCHANTS_AT_ONCE = 64;
const RANGES_AT_ONCE = 128;

const INDEX_OF: Readonly<Record<Matched, TxIndex>> = { tx_id: "key", round_id: "round", player_id: "player" };

/** Values of one field of one merchant: from `from` on, below `below`. */
interface Range {
  readonly matched: Matched;
  readonly merchantId: number;
  readonly from: string;
  readonly below: string;
}

/** The last character of Unicode: no id has it. */
const LAST = "\u{10ffff}";
/** The first character: no id has a control character. */
const FIRST = "\u0001";

/**
 * Searches `tx` by ids, rounds and players. Every index of `tx` begins with the merchant. So a statement searches each
 * merchant separately, and stops at the limit for each merchant.
 */
export class SqlTransactionSearch extends TransactionSearch {
  readonly #database: Database;
  readonly #games: GameRefs;
  /** Only one search runs at a time, so that connections stay free for the listings. */
  readonly #queue = new FairQueue({ runningMax: 1, waitingMax: 32, waitMs: 5_000, perCaller: 32 });

  constructor(database: Database) {
    super();
    this.#database = database;
    this.#games = new GameRefs(database);
  }

  override async find(merchantIds: readonly number[], wanted: Wanted, limit: number): Promise<Match[]> {
    const found: Match[] = [];
    for (const some of chunks(merchantIds, MERCHANTS_AT_ONCE))
      found.push(...(await this.#queue.run("search", () => this.#findAmong(some, wanted, limit))));
    return found;
  }

  override async beginningWith(
    merchantIds: readonly number[],
    starts: Readonly<Record<Matched, readonly string[]>>,
    limit: number,
  ): Promise<Beginning[]> {
    const found: Beginning[] = [];
    let ranges: Range[] = MATCHES.flatMap((matched) =>
      starts[matched].flatMap((from) =>
        merchantIds.map((merchantId) => ({ matched, merchantId, from, below: from + LAST })),
      ),
    );
    while (ranges.length > 0 && found.length < limit) {
      const rest: Range[] = [];
      for (const some of chunks(ranges, RANGES_AT_ONCE)) {
        const first = await this.#queue.run("search", () => this.#firstOf(some));
        found.push(...first.map(([{ matched, merchantId }, value]) => ({ matched, merchantId, value })));
        rest.push(...first.map(([range, value]) => ({ ...range, from: value + FIRST })));
        if (found.length >= limit) break;
      }
      ranges = rest;
    }
    return found;
  }

  /** The first value of each range that has one. */
  async #firstOf(ranges: readonly Range[]): Promise<(readonly [Range, string])[]> {
    const { sql } = this.#database.dialect;
    const part = ({ matched }: Range, n: number): string =>
      `SELECT * FROM (SELECT ${n} AS n, ${matched} AS value FROM tx ${sql.byIndex(INDEX_OF[matched])} WHERE merchant_id = ? AND ${matched} >= ? AND ${matched} < ? AND status <> ${STATUS.void} ORDER BY ${matched} LIMIT 1) r${n}`;
    const rows = await selectedRows(this.#database, {
      sql: ranges.map(part).join(" UNION ALL "),
      bindings: ranges.flatMap(({ merchantId, from, below }) => [merchantId, from, below]),
    });
    return rows.map((row) => [ranges[Number(row.n)] as Range, String(row.value)] as const);
  }

  async #findAmong(merchantIds: readonly number[], wanted: Wanted, limit: number): Promise<Match[]> {
    const { sql } = this.#database.dialect;
    const parts = this.#parts(merchantIds, wanted, limit);
    if (parts.length === 0) return [];
    const rows = await selectedRows(this.#database, {
      sql: `SELECT ${listedColumns("o")}, p.matched, ${sql.nowMs} AS read_at
        FROM (${parts.map((part) => part.sql).join(" UNION ALL ")}) p ${sql.joinInOrder} tx o ON o.id = p.id`,
      bindings: parts.flatMap(({ bindings }) => bindings),
    });
    const found = await listed(this.#games, rows);
    return found.map((one, i) => ({ ...one, matched: MATCHES[Number(rows[i]?.matched)] as Match["matched"] }));
  }

  #parts(merchantIds: readonly number[], { txIds, roundId, playerId }: Wanted, limit: number): Statement[] {
    const part = (n: number, match: number, index: TxIndex, condition: string, end: string): string =>
      `SELECT * FROM (SELECT id, ${match} AS matched FROM tx ${this.#database.dialect.sql.byIndex(index)} WHERE ${condition} AND status <> ${STATUS.void}${end}) m${n}`;
    const parts: Statement[] = [];
    if (txIds.length > 0)
      parts.push({
        sql: part(0, 0, "key", `merchant_id IN (${marks(merchantIds)}) AND tx_id IN (${marks(txIds)})`, ""),
        bindings: [...merchantIds, ...txIds],
      });
    for (const [i, id] of merchantIds.entries()) {
      if (roundId !== "") {
        const sql = part(2 * i + 1, 1, "round", "merchant_id = ? AND round_id = ?", " ORDER BY id DESC LIMIT ?");
        parts.push({ sql, bindings: [id, roundId, limit] });
      }
      if (playerId !== "") {
        const end = " ORDER BY created_at DESC, id DESC LIMIT ?";
        const sql = part(2 * i + 2, 2, "player", "merchant_id = ? AND player_id = ?", end);
        parts.push({ sql, bindings: [id, playerId, limit] });
      }
    }
    return parts;
  }
}
