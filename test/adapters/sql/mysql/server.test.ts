/** Settings of the server that only MySQL has, on a real server. */
import test from "ava";
import { openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { serverFault } from "../../../../src/adapters/sql/connection/server-watch.ts";
import { startDatabaseServer } from "../../../../testbed/database/server.ts";

test("a server without its log of changes is found", async (t) => {
  const server = await startDatabaseServer();
  t.teardown(() => server.stop());
  const database = openDatabase(await server.createDatabase());
  t.teardown(() => database.close());
  t.is(await serverFault(database), undefined);
  await database.knex.raw("ALTER INSTANCE DISABLE INNODB REDO_LOG");
  t.is(
    await serverFault(database),
    "innodb_redo_log_enabled is OFF, but it must be ON: a power cut at the database can lose acknowledged transactions",
  );
  await database.knex.raw("ALTER INSTANCE ENABLE INNODB REDO_LOG");
  t.is(await serverFault(database), undefined);
});
