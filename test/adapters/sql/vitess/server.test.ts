/** The settings of the MySQL behind Vitess' proxy, which the proxy cannot change. */
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { type Database, openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { serverFault } from "../../../../src/adapters/sql/connection/server-watch.ts";
import { within } from "../../../../testbed/cluster/cluster.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { RootConnection } from "../../../../testbed/database/root-connection.ts";
import { type DatabaseServer, startDatabaseServer } from "../../../../testbed/database/server.ts";
import { startCombo } from "../../../../testbed/vitess/combo.ts";
import { mysqlOptions } from "../../../../testbed/vitess/programs.ts";

async function opened(t: ExecutionContext, server: DatabaseServer): Promise<Database> {
  t.teardown(() => server.stop());
  const database = openDatabase(await server.createDatabase());
  t.teardown(() => database.close());
  return database;
}

const ALONE = "rpl_semi_sync_source_enabled is unknown, but it must be ON";

test("a wrong setting of the MySQL is found, although the proxy says that it was set", async (t) => {
  const options = ["--innodb-flush-log-at-trx-commit=2", "--log-bin", "--sync-binlog=0"];
  const database = await opened(t, await startDatabaseServer(options));
  const fault = (await serverFault(database)) ?? "";
  t.regex(
    fault,
    /^innodb_flush_log_at_trx_commit is still 2 after it was set to 1; sync_binlog is still 0 after it was set to 1: a power cut/,
  );
  t.true(fault.includes(ALONE), "nobody but the primary has a commit");
});

test("with the settings of deploy/, the primary waits for another tablet; with MySQL's own it gives up", async (t) => {
  const options = mysqlOptions().filter((one) => !/super_read_only/.test(one));
  const server = await startDatabaseServer(options);
  const database = await opened(t, server);
  const mysql = new RootConnection({ socketPath: join(server.data, "../s") });
  t.teardown(() => mysql.close());
  // From now on no commit is answered, because there is no other tablet.
  await mysql.ask("SET GLOBAL rpl_semi_sync_source_enabled = ON");
  t.is(await serverFault(database), undefined);
  await mysql.ask("SET GLOBAL rpl_semi_sync_source_timeout = 10000");
  t.is(
    await serverFault(database),
    "rpl_semi_sync_source_timeout is 10000, but it must be at least 3600000: a change of the primary can lose acknowledged transactions",
  );
});

test("a vttablet that makes two equal reads one is found", async (t) => {
  const shared = "--enable-consolidator of vttablet is true, but it must be false: a read can miss";
  const front = (socket: string, folder: string) => startCombo(socket, folder, ["--enable-consolidator=true"]);
  const database = await opened(t, await startDatabaseServer([], undefined, { ...PRODUCT, front }));
  // On a busy machine the two reads may come one after the other.
  await within(60_000, "it is not found", async () => (await serverFault(database))?.includes(shared) ?? false);
  t.false((await serverFault(await opened(t, await startDatabaseServer())))?.includes(shared));
});
