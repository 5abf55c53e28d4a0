/** MySQL's group replication, on real servers: its errors, and what reads see. */
import test, { type ExecutionContext } from "ava";
import { type Database, openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { byDriver } from "../../../../src/adapters/sql/connection/driver.ts";
import { decisiveRows, rows, write } from "../../../../src/adapters/sql/connection/execute.ts";
import { causeOf, failureOf } from "../../../../src/adapters/sql/connection/failure.ts";
import type { Statement } from "../../../../src/adapters/sql/connection/statement.ts";
import { type GroupMember, type Primaries, startGroup } from "../../../../testbed/cluster/mysql-group.ts";

const HOOK_FAILED = 3100;
const NOT_CERTIFIED = 3101;
const NOT_A_MEMBER = 3796;
const OFFLINE_WITH_REASON = 6400;

const statement = (sql: string): Statement => ({ sql, bindings: [] });
const run = (database: Database, sql: string) => byDriver(database.knex, database.dialect, statement(sql));
const numberOf = statement("SELECT n FROM t WHERE id = 1");

function open(t: ExecutionContext, url: string): Database {
  const database = openDatabase(url);
  t.teardown(() => database.close());
  return database;
}

interface Group {
  readonly members: readonly [GroupMember, GroupMember];
  readonly databases: readonly [Database, Database];
}

/** Two members of a group, with a table that has one row. The first member takes writes. */
async function openGroup(t: ExecutionContext, primaries: Primaries = "multi"): Promise<Group> {
  const members = await startGroup(2, primaries);
  t.teardown(() => Promise.all(members.map((member) => member.stop())));
  await members[0]?.server.createDatabase("test");
  const [first, second] = members.map(({ server }) => open(t, server.url("test"))) as [Database, Database];
  await run(first, "CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL, text LONGTEXT)");
  await run(first, "INSERT INTO t VALUES (1, 0, NULL)");
  while ((await rows(second, statement("SHOW TABLES"))).length === 0);
  // The row may arrive after its table. A read that decides waits for it.
  await decisiveRows(second, numberOf);
  return { members: members as unknown as Group["members"], databases: [first, second] };
}

const numberIn = async (database: Database): Promise<number> => Number((await decisiveRows(database, numberOf))[0]?.n);

test("a statement whose certification fails changes nothing, and is sent again", async (t) => {
  const { databases: members } = await openGroup(t);
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

test("after an error of the group during a commit, the statement may or may not have been applied", async (t) => {
  const [first] = (await openGroup(t)).databases;
  await run(first, "SET GLOBAL group_replication_transaction_size_limit = 1000");
  const error = await t.throwsAsync(run(first, "UPDATE t SET text = REPEAT('x', 5000) WHERE id = 1"));
  t.is(causeOf(error).errno, HOOK_FAILED);
  t.is(failureOf(first.dialect, error), "lost");
});

test("a decisive read and a long read see everything that another member has acknowledged before", async (t) => {
  const [first, second] = (await openGroup(t)).databases;
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

test("one primary: after a fail-over, a decisive read waits until the new primary has applied every acknowledged write", async (t) => {
  const { members, databases } = await openGroup(t, "single");
  const [first, second] = databases;
  const [oldPrimary, newPrimary] = members;
  // Without this, MySQL itself would hold back also these statements after the fail-over.
  await newPrimary.ask("SET SESSION group_replication_consistency = 'EVENTUAL'");
  // The lock stops the application of the other member's writes, as a long queue of them would.
  await newPrimary.ask("FLUSH TABLES test.t WITH READ LOCK");
  await write(first, statement("UPDATE t SET n = 1 WHERE id = 1"));
  await oldPrimary.ask("STOP GROUP_REPLICATION", 60_000);
  await newPrimary.untilOnline(1);
  t.is(
    Number((await newPrimary.ask("SELECT n FROM test.t WHERE id = 1"))[0]?.n),
    0,
    "a read that does not wait misses the write",
  );
  let waits = true;
  const decided = numberIn(second).finally(() => {
    waits = false;
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  t.true(waits);
  await newPrimary.ask("UNLOCK TABLES");
  t.is(await decided, 1);
});

test("a member without a majority lets no statement succeed, and is unavailable when it has left the group", async (t) => {
  const { members, databases } = await openGroup(t);
  const [, second] = databases;
  await run(second, "CREATE USER plain@localhost");
  await run(second, "GRANT ALL ON test.* TO plain@localhost");
  const plain = open(t, members[1].server.url("test").replace("root@", "plain@"));
  await members[0].kill();
  const codes = new Set<unknown>();
  for (const until = performance.now() + 60_000; !codes.has(OFFLINE_WITH_REASON) && performance.now() < until; ) {
    const error = await run(plain, "UPDATE t SET n = n + 1 WHERE id = 1").then(
      () => undefined,
      (cause) => cause,
    );
    codes.add(causeOf(error).errno ?? causeOf(error).code);
    if (error !== undefined) t.not(failureOf(plain.dialect, error), "content", String(error));
  }
  t.true(codes.has(OFFLINE_WITH_REASON), [...codes].join());
  // The server still serves its administrator, but it refuses the reads on which the service would decide.
  const error = await t.throwsAsync(byDriver(second.decisive, second.dialect, numberOf));
  t.is(causeOf(error).errno, NOT_A_MEMBER);
  t.is(failureOf(second.dialect, error), "unavailable");
});
