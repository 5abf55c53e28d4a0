import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { FILE_SETTINGS, prepareConnection } from "../../../../src/adapters/sql/dialects/sqlite/session.ts";

test("on a SQLite file, writes go on while a report is read, and the report keeps its snapshot", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "sqlite-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const database = openDatabase(`sqlite:${join(folder, "a.db")}`);
  t.teardown(() => database.close());
  await database.knex.raw("CREATE TABLE bets (id INTEGER PRIMARY KEY)");
  const write = () => database.knex("bets").insert({});
  await write();
  await database.snapshots.transaction(async (report) => {
    const count = () => report("bets").count("* AS n").first();
    t.deepEqual(await count(), { n: 1n });
    await write();
    t.deepEqual(await count(), { n: 1n });
  });
  t.deepEqual(await database.snapshots("bets").count("* AS n").first(), { n: 2n });
});

test("SQLite: each connection sets its pragmas and reads them back; without WAL the file is refused by name and remedy", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "sqlite-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  for (const url of [`sqlite:${join(folder, "a.db")}`, "sqlite::memory:"]) {
    const database = openDatabase(url);
    const pragma = async (name: string) => Object.values((await database.knex.raw(`PRAGMA ${name}`))[0])[0];
    t.is(await pragma("synchronous"), 2n);
    t.is(await pragma("foreign_keys"), 1n);
    t.is(await pragma("journal_mode"), url.includes("memory") ? "memory" : "wal");
    await database.close();
  }
  // SQLite does not report that a database in memory has no WAL.
  const Sqlite = createRequire(import.meta.url)("better-sqlite3");
  t.throws(() => prepareConnection(new Sqlite(":memory:"), FILE_SETTINGS), {
    message: /^SQLite has journal_mode = memory, but it must be WAL\. Use a file on a local disk/,
  });
});
