import test from "ava";
import { openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { SqlTransactionReader } from "../../../../src/adapters/sql/listings/transaction-reader.ts";
import { migrate } from "../../../../src/adapters/sql/schema/migrate.ts";
import { type DatabaseServer, startDatabaseServer } from "../../../../testbed/database/server.ts";

const SETTLED_WITHIN_MS = 60_000;

let server: DatabaseServer;
test.before(async () => {
  server = await startDatabaseServer();
});
test.after.always(() => server.stop());

test("one merchant's reads use at most half of the connections for reading, so another merchant's page can be read meanwhile", async (t) => {
  const url = await server.createDatabase();
  const database = openDatabase(url);
  // Vitess' proxy answers OK to LOCK TABLES and locks nothing.
  const locker = openDatabase(server.direct(new URL(url).pathname.slice(1)), { max: 2, decisiveMax: 1 });
  t.teardown(() => Promise.all([database.close(), locker.close()]));
  await migrate(database);
  const reader = new SqlTransactionReader(database);
  // The lock delays reads of transactions at the server, as a large export would.
  const connection = await locker.knex.client.acquireConnection();
  const run = (sql: string) => locker.knex.raw(sql).connection(connection);
  await run("LOCK TABLES tx WRITE");
  const list = (merchantId: number) => reader.list({ merchantId, order: "asc" }, 10);
  const mine: Promise<unknown>[] = [
    ...Array.from({ length: 6 }, () => list(1)),
    ...Array.from({ length: 2 }, () => reader.feed({ merchantId: 1, after: 0n }, 10)),
    ...Array.from({ length: 2 }, () => reader.round({ merchantId: 1, provider: "SPORTSBOOK", roundId: "r" }, 10)),
  ];
  const waiting = async (): Promise<string[]> => {
    const [rows] = await locker.knex.raw(
      "SELECT info AS info FROM information_schema.processlist WHERE state LIKE 'Waiting for table metadata lock%'",
    );
    return rows.map((row: { info: string }) => row.info);
  };
  const settled = async (): Promise<number> => {
    for (const until = performance.now() + SETTLED_WITHIN_MS, last = { length: -1 }; performance.now() < until; ) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      const { length } = await waiting();
      if (length === last.length && length > 0) return length;
      last.length = length;
    }
    throw new Error("no read waits for the lock");
  };
  try {
    t.is(await settled(), 2, "2 of 10 reads are at the server");
    const other = list(2);
    mine.push(other);
    t.is(await settled(), 3, "the other merchant's read is at the server");
    t.is((await waiting()).filter((info) => info.includes("merchant_id = 2")).length, 1);
  } finally {
    await run("UNLOCK TABLES");
    await locker.knex.client.releaseConnection(connection);
  }
  t.is((await Promise.all(mine)).length, 11, "all reads end");
});
