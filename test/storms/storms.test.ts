import test from "ava";
import { type DatabaseServer, startDatabaseServer } from "../../testbed/database/server.ts";
import { runRow } from "./row.ts";
import { ROWS } from "./rows/catalogue.ts";
import { Stage } from "./stage.ts";

let server: DatabaseServer;
test.before(async () => {
  server = await startDatabaseServer();
});
test.after.always(() => server.stop());

test("if three replicas get many copies, contradicting contents and wrong orders at once, each transaction takes effect at most once", async (t) => {
  // A wallet without tombstones applies a late original, even if it answered TRANSACTION_NOT_FOUND before.
  const rules = { tombstones: false };
  const stage = await Stage.open({
    databaseUrl: await server.createDatabase(),
    merchants: 8,
    quietMs: 2_000,
    copies: 60,
    seed: 1,
    rules,
  });
  t.teardown(() => stage.close());
  await Promise.all(ROWS.map((row) => runRow(stage, row, row.briefly)));
  const { violations, results } = await stage.end();
  t.deepEqual(violations, []);
  for (const { row, runs, requests, calls } of results)
    t.true(requests >= runs && calls >= runs, `${row.id}: ${requests} requests and ${calls} calls in ${runs} runs`);
});
