import test from "ava";
import { failureOf } from "../../../../src/adapters/sql/connection/failure.ts";
import { mysql } from "../../../../src/adapters/sql/dialects/mysql/dialect.ts";
import { StoreUnavailable } from "../../../../src/ports/store-unavailable.ts";

const told = (errno: number) => failureOf(mysql, Object.assign(new Error("by the server"), { errno, code: "ER_X", sqlState: "HY000" }));

test("what a node of a cluster says when it is left alone, or its commit was, leaves open what became of the statement", (t) => {
  // Not Primary; error during commit; interrupted; shutting down; killed.
  for (const errno of [1047, 1180, 1317, 1053, 1927]) t.is(told(errno), "lost", String(errno));
});

test("a deadlock, certification's included, a lock or a sync that took too long and a changed record were undone", (t) => {
  for (const errno of [1213, 1205, 1020]) t.is(told(errno), "conflict", String(errno));
});

test("a database that serves nobody is nobody's row's fault; what is left is", (t) => {
  // Disk full, too many connections, no such table, read-only.
  for (const errno of [1021, 1040, 1146, 1290]) t.is(told(errno), "unavailable", String(errno));
  t.is(failureOf(mysql, new StoreUnavailable("no turn")), "unavailable");
  for (const errno of [1062, 1264, 1406]) t.is(told(errno), "content", String(errno));
});

test("a connection that ends, and one that never comes, leave it open, whatever they are called", (t) => {
  for (const code of ["PROTOCOL_CONNECTION_LOST", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT"])
    t.is(failureOf(mysql, Object.assign(new Error(), { code })), "lost", code);
  t.is(failureOf(mysql, Object.assign(new Error(), { fatal: true, errno: 1129 })), "lost");
  t.is(failureOf(mysql, Object.assign(new Error(), { name: "KnexTimeoutError" })), "lost");
});
