import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import type { Knex } from "knex";
import knex from "knex";
import { readSqliteUrl } from "../../../../domain/access/database-url.ts";
import {
  type Connections,
  POOL_SETTINGS,
  SELECTING_LIMIT_MS,
  SELECTING_MAX,
  SILENCE_MS,
} from "../../connection/connections.ts";
import { ThreadedClient } from "./client.ts";
import type { SqliteConnection } from "./compiled.ts";
import { FILE_SETTINGS, MEMORY_SETTINGS, prepareConnection } from "./session.ts";
import type { ThreadOptions } from "./thread.ts";

export function openSqlite(url: string): Connections {
  const filename = readSqliteUrl(url);
  const { knex: only, snapshots } = filename === ":memory:" ? openMemory() : openFile(filename);
  return {
    knex: only,
    recurring: only,
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

type Pools = Pick<Connections, "knex" | "snapshots">;

/** There is one connection for bets, because SQLite runs only one writing statement at a time. */
const ONE = { min: 1, max: 1 };

/** In WAL mode readers and the writer don't wait for each other. */
function openFile(filename: string): Pools {
  restrictToOwner(filename);
  const open = (connection: Omit<ThreadOptions, "filename">, pool: Knex.PoolConfig): Knex =>
    knex({
      ...POOL_SETTINGS,
      client: ThreadedClient as unknown as typeof Knex.Client,
      connection: { filename, ...connection } as unknown as Knex.StaticConnectionConfig,
      useNullAsDefault: true,
      pool,
    });
  return {
    knex: open({ readonly: false, settings: FILE_SETTINGS }, ONE),
    snapshots: open({ readonly: true, settings: [] }, { min: 0, max: SELECTING_MAX }),
  };
}

/**
 * A database in memory lives as long as its only connection. It runs in this thread, because its statements never wait
 * for a disk.
 */
function openMemory(): Pools {
  const only = knex({
    ...POOL_SETTINGS,
    client: "better-sqlite3",
    connection: { filename: ":memory:", options: { safeIntegers: true } },
    useNullAsDefault: true,
    pool: {
      ...ONE,
      afterCreate: (raw: SqliteConnection, done: (error: Error | null) => void) => {
        prepareConnection(raw, MEMORY_SETTINGS);
        done(null);
      },
    },
  });
  return { knex: only, snapshots: only };
}

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
