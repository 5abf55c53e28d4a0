/** Statements and commits that a fault interrupts: what the error says must agree with the rows. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { type Database, openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { inTransaction } from "../../../../src/adapters/sql/connection/database-transaction.ts";
import { byDriver } from "../../../../src/adapters/sql/connection/driver.ts";
import { rows } from "../../../../src/adapters/sql/connection/execute.ts";
import { type Failure, failureOf } from "../../../../src/adapters/sql/connection/failure.ts";
import { startCuttingProxy } from "../../../../testbed/database/cutting-proxy.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { type DatabaseServer, startDatabaseServer } from "../../../../testbed/database/server.ts";
import { SmallDisk } from "../../../../testbed/database/small-disk.ts";
import { sleep } from "../stores.ts";

const ONE_EACH = { max: 1, recurringMax: 1, decisiveMax: 1, selectingMax: 1 };
const FEW = { ...ONE_EACH, max: 3 };

const server = startDatabaseServer();
test.after.always(async () => (await server).stop());

function open(t: ExecutionContext, url: string, sizes = ONE_EACH): Database {
  const database = openDatabase(url, sizes);
  t.teardown(() => database.close());
  return database;
}

/** A new database with an empty table `t`. */
async function empty(t: ExecutionContext, of: DatabaseServer): Promise<{ url: string; database: Database }> {
  const url = await of.createDatabase();
  const database = open(t, url, FEW);
  await database.knex.raw("CREATE TABLE t (id INT NOT NULL PRIMARY KEY, a LONGBLOB)");
  return { url, database };
}

const insert = (database: Database, id: number, value = "NULL") =>
  byDriver(database.knex, database.dialect, { sql: `INSERT INTO t VALUES (?, ${value})`, bindings: [id] });
const idsOf = async (database: Database): Promise<number[]> =>
  (await rows(database, { sql: "SELECT id FROM t ORDER BY id", bindings: [] })).map(({ id }) => Number(id));
const failureIn = (database: Database, run: Promise<unknown>): Promise<Failure | "none"> =>
  run.then(
    () => "none" as const,
    (error) => failureOf(database.dialect, error),
  );

test.serial(
  `${PRODUCT.name}: after a COMMIT whose reply is lost, the outcome is open, and the row is there`,
  async (t) => {
    const { url, database } = await empty(t, await server);
    const proxy = await startCuttingProxy(url);
    t.teardown(() => proxy.close());
    for (const [id, loses] of [
      [1, "reply"],
      [2, "request"],
    ] as const) {
      const client = open(t, proxy.through(url));
      proxy.cut("COMMIT;", 1, { loses });
      const run = inTransaction(client, async (db) => void (await db("t").insert({ id })));
      t.is(await failureIn(client, run), "lost", loses);
      t.is(proxy.lost, id);
    }
    t.deepEqual(await idsOf(database), [1]);
  },
);

test.serial(
  `${PRODUCT.name}: after a killed server the outcome is open; no row that was acknowledged is missing`,
  async (t) => {
    const own = await startDatabaseServer();
    t.teardown(() => own.stop());
    const { database } = await empty(t, own);
    await insert(database, 0);
    const acknowledged = [0];
    const failures = new Set<string>();
    const writer = async (from: number): Promise<void> => {
      for (let id = from; ; id += 3) {
        const failure = await failureIn(database, insert(database, id));
        if (failure !== "none") return void failures.add(failure);
        acknowledged.push(id);
      }
    };
    const writers = [1, 2, 3].map(writer);
    while (acknowledged.length < 50) await sleep(5);
    await own.kill();
    await Promise.all(writers);
    t.deepEqual([...failures], ["lost"]);
    await own.restart();
    let found: number[] | undefined;
    while (found === undefined) found = await idsOf(database).catch(() => undefined);
    t.deepEqual(
      acknowledged.filter((id) => !found.includes(id)),
      [],
    );
  },
);

