import { causeOf, type Failures } from "../../connection/failure.ts";
import { SESSION_REFUSED } from "./session.ts";

/** The error codes of TiDB's write conflicts and schema changes, from its documentation. No test has produced them. */
const TIDB_CONFLICT = [8002, 8022, 8028, 9007];
/** The error codes of a part of TiDB that did not answer or was not available. No test has produced them. */
const TIDB_LOST = [9001, 9002, 9003, 9004, 9005];

/**
 * The error codes of a deadlock, a lock wait time-out, a record that has changed since the last read (snapshot
 * isolation, Galera), and a failed certification (MySQL's group replication).
 */
const CONFLICT = new Set<unknown>([1213, 1205, 1020, 3101, ...TIDB_CONFLICT]);

/**
 * The error codes of a statement that took longer than the server's own limit: the first is MariaDB's, the second that
 * of MySQL and TiDB.
 */
const TIMED_OUT = new Set<unknown>([1969, 3024]);
/** The error code of a statement that took longer than this process waits. */
export const TIMED_OUT_CODE = "PROTOCOL_SEQUENCE_TIMEOUT";
/** The error code of a statement whose reply says that it is part of an open transaction. */
export const NOT_COMMITTED_CODE = "NOT_COMMITTED";

/**
 * The error codes of a shutdown, an interrupted or killed statement, a node outside the cluster's majority, an error
 * during commit, of the server or of its group replication, and a read that could not wait for the group. In a test, 76
 * inserts failed with such errors, and 49 of them had been committed.
 */
const LOST = new Set<unknown>([1047, 1053, 1180, 1317, 1927, 3100, 3169, 3797, 4031, ...TIMED_OUT, ...TIDB_LOST]);
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
  1021, 1040, 1044, 1045, 1049, 1054, 1064, 1114, 1142, 1146, 1203, 1226, 1290, 1792, 1836, 3032, 3796, 6400,
]);

const DUPLICATE_ENTRY = 1062;

export const mysqlFailures: Failures = {
  failureOf(error) {
    const { errno, code, fatal } = causeOf(error);
    if (CONFLICT.has(errno)) return "conflict";
    if (UNAVAILABLE.has(errno) || code === SESSION_REFUSED) return "unavailable";
    return LOST.has(errno) || LOST_CODES.has(code) || fatal === true ? "lost" : "content";
  },
  isTimeout(error) {
    const { errno, code } = causeOf(error);
    return TIMED_OUT.has(errno) || code === TIMED_OUT_CODE;
  },
  isDuplicateKey: (error) => causeOf(error).errno === DUPLICATE_ENTRY,
};
