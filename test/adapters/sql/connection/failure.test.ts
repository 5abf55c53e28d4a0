import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import type { Knex } from "knex";
import { openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { byDriver } from "../../../../src/adapters/sql/connection/driver.ts";
import { rows } from "../../../../src/adapters/sql/connection/execute.ts";
import { failureOf } from "../../../../src/adapters/sql/connection/failure.ts";
import { halving } from "../../../../src/adapters/sql/connection/halving.ts";
import { repeating } from "../../../../src/adapters/sql/connection/retry.ts";
import { mysql } from "../../../../src/adapters/sql/dialects/mysql/dialect.ts";
import { ERROR_CODES } from "../../../../src/adapters/sql/dialects/mysql/failures.ts";
import { sqlite } from "../../../../src/adapters/sql/dialects/sqlite/dialect.ts";
import { StoreUnavailable } from "../../../../src/ports/store-unavailable.ts";

const failureOfErrno = (errno: number) =>
  failureOf(mysql, Object.assign(new Error("by the server"), { errno, code: "ER_X", sqlState: "HY000" }));

test("after an error of a node that left the cluster, or of an interrupted commit, the statement may have been applied", (t) => {
  // In this order: the node is not in the primary component; error during commit; interrupted; shutting down; killed;
  // an error of group replication; a read that could not wait for the group; TiDB's errors.
  for (const errno of [1047, 1180, 1317, 1053, 1927, 3100, 3797, 9001, 9002, 9003, 9004, 9005])
    t.is(failureOfErrno(errno), "lost", String(errno));
});

test("after a deadlock (or a failed certification), a lock or sync time-out, or a changed record, the statement was rolled back", (t) => {
  for (const errno of [1213, 1205, 1020, 3101, 8002, 8022, 8028, 9007])
    t.is(failureOfErrno(errno), "conflict", String(errno));
});

test("a database that can't serve any statement is unavailable", (t) => {
  // In this order: disk full, too many connections, no such table, read-only, offline, no member of its group, offline.
  for (const errno of [1021, 1040, 1146, 1290, 3032, 3796, 6400])
    t.is(failureOfErrno(errno), "unavailable", String(errno));
  t.is(failureOf(mysql, new StoreUnavailable("no turn")), "unavailable");
});

test("a connection that ends or is never opened counts as lost, whatever the name of the error is", (t) => {
  for (const code of ["PROTOCOL_CONNECTION_LOST", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT"])
    t.is(failureOf(mysql, Object.assign(new Error(), { code })), "lost", code);
  t.is(failureOf(mysql, Object.assign(new Error(), { fatal: true, errno: 1129 })), "lost");
  t.is(failureOf(mysql, Object.assign(new Error(), { name: "KnexTimeoutError" })), "lost");
});

/** A missing value, an existing key, a row of another table, a value that does not fit, a row that is too long, a statement too deep. */
const CONTENT = [
  1048, 1062, 1118, 1153, 1162, 1169, 1216, 1217, 1263, 1264, 1265, 1292, 1300, 1301, 1364, 1365, 1366, 1367, 1406,
  1411, 1451, 1452, 1473, 1586, 1690, 1859, 3819, 3854, 4025,
];

test("only the known errors of a row are a fault of the row; after any other error the statement may have been applied", (t) => {
  const found: number[] = [];
  for (let errno = 1; errno < 20_000; errno++) if (failureOfErrno(errno) === "content") found.push(errno);
  t.deepEqual(found, CONTENT);
  // In this order: not enough memory (2), no resources, a fault without a name, errors of the network (4), no more locks.
  for (const errno of [1037, 1038, 1041, 1105, 1158, 1159, 1160, 1161, 1206, 65_000])
    t.is(failureOfErrno(errno), "lost", String(errno));
});

test("no code of the table has two meanings", (t) => {
  const codes = ERROR_CODES.flatMap(([, , all]) => all);
  t.deepEqual(
    codes.filter((code, i) => codes.indexOf(code) !== i),
    [],
  );
});

test("SQLite: an unknown code, an error of the disk and too little memory leave the outcome open", (t) => {
  const of = (code: string) => failureOf(sqlite, Object.assign(new Error(), { code }));
  for (const code of ["SQLITE_IOERR_FSYNC", "SQLITE_NOMEM", "SQLITE_INTERRUPT", "SQLITE_PROTOCOL", "SQLITE_NEW_CODE"])
    t.is(of(code), "lost", code);
  for (const code of ["SQLITE_FULL", "SQLITE_READONLY_DBMOVED", "SQLITE_CANTOPEN"]) t.is(of(code), "unavailable", code);
  for (const code of ["SQLITE_CONSTRAINT_CHECK", "SQLITE_TOOBIG"]) t.is(of(code), "content", code);
  t.is(of("SQLITE_BUSY_SNAPSHOT"), "conflict");
});

test("an error of this program is no error of the database, so it is thrown unchanged and its batch is not divided", async (t) => {
  for (const error of [
    new TypeError("x is undefined"),
    Object.assign(new Error(), { code: "MERCHANT_DISABLED" }),
    "text",
  ])
    for (const dialect of [mysql, sqlite]) t.is(failureOf(dialect, error), "foreign");
  let runs = 0;
  const wrong = new TypeError("x is undefined");
  const run = async () => {
    runs++;
    throw wrong;
  };
  t.is(await t.throwsAsync(halving(mysql, [1, 2], () => repeating(mysql, run))), wrong);
  t.is(runs, 1);
});

test("whatever a driver throws, the statement may have been applied", async (t) => {
  const odd = new TypeError("cannot read the packet");
  const pool = {
    client: { acquireConnection: async () => ({}), releaseConnection: async () => {} },
  } as unknown as Knex;
  const dialect = { ...mysql, run: () => Promise.reject(odd) };
  t.is(await t.throwsAsync(byDriver(pool, dialect, { sql: "", bindings: [] })), odd);
  t.is(failureOf(mysql, odd), "lost");
});

test("SQLite: a value that can't be bound is a fault of its row, in memory and in a file", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "sqlite-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  for (const url of ["sqlite::memory:", `sqlite:${join(folder, "a.db")}`]) {
    const database = openDatabase(url);
    const error = await t.throwsAsync(rows(database, { sql: "SELECT ?", bindings: [2n ** 64n] }));
    t.is(failureOf(sqlite, error), "content", url);
    await database.close();
  }
});
