/** Errors that only MySQL has, on a real server. */
import test, { type ExecutionContext } from "ava";
import { type Database, openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { byDriver } from "../../../../src/adapters/sql/connection/driver.ts";
import { rows } from "../../../../src/adapters/sql/connection/execute.ts";
import { causeOf, failureOf } from "../../../../src/adapters/sql/connection/failure.ts";
import type { Statement } from "../../../../src/adapters/sql/connection/statement.ts";
import { StoreUnavailable } from "../../../../src/ports/store-unavailable.ts";
import { startDatabaseServer } from "../../../../testbed/database/server.ts";

const OFFLINE = 3032;

const statement = (sql: string): Statement => ({ sql, bindings: [] });
const run = (database: Database, sql: string) => byDriver(database.knex, database.dialect, statement(sql));

function open(t: ExecutionContext, url: string): Database {
  const database = openDatabase(url);
  t.teardown(() => database.close());
  return database;
}

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
