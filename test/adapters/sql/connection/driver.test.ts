import test from "ava";
import { openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { byDriver } from "../../../../src/adapters/sql/connection/driver.ts";
import { selectedRows, write } from "../../../../src/adapters/sql/connection/execute.ts";
import { failureOf } from "../../../../src/adapters/sql/connection/failure.ts";
import { mysql } from "../../../../src/adapters/sql/dialects/mysql/dialect.ts";
import { sqlite } from "../../../../src/adapters/sql/dialects/sqlite/dialect.ts";
import { StoreUnavailable } from "../../../../src/ports/store-unavailable.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { startDatabaseServer } from "../../../../testbed/database/server.ts";

test(`${PRODUCT.name}: a statement without an answer in time counts as a lost connection, and the pool opens another connection`, async (t) => {
  const server = await startDatabaseServer();
  const database = openDatabase(await server.createDatabase(), { max: 1, decisiveMax: 1 });
  t.teardown(async () => {
    await database.close();
    await server.stop();
  });
  const idOf = async () =>
    (await byDriver(database.knex, mysql, { sql: "SELECT CONNECTION_ID() AS id", bindings: [] })).rows[0]?.id;
  const first = await idOf();
  t.is(await idOf(), first);

  const error = await t.throwsAsync(byDriver(database.knex, mysql, { sql: "SELECT SLEEP(?)", bindings: [30] }));
  t.is(failureOf(mysql, error), "lost");
  const second = await idOf();
  t.not(second, first);
});

test(`${PRODUCT.name}: if a read of many rows takes too long, the server or the service ends it, and it is not repeated`, async (t) => {
  const server = await startDatabaseServer();
  const database = openDatabase(await server.createDatabase(), {
    max: 1,
    decisiveMax: 1,
    selectingMax: 1,
    selectingLimitMs: 300,
  });
  t.teardown(async () => {
    await database.close();
    await server.stop();
  });
  const { asleep: sql, variable, counter } = PRODUCT.statementLimit;
  const asleep = { sql, bindings: [30] };
  const select = (sql: string) => selectedRows(database, { sql, bindings: [] });
  const atServer = async () =>
    (
      await byDriver(database.knex, mysql, {
        sql: "SELECT id FROM information_schema.processlist WHERE info = ?",
        bindings: [sql.replace("?", "30")],
      })
    ).rows.length;

  await t.throwsAsync(selectedRows(database, asleep), { instanceOf: StoreUnavailable });
  t.is(await atServer(), 0);
  t.is(Number((await select(`SHOW SESSION STATUS LIKE '${counter}'`))[0]?.Value), 1);

  await byDriver(database.selecting, mysql, { sql: `SET SESSION ${variable} = 0`, bindings: [] });
  await t.throwsAsync(selectedRows(database, asleep), { instanceOf: StoreUnavailable });
  t.is(await atServer(), 1, "a server without limits goes on");
});

test(`${PRODUCT.name}: a recurring statement is prepared once, reads integers exactly, and runs as text if the server has no room for it`, async (t) => {
  const server = await startDatabaseServer();
  const database = openDatabase(await server.createDatabase(), { max: 1, decisiveMax: 1 });
  t.teardown(async () => {
    await database.close();
    await server.stop();
  });
  const run = (sql: string, bindings: readonly (string | number | bigint | Buffer | null)[] = [], recurs = false) =>
    byDriver(database.knex, mysql, { sql, bindings, recurs });
  const prepares = async () => Number((await run("SHOW STATUS LIKE 'Com_stmt_prepare'")).rows[0]?.Value);
  await run("CREATE TABLE t (a BIGINT, b VARBINARY(16), c BINARY(2))");
  const insert = "INSERT INTO t VALUES (?, ?, ?)";
  t.is((await run(insert, [9_007_199_254_740_993n, "ação", Buffer.from("00ff", "hex")], true)).affected, 1);
  t.is((await run(insert, [1_795_269_341_282, null, null], true)).affected, 1);
  t.is(await prepares(), 1);
  t.is(failureOf(mysql, await t.throwsAsync(run(insert, ["x", null, null], true))), "content");

  await run("SET GLOBAL max_prepared_stmt_count = 0");
  t.is((await run("INSERT INTO t (a) VALUES (?)", [7], true)).affected, 1);
  t.deepEqual(
    (await run("SELECT * FROM t ORDER BY a")).rows.map(({ a, b, c }) => [a, b, c]),
    [
      ["7", null, null],
      ["1795269341282", null, null],
      ["9007199254740993", "ação", Buffer.from("00ff", "hex")],
    ],
  );
});

test(`${PRODUCT.name}: all connections of a pool together keep a limited number of prepared statements: the frequent ones`, async (t) => {
  const server = await startDatabaseServer();
  const database = openDatabase(await server.createDatabase(), { max: 8, decisiveMax: 1 });
  t.teardown(async () => {
    await database.close();
    await server.stop();
  });
  const status = async (name: string) => {
    const { rows } = await byDriver(database.decisive, mysql, {
      sql: `SHOW GLOBAL STATUS LIKE '${name}'`,
      bindings: [],
    });
    return Number(rows[0]?.Value);
  };
  const run = async (sql: string) =>
    Number((await byDriver(database.knex, mysql, { sql, bindings: [7], recurs: true })).rows[0]?.n);
  const hot = "SELECT ? + 0 AS n";
  for (let i = 1; i <= 200; i++) {
    const texts = Array.from({ length: 8 }, (_, connection) => `SELECT ? + ${i} AS n, ${connection}`);
    t.deepEqual(
      await Promise.all(texts.map(run)),
      Array.from({ length: 8 }, () => 7 + i),
    );
    t.is(await run(hot), 7);
  }
  const held = await status("Prepared_stmt_count");
  t.true(held > 256 && held <= 512, `${held} of ${8 * 200}`);
  const before = await status("Com_stmt_prepare");
  for (let i = 0; i < 20; i++) await run(hot);
  t.is(await status("Com_stmt_prepare"), before);
  // A recently prepared statement can still be run, and so can a statement that was closed on the server.
  for (const i of [200, 1]) t.is(await run(`SELECT ? + ${i} AS n, 0`), 7 + i);
});

test(`${PRODUCT.name}: a recurring statement keeps its connection while others come and go, so it is prepared once`, async (t) => {
  const server = await startDatabaseServer();
  const database = openDatabase(await server.createDatabase(), { max: 8, decisiveMax: 1 });
  t.teardown(async () => {
    await database.close();
    await server.stop();
  });
  await byDriver(database.knex, mysql, { sql: "CREATE TABLE t (a INT)", bindings: [] });
  for (let busy = 0; busy < 8; busy++) {
    const others = Array.from({ length: busy }, () =>
      byDriver(database.knex, mysql, { sql: "SELECT SLEEP(0.05)", bindings: [] }),
    );
    t.like(await write(database, { sql: "INSERT INTO t VALUES (?)", bindings: [busy], recurs: true }), { affected: 1 });
    await Promise.all(others);
  }
  const { rows } = await byDriver(database.knex, mysql, {
    sql: "SHOW GLOBAL STATUS LIKE 'Com_stmt_prepare'",
    bindings: [],
  });
  t.is(Number(rows[0]?.Value), 1);
});

test("SQLite: a reading statement returns rows, a writing statement a count, and the same text runs with other bindings", async (t) => {
  const database = openDatabase("sqlite::memory:");
  t.teardown(() => database.close());
  const run = (sql: string, ...bindings: (string | bigint)[]) => byDriver(database.knex, sqlite, { sql, bindings });
  await run("CREATE TABLE t (a TEXT, b INTEGER)");
  t.is((await run("INSERT INTO t VALUES (?, ?)", "x", 1n)).affected, 1);
  t.is((await run("INSERT INTO t VALUES (?, ?)", "y", 9_007_199_254_740_993n)).affected, 1);
  t.deepEqual((await run("SELECT b FROM t WHERE a = ?", "y")).rows, [{ b: 9_007_199_254_740_993n }]);
  t.deepEqual((await run("SELECT b FROM t WHERE a = ?", "x")).rows, [{ b: 1n }]);
  t.is((await run("UPDATE t SET b = 0")).affected, 2);
});

test("SQLite: a compiled statement still works after its table has changed", async (t) => {
  const database = openDatabase("sqlite::memory:");
  t.teardown(() => database.close());
  const run = (sql: string) => byDriver(database.knex, sqlite, { sql, bindings: [] });
  await run("CREATE TABLE t (a INTEGER)");
  await run("INSERT INTO t VALUES (1)");
  t.deepEqual((await run("SELECT * FROM t")).rows, [{ a: 1n }]);
  await run("ALTER TABLE t ADD COLUMN b INTEGER DEFAULT 2");
  t.deepEqual((await run("SELECT * FROM t")).rows, [{ a: 1n, b: 2n }]);
});
