import { Writable } from "node:stream";
import test from "ava";
import { pino } from "pino";
import { SqlNonceStore } from "../../../src/adapters/sql/access/nonce-store.ts";
import { openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import { LogsAndMetrics } from "../../../src/adapters/telemetry/telemetry.ts";
import { startDatabaseServer } from "../../../testbed/database/server.ts";

const CANARY = "CANARY_0123456789";

test("the log of a failed statement shows the error, and none of the statement's values", async (t) => {
  const lines: string[] = [];
  const log = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const telemetry = new LogsAndMetrics(pino(log));
  const mariadb = await startDatabaseServer();
  t.teardown(mariadb.stop);
  for (const url of [await mariadb.createDatabase(), "sqlite::memory:"]) {
    const database = openDatabase(url);
    // The database has no schema, so the table is missing.
    const error = await t.throwsAsync(new SqlNonceStore(database).use([{ merchantId: 1, nonce: CANARY }]));
    telemetry.error("nonce could not be stored", error);
    await database.close();
  }
  t.is(lines.length, 2);
  for (const line of lines) {
    t.false(line.includes(CANARY), line);
    t.regex(JSON.parse(line).error.cause.message, /nonces' doesn't exist|no such table/);
  }
});
