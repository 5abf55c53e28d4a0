import type { Knex } from "knex";
import type { GgrCell, Grouping } from "../../../domain/transaction/report.ts";
import type { DbTime } from "../../../domain/transaction/transaction.ts";
import { StoreUnavailable } from "../../../ports/store-unavailable.ts";
import { type GgrQuery, GgrStore } from "../../../ports/transactions/ggr-store.ts";
import type { Database } from "../connection/database.ts";
import { inTransaction } from "../connection/database-transaction.ts";
import { isTimeout } from "../connection/failure.ts";
import { repeating } from "../connection/retry.ts";
import { type Row, rows, type Statement } from "../connection/statement.ts";
import { type TurnLimits, Turns } from "../connection/turns.ts";
import { actionOf, statusOf } from "../schema/codes.ts";
import { nowMs, textOf } from "../schema/columns.ts";
import { productOf } from "../settings/settings-rows.ts";
import { GameRefs } from "../transactions/game-refs.ts";
import { hourOf, hoursBetween } from "./ggr-hours.ts";
import { readPlayers } from "./ggr-players.ts";
import { cutHours, everything, notYetNumbered, waiting, wholeHours } from "./ggr-statements.ts";
import { Spool } from "./spool.ts";

/** A report that takes longer is given up, and ended at the server. */
const TIMEOUT_MS = 60_000;
const HOUR_MS = 3_600_000;
/**
 * Tens of thousands of players are more than the usual 16 MB of a temporary table, for its rows are as wide as a player_id may be, and on
 * disk it takes five times as long. It stays with the connection, whose other statements make none.
 */
const ROOM_FOR_GROUPS = `SET SESSION tmp_table_size = ${64 * 2 ** 20}, max_heap_table_size = ${64 * 2 ** 20}`;
/** Of the 16 connections that claims and settles use, too. A merchant's third report is refused while two of its own go on. */
const TURNS: TurnLimits = { atOnce: 4, waitingMax: 64, waitMs: 5_000, ofOne: 2 };
const UNKNOWN_SYSTEM_VARIABLE = 1193;
/** A few milliseconds' work. */
const CELLS_AT_ONCE = 2_000;

/**
 * GGR by day, provider or type adds up whole hours from `ggr_hour`, which holds what the sequencer has numbered. What it can't know comes
 * from the rows: hours that a day's beginning cuts, success not yet numbered, and what is pending. By game or player all comes from the rows; by player in pages, for there may be any number of them.
 */
export class SqlGgrStore extends GgrStore {
  readonly #database: Database;
  readonly #games: GameRefs;
  readonly #turns = new Turns(TURNS);

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

