/** What is different on Vitess. `npm run test:vitess` runs it. */
import test from "ava";
import { openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { readTime } from "../../../../src/adapters/sql/connection/database-time.ts";
import { rows } from "../../../../src/adapters/sql/connection/execute.ts";
import { SqlGgrStore } from "../../../../src/adapters/sql/reports/ggr-store.ts";
import { assertSchema, migrate } from "../../../../src/adapters/sql/schema/migrate.ts";
import { StoreUnavailable } from "../../../../src/ports/store-unavailable.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { startDatabaseServer } from "../../../../testbed/database/server.ts";
import { startCombo } from "../../../../testbed/vitess/combo.ts";

const server = startDatabaseServer();
test.after.always(async () => (await server).stop());

/** One connection for each purpose, so that a test sees what a statement left on it. */
const ONE_EACH = { max: 1, recurringMax: 1, decisiveMax: 1, selectingMax: 1, selectingLimitMs: 1_000 };

test("after a report its connection writes with READ COMMITTED again", async (t) => {
  const database = openDatabase(await (await server).createDatabase(), ONE_EACH);
  t.teardown(() => database.close());
  await migrate(database);
  const level = async () => {
    const [[found]] = await database.knex.raw("SELECT @@SESSION.transaction_isolation AS level");
    return found.level;
  };
  t.is(await level(), "READ-COMMITTED");
  const store = new SqlGgrStore(database);
  const { cells } = await store.read({
    merchantIds: [1],
    bounds: [0, 1],
    groupBy: "player",
    provider: null,
    type: null,
  });
  t.deepEqual(await Array.fromAsync(cells), []);
  t.is(await level(), "READ-COMMITTED");
});

test("the time comes from the server that stores the rows, and not from the proxy's clock", async (t) => {
  const database = openDatabase(await (await server).createDatabase(), ONE_EACH);
  t.teardown(() => database.close());
  await migrate(database);
  const { sql } = readTime(database.dialect.sql);
  const [[plan]] = await database.knex.raw(`VEXPLAIN PLAN ${sql}`);
  t.is(JSON.parse(Object.values(plan)[0] as string).OperatorType, "Route");
  const [[found]] = await database.knex.raw(sql);
  t.true(Math.abs(Number(found.now_ms) - Date.now()) < 60_000);
});

test("a proxy that does not pass the session on is refused, although it says that it does", async (t) => {
  const front = (socket: string, folder: string) => startCombo(socket, folder, ["--enable-system-settings=false"]);
  const deaf = await startDatabaseServer([], undefined, { ...PRODUCT, front });
  t.teardown(() => deaf.stop());
  const database = openDatabase(await deaf.createDatabase(), ONE_EACH);
  t.teardown(() => database.close());
  const error = await t.throwsAsync(rows(database, { sql: "SELECT 1", bindings: [] }), {
    instanceOf: StoreUnavailable,
  });
  t.regex(String(error?.cause), /the database's session has \w+ = .*, but it must be /);
});

test("a select that takes too long ends at the server, and its connection still works", async (t) => {
  const database = openDatabase(await (await server).createDatabase(), ONE_EACH);
  t.teardown(() => database.close());
  await t.throwsAsync(async () => database.selecting.raw("SELECT SLEEP(20)"), {
    message: /maximum statement execution time exceeded/,
  });
  const [[found]] = await database.selecting.raw("SELECT 1 AS one");
  t.is(Number(found.one), 1);
});

test("a select returns more than 10 000 rows", async (t) => {
  const database = openDatabase(await (await server).createDatabase(), ONE_EACH);
  t.teardown(() => database.close());
  const digits = "(SELECT 0 d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4)";
  const tables = Array.from({ length: 6 }, (_, i) => `${digits} t${i}`).join(" CROSS JOIN ");
  const [rows] = await database.selecting.raw(`SELECT 1 AS one FROM ${tables}`);
  t.is(rows.length, 5 ** 6);
});

test("a keyspace with several shards is refused at the start, and the message names them", async (t) => {
  const database = openDatabase((await server).url("several"), ONE_EACH);
  t.teardown(() => database.close());
  const message =
    "The database cannot be used: the Vitess keyspace several has 2 shards (several/-80, several/80-), and the service works with one shard only. Name a keyspace without shards in DATABASE_URL.";
  await t.throwsAsync(migrate(database), { message });
  await t.throwsAsync(assertSchema(database), { message });
});
