import { causeOf, type Failures } from "../../connection/failure.ts";
import { SESSION_REFUSED } from "./session.ts";

/** The error codes of TiDB's write conflicts and schema changes, from its documentation. No test has produced them. */
const TIDB_CONFLICT = [8002, 8022, 8028, 9007];
/**
 * The error codes of a deadlock, a lock wait time-out, a lock that another session has (NOWAIT; MariaDB reports a lock
 * wait time-out), a record that has changed since the last read (snapshot
 * isolation, Galera), and a failed certification (MySQL's group replication).
 */
const CONFLICT = new Set<unknown>([1213, 1205, 3572, 1020, 3101, ...TIDB_CONFLICT]);

/**
 * The error codes of a statement that took longer than the server's own limit: the first is MariaDB's, the second that
 * of MySQL and TiDB.
 */
const TIMED_OUT = new Set<unknown>([1969, 3024]);
/** The error code of a statement that took longer than this process waits. */
export const TIMED_OUT_CODE = "PROTOCOL_SEQUENCE_TIMEOUT";
/** The error code of a statement whose reply says that it is part of an open transaction. */
export const NOT_COMMITTED_CODE = "NOT_COMMITTED";

/** The codes with which the driver, or the operating system, ends a connection. */
const LOST_CODES = new Set<unknown>([
  "PROTOCOL_CONNECTION_LOST",
  TIMED_OUT_CODE,
  NOT_COMMITTED_CODE,
  "PROTOCOL_PACKETS_OUT_OF_ORDER",
  "PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR",
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  "ENOENT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/**
 * The error codes of a full disk, a full table, too many connections, denied access, an unknown database, table or
 * column, a syntax error, a missing privilege, a server that is read-only, in offline mode (two codes), or no working
 * member of its group.
 */
const UNAVAILABLE = new Set<unknown>([
  1021, 1040, 1044, 1045, 1049, 1054, 1064, 1114, 1142, 1146, 1203, 1226, 1227, 1290, 1792, 1836, 3032, 3796, 6400,
]);

const DUPLICATE_ENTRY = 1062;

/**
 * The error codes of a row that its table does not accept. In this order: a missing value (3 codes); an existing key (4);
 * a row of another table that is missing or in use (4); a value that is too large, too long or of the wrong form (12); a
 * condition of the table (MariaDB, MySQL); a row, a text or a whole statement that is too long, or a statement that is
 * nested too deep (Vitess nests the lines of a batch in each other) (4). The server ran nothing of the statement, or undid
 * all of it.
 *
 * Every other code is a fault of the database. Some of them in practice: a shutdown, an interrupted or killed statement, a
 * node outside the cluster's majority, an error during commit, too little memory or no more locks, and errors of the
 * network. In a test, 76 inserts failed with such errors, and 49 of them had been committed.
 */
const CONTENT = new Set<unknown>([
  ...[1048, 1263, 1364],
  ...[DUPLICATE_ENTRY, 1169, 1586, 1859],
  ...[1216, 1217, 1451, 1452],
  ...[1264, 1265, 1292, 1300, 1301, 1365, 1366, 1367, 1406, 1411, 1690, 3854],
  ...[4025, 3819],
  ...[1118, 1162, 1153, 1473],
]);

export const mysqlFailures: Failures = {
  known(error) {
    const { errno, code } = causeOf(error);
    if (CONFLICT.has(errno)) return "conflict";
    if (UNAVAILABLE.has(errno) || code === SESSION_REFUSED) return "unavailable";
    if (CONTENT.has(errno)) return "content";
    return LOST_CODES.has(code) ? "lost" : undefined;
  },
  isTimeout(error) {
    const { errno, code } = causeOf(error);
    return TIMED_OUT.has(errno) || code === TIMED_OUT_CODE;
  },
  isDuplicateKey: (error) => causeOf(error).errno === DUPLICATE_ENTRY,
};
