import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import test from "node:test";
import { promisify } from "node:util";
import { createPool } from "mysql2/promise";
import { MemoryStorage } from "../src/index.ts";
import {
  mysql,
  type PgPool,
  postgresql,
  type SqlDatabase,
  type SqliteHandle,
  SqlStorage,
  sqlite,
} from "../src/sql/index.ts";
import { type Open, PLAYERS, testIsolation, testStorage } from "./storage-contract.ts";

async function filled(database: SqlDatabase): Promise<SqlStorage> {
  const storage = new SqlStorage(database);
  await storage.createTables();
  for (const { merchant, id, ...player } of PLAYERS) await storage.addPlayer(merchant, id, player);
  return storage;
}

testStorage("memory", async () => {
  const storage = new MemoryStorage();
  for (const { merchant, id, ...player } of PLAYERS) storage.setPlayer(merchant, id, player);
  return { storage, close: () => {} };
});

testStorage("node:sqlite", async () => {
  const handle = new DatabaseSync(":memory:");
  return { storage: await filled(sqlite(handle)), close: () => handle.close() };
});

type Database = SqliteHandle & { close(): void };
// better-sqlite3 has no types of its own.
const BetterSqlite = createRequire(import.meta.url)("better-sqlite3") as new (file: string) => Database;

testStorage("better-sqlite3", async () => {
  const handle = new BetterSqlite(":memory:");
  return { storage: await filled(sqlite(handle)), close: () => handle.close() };
});

// An empty database of MySQL or MariaDB; the project's tests start one.
const { MYSQL_URL } = process.env;
const noMysql = MYSQL_URL === undefined ? "MYSQL_URL names no database" : false;
const openMysql: Open = async () => {
  const pool = createPool({ uri: MYSQL_URL ?? "", connectionLimit: 20 });
  for (const table of ["wallet_entries", "wallet_players"]) await pool.query(`DROP TABLE IF EXISTS ${table}`);
  return { storage: await filled(mysql(pool)), close: () => pool.end() };
};
testStorage("mysql2", openMysql, noMysql);
testIsolation("mysql2", openMysql, noMysql);

test("mysql2: a row that changed since the snapshot is a conflict", { skip: noMysql }, async () => {
  const pool = createPool({ uri: MYSQL_URL ?? "" });
  try {
    // MariaDB raises 1020 with the setting innodb_snapshot_isolation.
    const raised = pool.query("SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1020");
    await assert.rejects(raised, (cause) => mysql(pool).isConflict(cause));
    await assert.rejects(pool.query("SELECT 1 FROM nowhere"), (cause) => !mysql(pool).isConflict(cause));
  } finally {
    await pool.end();
  }
});

// An empty database of PostgreSQL; the project's tests start one if it is installed.
const { POSTGRESQL_URL } = process.env;
const noPostgresql = POSTGRESQL_URL === undefined ? "POSTGRESQL_URL names no database" : false;
type Pool = PgPool & { query(sql: string): Promise<unknown>; end(): Promise<void> };
// pg has no types of its own.
const pg = createRequire(import.meta.url)("pg") as { Pool: new (options: object) => Pool };
const openPostgresql: Open = async () => {
  const pool = new pg.Pool({ connectionString: POSTGRESQL_URL, max: 20 });
  await pool.query("DROP TABLE IF EXISTS wallet_entries, wallet_players");
  return { storage: await filled(postgresql(pool)), close: () => pool.end() };
};
testStorage("pg", openPostgresql, noPostgresql);
testIsolation("pg", openPostgresql, noPostgresql);

test("SQLite: a failing rollback does not hide the first error", async (t) => {
  const handle = new DatabaseSync(":memory:");
  t.after(() => handle.close());
  const failing = sqlite(handle).transaction(async (query) => {
    await query("ROLLBACK");
    throw new Error("the disk is full");
  });
  await assert.rejects(failing, /the disk is full/);
});

test("two processes with one SQLite file share its balance", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "kit-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "wallet.db");
  const handle = new DatabaseSync(file);
  t.after(() => handle.close());
  await filled(sqlite(handle));
  const script = new URL("sqlite-process.ts", import.meta.url).pathname;
  const run = promisify(execFile);
  const ended = await Promise.all(["a", "b"].map((name) => run(process.execPath, [script, file, name])));
  const applied = ended.map(({ stdout }) => Number(stdout));
  assert.equal(
    applied.reduce((sum, count) => sum + count, 0),
    30,
  );
});
