/** The session of each connection, whatever the server's defaults are. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { type Database, openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { inTransaction } from "../../../../src/adapters/sql/connection/database-transaction.ts";
import { rows, write } from "../../../../src/adapters/sql/connection/execute.ts";
import { SqlGgrStore } from "../../../../src/adapters/sql/reports/ggr-store.ts";
import { migrate } from "../../../../src/adapters/sql/schema/migrate.ts";
import { StoreUnavailable } from "../../../../src/ports/store-unavailable.ts";
import { startHostileServer } from "../../../../testbed/database/hostile-defaults.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { type DatabaseServer, startDatabaseServer } from "../../../../testbed/database/server.ts";

const ONE_EACH = { max: 1, recurringMax: 1, decisiveMax: 1, selectingMax: 1 };
const POOLS = ["knex", "recurring", "decisive", "selecting"] as const;

/** The variables that every connection sets, of both servers. Those of clusters are set by some connections only. */
const SET = [
  ...readFileSync("src/adapters/sql/dialects/mysql/session.ts", "utf8").matchAll(
    /\{ name: "(?!wsrep_|group_)([a-z_]+)", value: /g,
  ),
].map(([, name = ""]) => name);

const servers: { readonly begin: () => Promise<DatabaseServer>; begun?: Promise<DatabaseServer> }[] = [];
/** A server that begins with the first test that needs it. */
const sharedServer = (begin: () => Promise<DatabaseServer>): (() => Promise<DatabaseServer>) => {
  const server = { begin } as (typeof servers)[number];
  servers.push(server);
  return () => (server.begun ??= server.begin());
};
const hostile = sharedServer(startHostileServer);
const usual = sharedServer(startDatabaseServer);
test.after.always(async () => {
  for (const { begun } of servers) await (await begun)?.stop();
});

function open(t: ExecutionContext, url: string): Database {
  const database = openDatabase(url, ONE_EACH);
  t.teardown(() => database.close());
  return database;
}

/** All session variables of a pool's connection, except those that change with each statement. */
async function variablesOf(database: Database, pool: (typeof POOLS)[number]): Promise<Record<string, string>> {
  const [found] = await database[pool].raw("SHOW SESSION VARIABLES");
  const changing =
    /^(timestamp|rand_seed|pseudo_thread_id|last_insert_id|identity|insert_id|gtid_|last_gtid|warning_count|error_count|in_transaction|.*gtid_.*|innodb_buffer_pool_load|optimizer_trace|statement_id)/;
  return Object.fromEntries(
    found.flatMap((row: { Variable_name: string; Value: string }) =>
      changing.test(row.Variable_name) ? [] : [[row.Variable_name, row.Value]],
    ),
  );
}

test.serial(
  `${PRODUCT.name}: with any defaults and init_connect, each write is committed when it is acknowledged, in the right database`,
  async (t) => {
    const server = await hostile();
    const url = await server.createDatabase();
    const database = open(t, url);
    await database.knex.raw("CREATE TABLE t (id INT NOT NULL PRIMARY KEY) ENGINE=InnoDB");
    for (const recurs of [false, true])
      t.is(
        (await write(database, { sql: "INSERT INTO t VALUES (?)", bindings: [recurs ? 1 : 2], recurs })).affected,
        1,
      );
    await inTransaction(database, async (db) => void (await db("t").insert({ id: 3 })));
    // With the completion type CHAIN this row would be in a second transaction.
    await write(database, { sql: "INSERT INTO t VALUES (4)", bindings: [] });
    const seen = await rows(open(t, url), { sql: "SELECT id FROM t ORDER BY id", bindings: [] });
    t.deepEqual(
      seen.map(({ id }) => Number(id)),
      [1, 2, 3, 4],
    );
  },
);

test.serial(
  `${PRODUCT.name}: the session is the same on a server with hostile defaults and on one with its own defaults`,
  async (t) => {
    const first = open(t, await (await hostile()).createDatabase());
    const second = open(t, await (await usual()).createDatabase());
    for (const pool of POOLS) {
      const [found, other] = [await variablesOf(first, pool), await variablesOf(second, pool)];
      for (const name of [...SET, "character_set_connection"])
        if (name in other) t.is(found[name], other[name], `${pool}: ${name}`);
    }
  },
);

test.serial(
  `${PRODUCT.name}: a connection is refused if its session can't be made safe; the error names variable, value and remedy, and the connection is closed`,
  async (t) => {
    const server = await startDatabaseServer(["--log-bin", "--server-id=1", "--binlog-format=STATEMENT"]);
    t.teardown(() => server.stop());
    const root = open(t, await server.createDatabase());
    await root.knex.raw("CREATE TABLE t (id INT NOT NULL PRIMARY KEY) ENGINE=InnoDB");
    t.is(
      (await write(root, { sql: "INSERT INTO t VALUES (1)", bindings: [] })).affected,
      1,
      "root may set the variable",
    );

    await root.knex.raw("CREATE USER plain@localhost");
    await root.knex.raw("GRANT ALL ON test_1.* TO plain@localhost");
    const plain = open(t, server.url("test_1").replace("root@", "plain@"));
    const error = await t.throwsAsync(rows(plain, { sql: "SELECT 1", bindings: [] }), { instanceOf: StoreUnavailable });
    t.regex(
      String(error?.cause),
      /session has binlog_format = STATEMENT, but it must be ROW\..*Set it in the server's configuration/,
    );
    const count = "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE user = 'plain'";
    while (Number((await root.knex.raw(count))[0][0].n) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  },
);

test.serial(
  `${PRODUCT.name}: a write that the server did not commit is not acknowledged, and is sent again on another connection`,
  async (t) => {
    const server = await usual();
    const url = await server.createDatabase();
    const database = open(t, url);
    await database.knex.raw("CREATE TABLE t (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY) ENGINE=InnoDB");
    const other = open(t, url);
    let expected = 0;
    for (const spoil of ["SET SESSION autocommit = 0", "START TRANSACTION"])
      for (const recurs of [false, true]) {
        await database[recurs ? "recurring" : "knex"].raw(spoil);
        t.deepEqual(await write(database, { sql: "INSERT INTO t VALUES ()", bindings: [], recurs }), {
          affected: 1,
          certain: false,
        });
        const [row] = await rows(other, { sql: "SELECT COUNT(*) AS n FROM t", bindings: [] });
        t.is(Number(row?.n), ++expected, spoil);
      }
  },
);

test.serial(
  `${PRODUCT.name}: a transaction that ends without COMMIT and ROLLBACK is not left on its connection`,
  async (t) => {
    const server = await usual();
    const url = await server.createDatabase();
    const database = open(t, url);
    await database.knex.raw("CREATE TABLE t (id INT NOT NULL PRIMARY KEY) ENGINE=InnoDB");
    const raw = await database.knex.client.acquireConnection();
    const query = raw.query.bind(raw);
    // The server interrupts the first ROLLBACK, as KILL QUERY does, and the transaction stays open.
    let interrupted = 0;
    raw.query = (options: { sql?: string }, ...rest: [unknown, (error: Error) => void]) => {
      if (options.sql !== "ROLLBACK" || interrupted++ > 0) return query(options, ...rest);
      rest[1](Object.assign(new Error("Query execution was interrupted"), { errno: 1317 }));
    };
    await database.knex.client.releaseConnection(raw);
    await t.throwsAsync(
      inTransaction(database, async (db) => {
        await db("t").insert({ id: 1 });
        throw new Error("the caller gives up");
      }),
    );
    t.is(interrupted, 1);
    await write(database, { sql: "INSERT INTO t VALUES (2)", bindings: [] });
    const seen = await rows(open(t, url), { sql: "SELECT id FROM t", bindings: [] });
    t.deepEqual(
      seen.map(({ id }) => Number(id)),
      [2],
    );
  },
);

test.serial(`${PRODUCT.name}: no report changes the session of its connection`, async (t) => {
  const server = await usual();
  const database = open(t, await server.createDatabase());
  await migrate(database);
  const [writes, selecting] = [await variablesOf(database, "knex"), await variablesOf(database, "selecting")];
  const store = new SqlGgrStore(database);
  for (const groupBy of ["player", "game", "day"] as const) {
    const { cells } = await store.read({ merchantIds: [1], bounds: [0, 1], groupBy, provider: null, type: null });
    t.deepEqual(await Array.fromAsync(cells), []);
  }
  await store.sumGames(1, 0);
  t.is(await store.difference(1, 0, 86_400_000), null);
  t.deepEqual(await variablesOf(database, "knex"), writes);
  t.deepEqual(await variablesOf(database, "selecting"), selecting);
});

test("only one place sets session variables, so none stays changed on a connection of a pool", (t) => {
  const folder = "src";
  const setting = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      file.endsWith(".ts") &&
      /\bSET (SESSION|LOCAL|NAMES|@@|autocommit|sql_|TRANSACTION)/.test(readFileSync(join(folder, file), "utf8")),
  );
  t.deepEqual(setting, ["adapters/sql/dialects/mysql/session.ts"]);
});

test("the specification has every variable that a connection sets", (t) => {
  const page = readFileSync("docs/specification/storage.md", "utf8");
  t.true(SET.length > 30);
  t.deepEqual(
    SET.filter((name) => !page.includes(`\`${name}\``)),
    [],
  );
});
