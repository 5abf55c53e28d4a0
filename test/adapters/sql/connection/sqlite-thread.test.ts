import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { rows, write } from "../../../../src/adapters/sql/connection/execute.ts";
import { failureOf } from "../../../../src/adapters/sql/connection/failure.ts";
import type { SqliteThread } from "../../../../src/adapters/sql/dialects/sqlite/thread.ts";
import { StoreUnavailable } from "../../../../src/ports/store-unavailable.ts";

function openFile(t: ExecutionContext) {
  const folder = mkdtempSync(join(tmpdir(), "sqlite-"));
  const database = openDatabase(`sqlite:${join(folder, "file.db")}`);
  t.teardown(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });
  return database;
}

/** Counts to 3 million, which takes a good part of a second. */
const LONG = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT MAX(i) AS last FROM n`;

for (const pool of ["knex", "snapshots"] as const)
  test(`${pool}: this thread goes on while SQLite runs a statement`, async (t) => {
    const database = openFile(t);
    await database.knex.raw("SELECT 1");
    let turns = 0;
    const turn = setInterval(() => turns++, 1);
    t.deepEqual(await database[pool].raw(LONG), [{ last: 3_000_000n }]);
    clearInterval(turn);
    t.true(turns > 3, `${turns} turns of the event loop`);
  });

test("integers keep all their bits, and bytes are Buffers", async (t) => {
  const database = openFile(t);
  const read = { big: 9_007_199_254_740_993n, bytes: Buffer.from([0, 255]), none: null, text: "é" };
  const sql = "SELECT ? AS big, ? AS bytes, ? AS none, ? AS text";
  t.deepEqual(await rows(database, { sql, bindings: Object.values(read) }), [read]);
  t.deepEqual(await database.knex.raw(sql, Object.values(read) as never[]), [read]);
});

test("an error has SQLite's message and code", async (t) => {
  const database = openFile(t);
  await database.knex.raw("CREATE TABLE one (id INTEGER PRIMARY KEY)");
  t.is((await write(database, { sql: "INSERT INTO one VALUES (?)", bindings: [1] })).affected, 1);
  const again = await t.throwsAsync(write(database, { sql: "INSERT INTO one VALUES (?)", bindings: [1] }));
  t.is(again?.message, "UNIQUE constraint failed: one.id");
  t.true(database.dialect.failures.isDuplicateKey(again));
  const readOnly = await t.throwsAsync(database.snapshots.raw("DELETE FROM one"));
  t.is(failureOf(database.dialect, readOnly), "unavailable");
});

test("if the file's folder does not exist, the error says so", async (t) => {
  const database = openDatabase(`sqlite:${join(tmpdir(), "no-such-folder", "file.db")}`);
  const error = await t.throwsAsync(rows(database, { sql: "SELECT 1", bindings: [] }), {
    instanceOf: StoreUnavailable,
  });
  t.regex(String(error?.cause), /directory does not exist/);
  await t.throwsAsync(database.knex.raw("SELECT 1"), { message: /directory does not exist/ });
  await database.close();
});

test("if a connection's thread ends, its statement counts as lost, and the next statement has a new connection", async (t) => {
  const database = openFile(t);
  const connection: SqliteThread = await database.knex.client.acquireConnection();
  const closed = connection.close();
  const late = await t.throwsAsync(connection.run("SELECT 1", []));
  t.is(failureOf(database.dialect, late), "lost");
  await closed;
  t.true(connection.hasEnded);
  await database.knex.client.releaseConnection(connection);
  t.deepEqual(await rows(database, { sql: "SELECT 1 AS one", bindings: [] }), [{ one: 1n }]);
});
