import type { Knex } from "knex";
import type { GroupingName } from "../../../../contract/values/groupings.ts";
import type { GgrCell } from "../../../domain/transaction/report.ts";
import type { Action, DbTime } from "../../../domain/transaction/transaction.ts";
import { StoreUnavailable } from "../../../ports/store-unavailable.ts";
import { type GgrDifference, type GgrQuery, GgrStore } from "../../../ports/transactions/ggr-store.ts";
import type { Database } from "../connection/database.ts";
import { readTime } from "../connection/database-time.ts";
import { inTransaction } from "../connection/database-transaction.ts";
import { rows } from "../connection/execute.ts";
import { FairQueue, type QueueLimits } from "../connection/fair-queue.ts";
import { insertRows } from "../connection/insert-rows.ts";
import { repeating } from "../connection/retry.ts";
import { integer, type Row } from "../connection/statement.ts";
import type { Read } from "../dialects/dialect.ts";
import { actionOf, kindOf, statusOf } from "../schema/codes.ts";
import { numberOrNull, textOf } from "../schema/columns.ts";
import { productOf } from "../settings/settings-rows.ts";
import { GameRefs } from "../transactions/game-refs.ts";
import { GAME_SUM_KEY, incompleteDays, readByGame, readDay } from "./game-sums.ts";
import { hourOf, hoursBetween } from "./ggr-hours.ts";
import { allRows, cutHours, numberedPending, unnumbered, wholeHours } from "./ggr-statements.ts";
import { isOfKind, readKinds, withKinds } from "./kind-sums.ts";
import { Spool } from "./spool.ts";

/** The time limit of a statement of a report. A statement that takes longer is ended at the server. */
const TIMEOUT_MS = 60_000;
const HOUR_MS = 3_600_000;
/**
 * Reports of one merchant use at most 4 of the 16 connections that claims and settles use. A merchant's third report is
 * refused while two of its reports run or wait.
 */
const QUEUE_LIMITS: QueueLimits = { runningMax: 4, waitingMax: 64, waitMs: 5_000, perCaller: 2 };
/** Reports of several merchants read more rows, so at most 2 run at once. Only internal teams read them, so all may wait. */
const SEVERAL_LIMITS: QueueLimits = { runningMax: 2, waitingMax: 16, waitMs: 5_000, perCaller: 18 };
/** The number of cells in one page: a few milliseconds of work. */
const CELLS_PER_PAGE = 2_000;

/**
 * GGR by day, provider or type adds up whole hours from `ggr_hour`, which has the sums of the rows that the sequencer
 * has numbered. The rest is read from the rows of `tx`: hours in which a day begins, successful rows without a number,
 * and pending rows. The sums by kind are a part of these sums (kind-sums.ts). GGR by game adds up whole days in the same way (game-sums.ts). GGR by player is read only from the
 * rows. There may be any number of players, so they are read in pages.
 */
export class SqlGgrStore extends GgrStore {
  readonly #database: Database;
  readonly #games: GameRefs;
  readonly #queue = new FairQueue(QUEUE_LIMITS);
  readonly #severalQueue = new FairQueue(SEVERAL_LIMITS);

  constructor(database: Database) {
    super();
    this.#database = database;
    this.#games = new GameRefs(database);
  }

