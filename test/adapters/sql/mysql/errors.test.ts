/** Errors that only MySQL has, on real servers, and their effect on a statement. */
import test, { type ExecutionContext } from "ava";
import { type Database, openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { byDriver } from "../../../../src/adapters/sql/connection/driver.ts";
import { decisiveRows, rows, write } from "../../../../src/adapters/sql/connection/execute.ts";
import { causeOf, failureOf } from "../../../../src/adapters/sql/connection/failure.ts";
import type { Statement } from "../../../../src/adapters/sql/connection/statement.ts";
import { StoreUnavailable } from "../../../../src/ports/store-unavailable.ts";
import { startGroup } from "../../../../testbed/database/mysql-group.ts";
import { startDatabaseServer } from "../../../../testbed/database/server.ts";

const OFFLINE = 3032;
const HOOK_FAILED = 3100;
const NOT_CERTIFIED = 3101;

const statement = (sql: string): Statement => ({ sql, bindings: [] });
const run = (database: Database, sql: string) => byDriver(database.knex, database.dialect, statement(sql));

function open(t: ExecutionContext, url: string): Database {
  const database = openDatabase(url);
  t.teardown(() => database.close());
  return database;
}

/** Two members of a group that both accept writes, with a table that has one row. */
async function openGroup(t: ExecutionContext): Promise<readonly [Database, Database]> {
  const members = await startGroup(2);
  t.teardown(() => Promise.all(members.map((member) => member.stop())));
  await members[0]?.server.createDatabase("test");
  const [first, second] = members.map(({ server }) => open(t, server.url("test"))) as [Database, Database];
  await run(first, "CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL, text LONGTEXT)");
  await run(first, "INSERT INTO t VALUES (1, 0, NULL)");
  while ((await rows(second, statement("SHOW TABLES"))).length === 0);
  // The row may arrive after its table. A read that decides waits for it.
  await decisiveRows(second, statement("SELECT n FROM t WHERE id = 1"));
  return [first, second];
}

const numberIn = async (database: Database): Promise<number> =>
  Number((await decisiveRows(database, statement("SELECT n FROM t WHERE id = 1")))[0]?.n);

test("a server in offline mode counts as unavailable, for an open connection and for a new one", async (t) => {
  const server = await startDatabaseServer();
  t.teardown(() => server.stop());
  const url = await server.createDatabase();
  const admin = open(t, url);
  await run(admin, "CREATE USER plain@localhost");
  await run(admin, "GRANT SELECT ON *.* TO plain@localhost");
  const plain = open(t, url.replace("root@", "plain@"));
  await run(plain, "SELECT 1");
  await run(admin, "SET GLOBAL offline_mode = ON");
  const codes: unknown[] = [];
  for (let i = 0; i < 3; i++) {
    const error = await t.throwsAsync(run(plain, "SELECT 1"));
    codes.push(causeOf(error).errno ?? causeOf(error).code);
    t.true(["unavailable", "lost"].includes(failureOf(plain.dialect, error)), String(codes));
  }
  t.is(codes.at(-1), OFFLINE);
  await t.throwsAsync(rows(plain, statement("SELECT 1")), { instanceOf: StoreUnavailable, message: /unavailable/ });
  await run(admin, "SET GLOBAL offline_mode = OFF");
  t.is((await rows(plain, statement("SELECT 1"))).length, 1);
});

test("a group of servers: a statement whose certification fails changes nothing, and is sent again", async (t) => {
  const members = await openGroup(t);
  const increment = "UPDATE t SET n = n + 1 WHERE id = 1";
  let [applied, uncertain, refused] = [0, 0, 0];
  const hit = async (database: Database): Promise<void> => {
    const error = await run(database, increment).then(
      () => undefined,
      (cause) => cause,
    );
    if (error === undefined) applied++;
    else if (failureOf(database.dialect, error) === "lost") uncertain++;
    else t.is(failureOf(database.dialect, error), "conflict", String(error));
    if (causeOf(error).errno === NOT_CERTIFIED) refused++;
  };
  for (let i = 0; i < 1_000 && refused < 20; i++) await Promise.all([...members, ...members].map(hit));
  t.true(refused > 0);
  const total = await numberIn(members[0]);
  t.true(total >= applied && total <= applied + uncertain, `${total}: ${applied} applied, ${uncertain} uncertain`);
  t.is(await numberIn(members[1]), total);

  const certain = await Promise.all(
    Array.from({ length: 4 }, (_, i) => write(members[i % 2] as Database, statement(increment))),
  );
  t.true((await numberIn(members[0])) >= total + certain.length);
});

test("a group of servers: after an error of the group during a commit, the statement may or may not have been applied", async (t) => {
  const [first] = await openGroup(t);
  await run(first, "SET GLOBAL group_replication_transaction_size_limit = 1000");
  const error = await t.throwsAsync(run(first, "UPDATE t SET text = REPEAT('x', 5000) WHERE id = 1"));
  t.is(causeOf(error).errno, HOOK_FAILED);
  t.is(failureOf(first.dialect, error), "lost");
});

test("a group of servers: a decisive read and a long read see everything that another member has acknowledged before", async (t) => {
  const [first, second] = await openGroup(t);
  const level = statement("SELECT @@group_replication_consistency AS level");
  for (const pool of ["knex", "decisive", "selecting"] as const) {
    const { rows: sessions } = await byDriver(second[pool], second.dialect, level);
    t.is(sessions[0]?.level === "BEFORE", pool !== "knex", pool);
  }
  for (let n = 1; n <= 100; n++) {
    await write(first, statement(`UPDATE t SET n = ${n} WHERE id = 1`));
    t.is(await numberIn(second), n);
  }
});
