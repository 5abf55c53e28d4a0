import { causeOf, type Failures } from "../../connection/failure.ts";

/** Deadlock, lock wait time-out, record changed since last read (snapshot isolation, Galera). */
const CONFLICT = new Set<unknown>([1213, 1205, 1020]);

/** A statement took too long: the server's own limit (MariaDB; MySQL and TiDB), and ours. */
const TIMED_OUT = new Set<unknown>([1969, 3024]);
export const TIMED_OUT_CODE = "PROTOCOL_SEQUENCE_TIMEOUT";

/**
 * Shutdown, interrupted, killed, node outside the cluster's majority, error during commit: of 76 inserts lost so, 49
 * had committed.
 */
const LOST = new Set<unknown>([1047, 1053, 1180, 1317, 1927, 3169, 4031, ...TIMED_OUT]);
const LOST_CODES = new Set<unknown>([
  "PROTOCOL_CONNECTION_LOST",
  TIMED_OUT_CODE,
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
 * Disk full, table full, too many connections, access denied, unknown database, table or column, syntax, no privilege,
 * read-only.
 */
const UNAVAILABLE = new Set<unknown>([
  1021, 1040, 1044, 1045, 1049, 1054, 1064, 1114, 1142, 1146, 1203, 1226, 1290, 1792, 1836,
]);

const DUPLICATE_ENTRY = 1062;

export const mysqlFailures: Failures = {
  failureOf(error) {
    const { errno, code, fatal } = causeOf(error);
    if (CONFLICT.has(errno)) return "conflict";
    if (UNAVAILABLE.has(errno)) return "unavailable";
    return LOST.has(errno) || LOST_CODES.has(code) || fatal === true ? "lost" : "content";
  },
  isTimeout(error) {
    const { errno, code } = causeOf(error);
    return TIMED_OUT.has(errno) || code === TIMED_OUT_CODE;
  },
  isDuplicateKey: (error) => causeOf(error).errno === DUPLICATE_ENTRY,
};
