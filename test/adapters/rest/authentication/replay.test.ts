import test from "ava";
import { SqlNonceStore } from "../../../../src/adapters/sql/access/nonce-store.ts";
import { openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { migrate } from "../../../../src/adapters/sql/schema/migrate.ts";
import { errorOf, type RestUnderTest, startRest } from "../../../../testbed/callers/rest-server.ts";
import { startDatabaseServer } from "../../../../testbed/database/server.ts";

/** The outcomes of 20 copies of one request, sent at once to all replicas in turn. */
async function copies(replicas: readonly RestUnderTest[], nonce: string): Promise<string[]> {
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, i) => (replicas[i % replicas.length] as RestUnderTest).send({ nonce })),
  );
  return replies.map((reply) => (reply.status === 200 ? "OK" : errorOf(reply).code)).sort();
}

const ONE_PASSES = [...Array(19).fill("NONCE_REUSED"), "OK"];

test("if a signed request is sent several times at once, exactly one copy is accepted, on SQLite", async (t) => {
  const database = openDatabase("sqlite::memory:");
  t.teardown(() => database.close());
  await migrate(database);
  const rest = await startRest(t, { nonces: new SqlNonceStore(database) });
  for (const round of [1, 2, 3]) t.deepEqual(await copies([rest], `copied_on_sqlite_${round}`), ONE_PASSES);
});

test("if a signed request is sent several times at once to two replicas, exactly one copy is accepted, on MariaDB", async (t) => {
  const mariadb = await startDatabaseServer();
  t.teardown(mariadb.stop);
  const url = await mariadb.createDatabase();
  const databases = [openDatabase(url), openDatabase(url)];
  t.teardown(async () => void (await Promise.all(databases.map((database) => database.close()))));
  await migrate(databases[0] as (typeof databases)[number]);
  const replicas = await Promise.all(
    databases.map((database) => startRest(t, { nonces: new SqlNonceStore(database) })),
  );
  for (const round of [1, 2, 3]) t.deepEqual(await copies(replicas, `copied_on_mariadb_${round}`), ONE_PASSES);
});
