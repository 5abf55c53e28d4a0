import { causeOf, type Failures } from "../../connection/failure.ts";
import { SESSION_REFUSED } from "./session.ts";

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

const DUPLICATE_ENTRY = 1062;

/**
 * What the error codes of a server mean. A code that is in no line means that the statement may have been applied. Some of
 * these others in practice: a shutdown, an interrupted or killed statement, a node outside the cluster's majority, an error
 * during commit, too little memory, errors of the network, and Vitess' 1105, 2012 and 2013. In a test, 76 inserts failed
 * with such errors, and 49 of them had been committed.
 */
export const ERROR_CODES: readonly (readonly [
  means: "conflict" | "unavailable" | "content",
  why: string,
  codes: readonly number[],
])[] = [
  ["conflict", "a deadlock", [1213]],
  ["conflict", "another session has locked a row (waited for, or NOWAIT; MariaDB has 1205 for both)", [1205, 3572]],
  ["conflict", "a row has changed since the last read (snapshot isolation, Galera)", [1020]],
  ["conflict", "a failed certification of MySQL's group replication", [3101]],
  ["conflict", "TiDB's write conflicts and schema changes, by its documentation; no test", [8002, 8022, 8028, 9007]],
  ["unavailable", "a full disk or table", [1021, 1114]],
  ["unavailable", "too many connections, of all users or of this one", [1040, 1203, 1226]],
  ["unavailable", "denied access, or a missing privilege", [1044, 1045, 1142, 1227]],
  [
    "unavailable",
    "an unknown database, table or column, or a text that the server cannot read",
    [1049, 1054, 1064, 1146],
  ],
  ["unavailable", "a server that is read-only", [1290, 1792, 1836]],
  ["unavailable", "a server in offline mode, or that is in no group", [3032, 3796, 6400]],
  ["content", "a missing value", [1048, 1263, 1364]],
  ["content", "an existing key", [DUPLICATE_ENTRY, 1169, 1586, 1859]],
  ["content", "a row of another table that is missing or in use", [1216, 1217, 1451, 1452]],
  [
    "content",
    "a value that is too large, too long or of the wrong form",
    [1264, 1265, 1292, 1300, 1301, 1365, 1366, 1367, 1406, 1411, 1690, 3854],
  ],
  ["content", "a condition of the table", [3819, 4025]],
  ["content", "a row, a text or a whole statement that is too long", [1118, 1162, 1153]],
  ["content", "a statement that is nested too deep, as Vitess nests the lines of a batch", [1473]],
];

const MEANING = new Map<unknown, "conflict" | "unavailable" | "content">(
  ERROR_CODES.flatMap(([means, , codes]) => codes.map((code) => [code, means] as const)),
);

export const mysqlFailures: Failures = {
  known(error) {
    const { errno, code } = causeOf(error);
    if (code === SESSION_REFUSED) return "unavailable";
    return MEANING.get(errno) ?? (LOST_CODES.has(code) ? "lost" : undefined);
  },
  isTimeout(error) {
    const { errno, code } = causeOf(error);
    return TIMED_OUT.has(errno) || code === TIMED_OUT_CODE;
  },
  isDuplicateKey: (error) => causeOf(error).errno === DUPLICATE_ENTRY,
};
