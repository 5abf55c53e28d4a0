import type { Knex } from "knex";

/**
 * The connection pools of a database. A connection is opened when it is first needed. 64-bit integers never arrive as
 * JavaScript numbers: MySQL returns them as decimal strings, SQLite returns every integer as a bigint. Key columns
 * arrive as strings, bytes of a fixed size as Buffers.
 */
export interface Connections {
  /** For writes, and for reads that may miss a write that another node of a cluster acknowledged a moment ago. */
  readonly knex: Knex;
  /**
   * For the statements that recur, above all claims and settles. It has few connections, because a server prepares a
   * text again for each connection. On the connections of all writes, four in ten of these statements were prepared
   * again when 256 bets were in progress.
   */
  readonly recurring: Knex;
  /** For reads on which a decision depends. On a cluster they see every write that any node has acknowledged. */
  readonly decisive: Knex;
  /** For reads of many rows, which may take long. They never use the connections that bets wait for. */
  readonly selecting: Knex;
  /**
   * For reports: reads of many rows in one snapshot, up to a minute. On a SQLite file, reports have their own connection,
   * so bets continue meanwhile.
   */
  readonly snapshots: Knex;
  /**
   * For the snapshots of the nightly comparison of sums. They never use the connections that bets wait for. A server
   * ends each read after `selectingLimitMs`.
   */
  readonly auditSnapshots: Knex;
  /** The server ends a read on `selecting` after this time. SQLite has no such limit. */
  readonly selectingLimitMs: number;
  /**
   * The connection of a transaction is closed when nothing arrives on it for this time. SQLite's connection is never
   * closed.
   */
  readonly silenceMs: number;
  /**
   * Closes every connection. Running statements end first. After `withinMs` their connections are closed, and the
   * statements fail. Without `withinMs` they have no time limit. SQLite runs each statement to its end before anything
   * else, so none is interrupted.
   */
  close(withinMs?: number): Promise<void>;
}

export interface PoolSizes {
  /** The number of connections for writes. */
  readonly max: number;
  /** The number of further connections for statements that recur; 4 by default. */
  readonly recurringMax?: number;
  readonly decisiveMax: number;
  /** The number of connections for reads of many rows; 4 by default. */
  readonly selectingMax?: number;
  /** See {@link Connections.selectingLimitMs}; 10 s by default. */
  readonly selectingLimitMs?: number;
  /** See {@link Connections.silenceMs}; 15 s by default. */
  readonly silenceMs?: number;
}

export const RECURRING_MAX = 4;
export const SELECTING_MAX = 4;
export const SELECTING_LIMIT_MS = 10_000;
/**
 * The default of {@link Connections.silenceMs}. It is longer than a statement of a transaction may take, and longer
 * than this process computes between two statements.
 */
export const SILENCE_MS = 15_000;

/** Settings of every Knex pool. */
export const POOL_SETTINGS = {
  /** The longest wait for a free connection, in ms. When this time has passed, nothing was sent. */
  acquireConnectionTimeout: 5_000,
  /**
   * With `false`, an error's message contains the statement without its values. The values are nonces, players and
   * sealed secrets, and errors are logged.
   */
  compileSqlOnError: false,
  /** No Knex logging, because Knex would print some errors that it also throws. */
  log: { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} },
};
