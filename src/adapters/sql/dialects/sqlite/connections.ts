import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import type { Knex } from "knex";
import knex from "knex";
import {
  type Connections,
  POOL_SETTINGS,
  SELECTING_LIMIT_MS,
  SELECTING_MAX,
  SILENCE_MS,
} from "../../connection/connections.ts";

export const URL_PREFIX = "sqlite:";

/** The part of better-sqlite3's connection that is used here. */
export interface SqliteConnection {
  pragma(setting: string): unknown;
}

export function openSqlite(url: string): Connections {
  const filename = url.slice(URL_PREFIX.length);
  if (filename === "") throw new Error("DATABASE_URL must name a file: sqlite:<file>");
  if (filename !== ":memory:") restrictToOwner(filename);
  const only = knex({
    ...POOL_SETTINGS,
    client: "better-sqlite3",
    connection: { filename, options: { safeIntegers: true } },
    useNullAsDefault: true,
    pool: {
      // There is one connection: statements run one after the other anyway, and an in-memory database lives only as
      // long as its connection.
      min: 1,
      max: 1,
      afterCreate: (raw: SqliteConnection, done: (error: Error | null) => void) => {
        // FULL is set because this build of SQLite opens a file in WAL mode with NORMAL. Then a power cut could lose an
        // acknowledged claim.
        for (const setting of ["journal_mode = WAL", "synchronous = FULL", "busy_timeout = 5000", "foreign_keys = ON"])
          raw.pragma(setting);
        done(null);
      },
    },
  });
  const snapshots = filename === ":memory:" ? only : openSnapshots(filename);
  return {
    knex: only,
    decisive: only,
    selecting: only,
    snapshots,
    auditSnapshots: snapshots,
    selectingLimitMs: SELECTING_LIMIT_MS,
    silenceMs: SILENCE_MS,
    close: async () => {
      await snapshots.destroy();
      await only.destroy();
    },
  };
}

/** In WAL mode readers and the writer don't wait for each other. */
const openSnapshots = (filename: string): Knex =>
  knex({
    ...POOL_SETTINGS,
    client: "better-sqlite3",
    connection: { filename, options: { safeIntegers: true, readonly: true } },
    useNullAsDefault: true,
    pool: { min: 0, max: SELECTING_MAX },
  });

const OWNER_ONLY = 0o600;

/**
 * Makes the file readable only for the database's owner, because it contains players and amounts. With the usual umask
 * SQLite would make the file readable for everybody. SQLite gives its -wal and -shm files the rights of the database
 * file. A file from an earlier release gets the new rights, too.
 */
function restrictToOwner(filename: string): void {
  try {
    closeSync(openSync(filename, "a", OWNER_ONLY));
    for (const file of [filename, `${filename}-wal`, `${filename}-shm`])
      if (existsSync(file)) chmodSync(file, OWNER_ONLY);
  } catch {
    // The file belongs to another user or can't be created. If that is a problem, SQLite reports it when it opens the
    // file.
  }
}
