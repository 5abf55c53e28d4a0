import type { Knex } from "knex";

/**
 * The connection pools of a database. Connections are made when they are first needed. 64-bit integers never come back
 * as JavaScript numbers: MySQL gives them as decimal strings, SQLite gives every integer as a bigint. Key columns come
 * back as strings, fixed-size bytes as Buffers.
 */
export interface Connections {
  /** For writes, and for reads that may miss what another node of a cluster acknowledged a moment ago. */
  readonly knex: Knex;
  /** For reads that decide: on a cluster they see every write that was acknowledged on any node. */
  readonly decisive: Knex;
  /** For reads of many rows, which may take long. They never take the connections that bets wait for. */
  readonly selecting: Knex;
  /**
   * For reports: reads of many rows in one snapshot, up to a minute. On a SQLite file, reports have their own connection,
   * so bets continue meanwhile.
   */
  readonly snapshots: Knex;
  /**
   * For snapshots of the nightly audit, which never take the connections that bets wait for. A server ends each read
   * after `selectingLimitMs`.
   */
  readonly auditSnapshots: Knex;
  /** The server ends a read on `selecting` after this time. SQLite has no such limit. */
  readonly selectingLimitMs: number;
  /** A transaction's connection is closed when nothing arrives on it for this time. SQLite's is never closed. */
  readonly silenceMs: number;
  /**
   * Closes every connection. Running statements end first. After `withinMs` (without it: never) their connections are
   * cut, which fails them. SQLite runs each statement to its end before anything else, so there is nothing to cut.
   */
  close(withinMs?: number): Promise<void>;
}

export interface PoolSizes {
  readonly max: number;
  readonly decisiveMax: number;
  /** 4 by default. */
  readonly selectingMax?: number;
  /** 10 s by default. */
  readonly selectingLimitMs?: number;
  /** 15 s by default. */
  readonly silenceMs?: number;
}

export const SELECTING_MAX = 4;
export const SELECTING_LIMIT_MS = 10_000;
/** Longer than a statement of a transaction may take, and longer than this process computes between two of them. */
export const SILENCE_MS = 15_000;

/** Settings of every Knex pool. */
export const POOL_SETTINGS = {
  /** The longest wait for a free connection. Nothing was sent when it passes. */
  acquireConnectionTimeout: 5_000,
  /**
   * An error's message quotes the statement without its values. The values are nonces, players and sealed secrets, and
   * errors are logged.
   */
  compileSqlOnError: false,
  /** Knex prints some errors besides throwing them. */
  log: { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} },
};
