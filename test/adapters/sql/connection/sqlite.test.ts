import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { openDatabase } from "../../../../src/adapters/sql/connection/database.ts";

test("on a SQLite file, writes go on while a report is read, and the report keeps its snapshot", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "sqlite-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const database = openDatabase(`sqlite:${join(folder, "a.db")}`);
  t.teardown(() => database.close());
  await database.knex.raw("CREATE TABLE bets (id INTEGER PRIMARY KEY)");
  const write = () => database.knex("bets").insert({});
  await write();
  await database.snapshots.transaction(async (report) => {
    const count = () => report("bets").count("* AS n").first();
    t.deepEqual(await count(), { n: 1n });
    await write();
    t.deepEqual(await count(), { n: 1n });
  });
  t.deepEqual(await database.snapshots("bets").count("* AS n").first(), { n: 2n });
});