test.serial(
  `${PRODUCT.name}: after a lock time-out and after a deadlock the statement has written nothing`,
  async (t) => {
    const { database } = await empty(t, await server);
    await insert(database, 1);
    await insert(database, 2);
    const change = (id: number) => `UPDATE t SET a = 'changed' WHERE id = ${id}`;
    await inTransaction(database, async (db) => {
      await db.raw(change(1));
      t.is(
        await failureIn(database, byDriver(database.knex, database.dialect, { sql: change(1), bindings: [] })),
        "conflict",
      );
    });
    const both = Promise.withResolvers<void>();
    let locked = 0;
    const change2 = (first: number, second: number): Promise<Failure | "none"> =>
      failureIn(
        database,
        inTransaction(database, async (db) => {
          await db.raw(change(first));
          if (++locked === 2) both.resolve();
          await both.promise;
          await db("t").insert({ id: 10 + first });
          await db.raw(change(second));
        }),
      );
    const results = await Promise.all([change2(1, 2), change2(2, 1)]);
    t.deepEqual([...results].sort(), ["conflict", "none"]);
    t.deepEqual(await idsOf(database), [1, 2, results[0] === "none" ? 11 : 12]);
  },
);

/** undefined: this user may not mount a file system. */
function smallDisk(t: ExecutionContext, megabytes: number): string | undefined {
  const disk = SmallDisk.mount(megabytes);
  if (disk !== undefined) t.teardown(() => disk.close());
  return disk?.folder;
}

const isVitess = PRODUCT.name === "Vitess";
// vtcombo needs more of the disk. ../clusters has a full disk of a tablet.
(isVitess ? test.skip : test.serial)(
  `${PRODUCT.name}: on a full disk no write is acknowledged that is missing afterwards`,
  async (t) => {
    const disk = smallDisk(t, 220);
    if (disk === undefined) return t.pass("this user may not mount a file system");
    const own = await startDatabaseServer([], join(disk, "server"));
    t.teardown(() => own.kill());
    const { database } = await empty(t, own);
    const acknowledged: number[] = [];
    let failure: Failure | "none" = "none";
    for (let id = 1; id < 500 && failure === "none"; id++) {
      failure = await failureIn(database, insert(database, id, "REPEAT('x', 2000000)"));
      if (failure === "none") acknowledged.push(id);
    }
    // The server may also hang until there is room. Then the driver gives the statement up.
    t.true(failure === "unavailable" || failure === "lost", failure);
    const found = await idsOf(database);
    if (failure === "unavailable") t.deepEqual(found, acknowledged);
    t.deepEqual(
      acknowledged.filter((id) => !found.includes(id)),
      [],
    );
  },
);

test("SQLite: on a full disk, in a locked or read-only file, nothing was written", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "sqlite-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const disk = smallDisk(t, 8);
  const { database } = await empty(t, {
    createDatabase: async () => `sqlite:${join(disk ?? folder, "a.db")}`,
  } as DatabaseServer);
  await insert(database, 1);
  if (disk !== undefined) {
    let written = 1;
    let failure: Failure | "none" = "none";
    for (; failure === "none" && written < 100; written += failure === "none" ? 1 : 0)
      failure = await failureIn(database, insert(database, written + 1, "zeroblob(300000)"));
    t.is(failure, "unavailable");
    t.is((await idsOf(database)).length, written);
  }
  const before = await idsOf(database);
  await database.knex.raw("PRAGMA query_only = 1");
  t.is(await failureIn(database, insert(database, 1_000)), "unavailable");
  await database.knex.raw("PRAGMA query_only = 0");
  t.deepEqual(await idsOf(database), before);

  const file = `sqlite:${join(folder, "b.db")}`;
  const { database: first } = await empty(t, { createDatabase: async () => file } as DatabaseServer);
  const second = open(t, file);
  await second.knex.raw("PRAGMA busy_timeout = 20");
  await first.knex.raw("BEGIN IMMEDIATE");
  t.is(await failureIn(second, insert(second, 1)), "conflict");
  await first.knex.raw("ROLLBACK");
  t.is(await failureIn(second, insert(second, 1)), "none");
  t.is(await failureIn(second, insert(second, 1)), "content");
  t.deepEqual(await idsOf(first), [1]);
});