  /** All of it is read before any of it is told: a caller that is slow to take it holds neither the snapshot nor its connection. */
  async #byPlayer(query: GgrQuery): Promise<{ asOf: DbTime; cells: AsyncIterable<GgrCell[]> }> {
    const { asOf, found: spool } = await this.#inTurn(query, async (read, db) => {
      const pages = new Spool<StoredCell>();
      try {
        if (this.#database.dialect === "mysql") await limitStatements(db);
        await readPlayers(db, this.#database.dialect, query, read, (rows) => pages.add(rows.map(toStored)));
        return pages;
      } catch (cause) {
        await pages.close();
        throw cause;
      }
    });
    spool.keep();
    return { asOf, cells: spooled(spool) };
  }

  /** Reports wait for their turns. */
  #inTurn<T>({ merchantId }: GgrQuery, use: (read: Read, db: Knex.Transaction) => Promise<T>): Promise<{ asOf: DbTime; found: T }> {
    return this.#turns.take(merchantId, () => this.#inSnapshot(this.#database.snapshots, use));
  }

  /** On the connections of long reads, whose server ends a statement after 10 s: a span that takes longer is folded by halves. */
  override async difference(merchantId: number, from: DbTime, to: DbTime): Promise<string | null> {
    try {
      return await this.#differenceAtOnce(merchantId, from, to);
    } catch (error) {
      const middle = from + Math.floor((to - from) / 2 / HOUR_MS) * HOUR_MS;
      if (middle === from || !(error instanceof StoreUnavailable && isTimeout(error.cause))) throw error;
      const halves = [await this.difference(merchantId, from, middle), await this.difference(merchantId, middle, to)];
      return halves.filter((half) => half !== null).join("; ") || null;
    }
  }

  async #differenceAtOnce(merchantId: number, from: DbTime, to: DbTime): Promise<string | null> {
    const query = { merchantId, bounds: [from, to], groupBy: "provider", provider: null, type: null } as const;
    const rows = everything(this.#database.dialect, query, hoursBetween(query.bounds));
    const { dialect, selecting, snapshots } = this.#database;
    const { found } = await this.#inSnapshot(
      dialect === "mysql" ? selecting : snapshots,
      async (read) => [await this.#found(query, read), await read(rows)] as const,
    );
    const [kept, folded] = [inWords(found[0]), inWords(found[1])];
    return kept === folded ? null : `kept: ${kept}; of the transactions: ${folded}`;
  }

  async #found(query: GgrQuery, read: Read): Promise<Row[]> {
    const { dialect } = this.#database;
    const hours = hoursBetween(query.bounds);
    if (query.groupBy === "game") return read(everything(dialect, query, hours));
    const whole = await read(wholeHours(query, hours));
    const cut = hours.pieces.length > 0 ? await read(cutHours(dialect, query, hours)) : [];
    const unnumbered = await read(notYetNumbered(dialect, query, hours));
    const missing = unnumbered.filter((row) => statusOf(row.status) === "pending" || !hours.cut.has(hourOf(Number(row.begins))));
    return [...whole, ...cut, ...missing, ...(await read(waiting(dialect, query, hours)))];
  }

  /** The first read takes the snapshot, just after it has taken the time: all that was committed before `asOf` is in it. */
  #inSnapshot<T>(knex: Knex, use: (read: Read, db: Knex.Transaction) => Promise<T>): Promise<{ asOf: DbTime; found: T }> {
    const { dialect } = this.#database;
    const run = async (db: Knex.Transaction) => {
      const read: Read = async ({ sql, bindings }) => {
        const result = await db.raw(sql, bindings as never).timeout(TIMEOUT_MS, { cancel: dialect === "mysql" });
        return dialect === "mysql" ? result[0] : result;
      };
      if (dialect === "mysql") await db.raw(ROOM_FOR_GROUPS);
      const [now] = await read({ sql: `SELECT ${nowMs(dialect)} AS now FROM settings_epoch`, bindings: [] });
      return { asOf: Number(now?.now), found: await use(read, db) };
    };
    const isolation = dialect === "mysql" ? ({ isolationLevel: "repeatable read" } as const) : {};
    return repeating(() => inTransaction({ ...this.#database, knex }, run, isolation, 2 * TIMEOUT_MS));
  }

  /** The rows' `k` in words. Codes never change, so they are no part of the snapshot. */
  async #keysOf(groupBy: Grouping, found: readonly Row[]): Promise<(k: unknown) => string> {
    if (groupBy === "day") return () => "";
    if (groupBy === "type") return (k) => productOf(k);
    if (groupBy === "game") {
      await this.#games.load(found.map((row) => Number(row.k)));
      return (k) => {
        const { provider, code } = this.#games.of(Number(k));
        return `${provider}/${code}`;
      };
    }
    const providers = await rows(this.#database, { sql: "SELECT id, code FROM providers", bindings: [] });
    const codes = new Map(providers.map((row) => [Number(row.id), textOf(row.code as string | Buffer)]));
    return (k) => {
      const code = codes.get(Number(k));
      if (code === undefined) throw new Error(`tx.provider_id names no provider: ${k}`);
      return code;
    };
  }
}

type Read = (statement: Statement) => Promise<Row[]>;

/** Sums by provider, status and action as text that is the same for the same sums. */
function inWords(found: readonly Row[]): string {
  const sums = new Map<string, [count: number, minor: bigint]>();
  for (const { k, status, action, n, m } of found) {
    const name = `provider ${k} ${statusOf(status)} ${actionOf(action)}`;
    const [count, minor] = sums.get(name) ?? [0, 0n];
    sums.set(name, [count + Number(n), minor + BigInt(m as string | bigint)]);
  }
  return [...sums]
    .map(([name, [count, minor]]) => `${name} ${count} of ${minor}`)
    .sort()
    .join(", ");
}

/** A cell as JSON keeps it: key, status, action, count, minor units. */
type StoredCell = readonly [key: string, status: number, action: number, count: number, minor: string];

const toStored = ({ k, status, action, n, m }: Row): StoredCell => [textOf(k as string | Buffer), Number(status), Number(action), Number(n), String(m)];

async function* spooled(spool: Spool<StoredCell>): AsyncGenerator<GgrCell[]> {
  for await (const page of spool.read()) {
    yield page.map(([key, status, action, count, minor]) => ({
      ...{ span: 0, key, action: actionOf(action), sum: { count, minor: BigInt(minor) } },
      status: statusOf(status) === "success" ? "success" : "pending",
    }));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Rows that come one by one have no time limit of the driver's. The limit stays with the connection, whose other statements take less. */
async function limitStatements(db: Knex.Transaction): Promise<void> {
  for (const setting of [`max_statement_time = ${TIMEOUT_MS / 1_000}`, `max_execution_time = ${TIMEOUT_MS}`]) {
    await db.raw(`SET SESSION ${setting}`).catch((cause) => {
      // MariaDB knows the one, MySQL and TiDB the other.
      if (cause?.errno !== UNKNOWN_SYSTEM_VARIABLE) throw cause;
    });
  }
}

async function* cellsOf({ bounds }: GgrQuery, found: readonly Row[], keyOf: (k: unknown) => string): AsyncGenerator<GgrCell[]> {
  for (let from = 0; from < found.length; from += CELLS_AT_ONCE) {
    if (from > 0) await new Promise((resolve) => setImmediate(resolve));
    yield found.slice(from, from + CELLS_AT_ONCE).map((row) => ({
      span: spanOf(bounds, Number(row.begins)),
      key: keyOf(row.k),
      status: statusOf(row.status) === "success" ? "success" : "pending",
      action: actionOf(row.action),
      sum: { count: Number(row.n), minor: BigInt(row.m as string | bigint) },
    }));
  }
}

/** The index of the bound that begins the span of this moment. */
function spanOf(bounds: readonly DbTime[], at: DbTime): number {
  let [low, high] = [0, bounds.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((bounds[middle] ?? at) <= at) low = middle;
    else high = middle;
  }
  return low;
}
