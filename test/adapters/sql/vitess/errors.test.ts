/** Errors of Vitess' proxy. */
import test from "ava";
import { openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { byDriver } from "../../../../src/adapters/sql/connection/driver.ts";
import { causeOf, failureOf } from "../../../../src/adapters/sql/connection/failure.ts";
import { startDatabaseServer } from "../../../../testbed/database/server.ts";

const server = startDatabaseServer();
test.after.always(async () => (await server).stop());

const ONE_EACH = { max: 1, recurringMax: 1, decisiveMax: 1, selectingMax: 1, selectingLimitMs: 1_000 };

test("a text of a caller that looks like the number of an error is not taken for it", async (t) => {
  const database = openDatabase(await (await server).createDatabase(), ONE_EACH);
  t.teardown(() => database.close());
  await database.knex.raw("CREATE TABLE t (id VARCHAR(99) NOT NULL PRIMARY KEY)");
  const text = "x (errno 1062) (sqlstate 23000)";
  for (const recurs of [false, true]) {
    const statement = { sql: "SELECT SLEEP(20), ? AS text", bindings: [text], recurs };
    const error = await t.throwsAsync(byDriver(database.selecting, database.dialect, statement));
    t.not(causeOf(error).errno, 1062, String(error));
    t.is(failureOf(database.dialect, error), "lost", String(error));
    t.false(String(error).includes(text), String(error));
  }
});
