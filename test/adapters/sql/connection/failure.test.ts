import test from "ava";
import { failureOf } from "../../../../src/adapters/sql/connection/failure.ts";
import { mysql } from "../../../../src/adapters/sql/dialects/mysql/dialect.ts";
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

test("a database that can't serve any statement is unavailable; any other error is the row's fault", (t) => {
  // In this order: disk full, too many connections, no such table, read-only, offline, no member of its group, offline.
  for (const errno of [1021, 1040, 1146, 1290, 3032, 3796, 6400])
    t.is(failureOfErrno(errno), "unavailable", String(errno));
  t.is(failureOf(mysql, new StoreUnavailable("no turn")), "unavailable");
  for (const errno of [1062, 1264, 1406]) t.is(failureOfErrno(errno), "content", String(errno));
});

test("a connection that ends or is never opened counts as lost, whatever the name of the error is", (t) => {
  for (const code of ["PROTOCOL_CONNECTION_LOST", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT"])
    t.is(failureOf(mysql, Object.assign(new Error(), { code })), "lost", code);
  t.is(failureOf(mysql, Object.assign(new Error(), { fatal: true, errno: 1129 })), "lost");
  t.is(failureOf(mysql, Object.assign(new Error(), { name: "KnexTimeoutError" })), "lost");
});