  override async read(query: GgrQuery): Promise<{ asOf: DbTime; cells: AsyncIterable<GgrCell[]> }> {
    if (query.groupBy === "player") return this.#byPlayer(query);
    const { asOf, found } = await this.#inTurn(query, (read) => this.#found(query, read));
    return { asOf, cells: cellsOf(query, found, await this.#keysOf(query.groupBy, found)) };
  }

  /**
   * Reads all cells before the first one is returned. So a slow caller occupies neither the snapshot nor its
   * connection.
   */
  async #byPlayer(query: GgrQuery): Promise<{ asOf: DbTime; cells: AsyncIterable<GgrCell[]> }> {
    const { asOf, found: spool } = await this.#inTurn(query, async (read, db) => {
      const pages = new Spool<StoredCell>();
      try {
        await this.#database.dialect.readPlayers(
          db,
          query,
          read,
          (rows) => pages.add(withKinds(rows).map(toStored)),
          TIMEOUT_MS,
        );
        return pages;
      } catch (cause) {
        await pages.close();
        throw cause;
      }
    });
    spool.keep();
    return { asOf, cells: spooled(spool) };
  }

  #inTurn<T>(
    { merchantIds }: GgrQuery,
    use: (read: Read, db: Knex.Transaction) => Promise<T>,
  ): Promise<{ asOf: DbTime; found: T }> {
    const queue = merchantIds.length > 1 ? this.#severalQueue : this.#queue;
    return queue.run(merchantIds.join(), () => this.#inSnapshot(this.#database.snapshots, use));
  }

  /**
   * The server ends a statement on these connections after 10 s. If the comparison of a time span takes longer, each
   * half of the span is compared separately.
   */
  override async difference(merchantId: number, from: DbTime, to: DbTime): Promise<GgrDifference | null> {
    try {
      return await this.#differenceAtOnce(merchantId, from, to);
    } catch (error) {
      const middle = from + Math.floor((to - from) / 2 / HOUR_MS) * HOUR_MS;
      if (
        middle === from ||
        !(error instanceof StoreUnavailable && this.#database.dialect.failures.isTimeout(error.cause))
      )
        throw error;
      return both(await this.difference(merchantId, from, middle), await this.difference(merchantId, middle, to));
    }
  }

  async #differenceAtOnce(merchantId: number, from: DbTime, to: DbTime): Promise<GgrDifference | null> {
    const about = { merchantIds: [merchantId], bounds: [from, to], provider: null, type: null } as const;
    const { dialect, auditSnapshots } = this.#database;
    const byGame = { ...about, groupBy: "game" } as const;
    const { found } = await this.#inSnapshot(auditSnapshots, async (read) => ({
      hours: await this.#found({ ...about, groupBy: "provider" }, read),
      games: await this.#found(byGame, read),
      rows: withKinds(await read(allRows(dialect.sql, byGame, hoursBetween(byGame.bounds), true))),
    }));
    await this.#games.load(found.rows.map(({ k }) => Number(k)));
    const rowsByProvider = found.rows.map((row) => ({ ...row, k: this.#games.of(Number(row.k)).providerId }));
    const byHour = differenceOf("provider", found.hours, rowsByProvider);
    const gameSums = differenceOf("game", found.games, found.rows);
    // Both may have the same fault. Most reports use the sums by hour.
    return byHour === null ? gameSums : both(byHour, gameSums && { ...gameSums, ggrMinor: 0n });
  }

  override async incompleteDays(merchantId: number, before: DbTime): Promise<DbTime[]> {
    const { auditSnapshots } = this.#database;
    const { found } = await this.#inSnapshot(auditSnapshots, (read) => incompleteDays(merchantId, before, read));
    return found;
  }

  /** Rows that are written by several statements are one transaction, because a transaction has a time limit. */
  override async sumGames(merchantId: number, day: DbTime): Promise<void> {
    const { dialect, auditSnapshots } = this.#database;
    const { found } = await this.#inSnapshot(auditSnapshots, (read) => readDay(dialect.sql, merchantId, day, read));
    const rows = found.map((sum) => [merchantId, day, ...sum]);
    const columns = [...GAME_SUM_KEY, "tx_count", "sum_minor"];
    const added = { table: "ggr_game", columns, rows, key: GAME_SUM_KEY };
    await repeating(dialect, () => inTransaction(this.#database, (db) => insertRows(db, dialect, added)));
  }

  async #found(query: GgrQuery, read: Read): Promise<readonly Row[]> {
    const { sql } = this.#database.dialect;
    const hours = hoursBetween(query.bounds);
    if (query.groupBy === "game") return readByGame(sql, query, read);
    const whole = await read(wholeHours(query, hours, "ggr_hour"));
    const kinds = await readKinds(sql, query, hours, read);
    const cut = hours.pieces.length > 0 ? withKinds(await read(cutHours(sql, query, hours))) : [];
    const withoutNumber = withKinds(await read(unnumbered(sql, query, hours)));
    const missing = withoutNumber.filter(
      (row) => statusOf(row.status) === "pending" || !hours.cut.has(hourOf(Number(row.begins))),
    );
    return [...whole, ...kinds, ...cut, ...missing, ...(await read(numberedPending(sql, query, hours)))];
  }

  /**
   * The first read takes the snapshot just after it has read the time. So the snapshot contains everything that was
   * committed before `asOf`.
   */
  #inSnapshot<T>(
    knex: Knex,
    use: (read: Read, db: Knex.Transaction) => Promise<T>,
  ): Promise<{ asOf: DbTime; found: T }> {
    const { dialect } = this.#database;
    const { config, cancellable } = dialect.snapshot;
    const run = async (db: Knex.Transaction) => {
      const read: Read = async ({ sql, bindings }) =>
        dialect.rowsOf(await db.raw(sql, bindings as never).timeout(TIMEOUT_MS, { cancel: cancellable }));
      const [now] = await read(readTime(dialect.sql));
      return { asOf: Number(now?.now_ms), found: await use(read, db) };
    };
    return repeating(dialect, () => inTransaction({ dialect, knex, silenceMs: 2 * TIMEOUT_MS }, run, config));
  }

  /** Finds the codes for the column `k` of the rows. Codes never change, so they are read outside of the snapshot. */
  async #keysOf(groupBy: GroupingName, found: readonly Row[]): Promise<(k: unknown) => string> {
    if (groupBy === "day") return () => "";
    if (groupBy === "type") return (k) => productOf(k);
    if (groupBy === "game") {
      await this.#games.load(found.map((row) => Number(row.k)));
      return (k) => {
        const { provider, code } = this.#games.of(Number(k));
        return `${provider}/${code}`;
      };
    }
    const table = groupBy === "merchant" ? "merchants" : "providers";
    const named = await rows(this.#database, { sql: `SELECT id, code FROM ${table}`, bindings: [] });
    const codes = new Map(named.map((row) => [Number(row.id), textOf(row.code)]));
    return (k) => {
      const code = codes.get(Number(k));
      if (code === undefined) throw new Error(`a sum's id is not in the table ${table}: ${k}`);
      return code;
    };
  }
}

/** The maximum of sums in the text of a difference. */
const NAMED_MAX = 20;

/** How the sums differ; null: all are equal. */
function differenceOf(group: "provider" | "game", kept: readonly Row[], rows: readonly Row[]): GgrDifference | null {
  const [keptSums, rowSums] = [sumsOf(group, kept), sumsOf(group, rows)];
  const names = [...new Set([...keptSums.keys(), ...rowSums.keys()])];
  const differing = names.filter((name) => keptSums.get(name) !== rowSums.get(name)).sort();
  if (differing.length === 0) return null;
  const named = differing.slice(0, NAMED_MAX);
  const text = (sums: ReadonlyMap<string, string>): string =>
    named.map((name) => `${name} ${sums.get(name) ?? "0 of 0"}`).join(", ");
  return {
    text: `kept: ${text(keptSums)}; of the transactions: ${text(rowSums)}`,
    ggrMinor: ggrOf(kept) - ggrOf(rows),
  };
}

/** Two differences together. */
const both = (one: GgrDifference | null, other: GgrDifference | null): GgrDifference | null =>
  one === null || other === null
    ? (one ?? other)
    : { text: `${one.text}; ${other.text}`, ggrMinor: one.ggrMinor + other.ggrMinor };

/** What each action adds to the GGR. */
const GGR_SIGN: Readonly<Record<Action, bigint>> = { bet: 1n, refund: -1n, win: -1n, rollback: 1n };

const ggrOf = (found: readonly Row[]): bigint =>
  found
    .filter((row) => statusOf(row.status) === "success" && !isOfKind(row))
    .reduce((sum, { action, m }) => sum + GGR_SIGN[actionOf(action)] * integer(m), 0n);

/** The sums by group, status, action and kind: count and minor units as a text. */
function sumsOf(group: string, found: readonly Row[]): Map<string, string> {
  const sums = new Map<string, [count: number, minor: bigint]>();
  for (const { k, status, action, kind, n, m } of found) {
    const name = [group, k, statusOf(status), actionOf(action), kindOf(kind ?? null) ?? []].flat().join(" ");
    const [count, minor] = sums.get(name) ?? [0, 0n];
    sums.set(name, [count + Number(n), minor + integer(m)]);
  }
  return new Map([...sums].map(([name, [count, minor]]) => [name, `${count} of ${minor}`]));
}

/** A cell in the form that JSON can hold: key, status, action, count, minor units, kind. */
type StoredCell = readonly [
  key: string,
  status: number,
  action: number,
  count: number,
  minor: string,
  kind: number | null,
];

const toStored = ({ k, status, action, kind, n, m }: Row): StoredCell => [
  textOf(k),
  Number(status),
  Number(action),
  Number(n),
  String(m),
  numberOrNull(kind),
];

async function* spooled(spool: Spool<StoredCell>): AsyncGenerator<GgrCell[]> {
  for await (const page of spool.read()) {
    yield page.map(([key, status, action, count, minor, kind]) => ({
      span: 0,
      key,
      status: statusOf(status) === "success" ? "success" : "pending",
      action: actionOf(action),
      kind: kindOf(kind),
      sum: { count, minor: BigInt(minor) },
    }));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function* cellsOf(
  { bounds }: GgrQuery,
  found: readonly Row[],
  keyOf: (k: unknown) => string,
): AsyncGenerator<GgrCell[]> {
  for (let from = 0; from < found.length; from += CELLS_PER_PAGE) {
    if (from > 0) await new Promise((resolve) => setImmediate(resolve));
    yield found.slice(from, from + CELLS_PER_PAGE).map((row) => ({
      span: spanOf(bounds, Number(row.begins)),
      key: keyOf(row.k),
      status: statusOf(row.status) === "success" ? "success" : "pending",
      action: actionOf(row.action),
      kind: kindOf(row.kind ?? null),
      sum: { count: Number(row.n), minor: integer(row.m) },
    }));
  }
}

/** The index of the bound at which the span of this moment begins. */
function spanOf(bounds: readonly DbTime[], at: DbTime): number {
  let [low, high] = [0, bounds.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((bounds[middle] ?? at) <= at) low = middle;
    else high = middle;
  }
  return low;
}
