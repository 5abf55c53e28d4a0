import { StoreUnavailable } from "../../../ports/store-unavailable.ts";

/**
 * What a failed statement means for whoever sent it.
 * - `conflict`: rolled back for another's sake; the same statement may succeed now.
 * - `lost`: nobody knows whether it was applied.
 * - `unavailable`: the database can't serve anyone's statement (read-only, full, no rights, wrong schema).
 * - `content`: everything else; some row in it is not acceptable.
 */
export type Failure = "conflict" | "lost" | "unavailable" | "content";

/** Deadlock, lock wait time-out, record changed since last read (snapshot isolation, Galera). */
const CONFLICT = new Set<unknown>([1213, 1205, 1020]);

/** Time-outs of a statement: the server's own limit (MariaDB; MySQL and TiDB), and ours. */
const TIMED_OUT = new Set<unknown>([1969, 3024]);
const TIMED_OUT_CODE = "PROTOCOL_SEQUENCE_TIMEOUT";

/** Shutdown, interrupted, killed, node outside the cluster's majority, error during commit: 49 of 76 inserts lost so had committed. */
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

/** Disk full, table full, too many connections, access denied, unknown database, table or column, syntax, no privilege, read-only. */
const UNAVAILABLE = new Set<unknown>([1021, 1040, 1044, 1045, 1049, 1054, 1064, 1114, 1142, 1146, 1203, 1226, 1290, 1792, 1836]);

/** SQLite's primary result codes; extended ones begin with them. */
const SQLITE: readonly (readonly [string, Failure])[] = [
  ["SQLITE_BUSY", "conflict"],
  ["SQLITE_LOCKED", "conflict"],
  ["SQLITE_CONSTRAINT", "content"],
  ["SQLITE_TOOBIG", "content"],
  ["SQLITE_MISMATCH", "content"],
  ["SQLITE_RANGE", "content"],
  ["SQLITE_", "unavailable"],
];

export function failureOf(error: unknown): Failure {
  if (error instanceof StoreUnavailable) return "unavailable";
  const { errno, code, name, fatal } = (error ?? {}) as { errno?: unknown; code?: unknown; name?: unknown; fatal?: unknown };
  if (CONFLICT.has(errno)) return "conflict";
  if (UNAVAILABLE.has(errno)) return "unavailable";
  // Knex gave up waiting: for a free connection, or for the statement's answer.
  if (LOST.has(errno) || LOST_CODES.has(code) || name === "KnexTimeoutError" || fatal === true) return "lost";
  if (typeof code === "string") for (const [prefix, failure] of SQLITE) if (code.startsWith(prefix)) return failure;
  return "content";
}

/** It took longer than a statement may: sent again it would most likely take as long. */
export function isTimeout(error: unknown): boolean {
  const { errno, code } = (error ?? {}) as { errno?: unknown; code?: unknown };
  return TIMED_OUT.has(errno) || code === TIMED_OUT_CODE;
}
