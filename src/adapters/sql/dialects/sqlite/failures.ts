import { causeOf, type Failure, type Failures } from "../../connection/failure.ts";
import { UNBOUND } from "./compiled.ts";
import { THREAD_ENDED } from "./thread.ts";

/**
 * SQLite's primary result codes. An extended code begins with its primary code. After any other code (such as
 * SQLITE_IOERR, SQLITE_NOMEM and SQLITE_INTERRUPT) the statement may have been applied.
 */
const FAILURES: readonly (readonly [prefix: string, Exclude<Failure, "foreign">])[] = [
  ["SQLITE_BUSY", "conflict"],
  ["SQLITE_LOCKED", "conflict"],
  ["SQLITE_CONSTRAINT", "content"],
  ["SQLITE_TOOBIG", "content"],
  ["SQLITE_MISMATCH", "content"],
  ["SQLITE_RANGE", "content"],
  // SQLITE_ERROR is an error in the statement's text, above all an unknown table.
  ["SQLITE_ERROR", "unavailable"],
  ["SQLITE_FULL", "unavailable"],
  ["SQLITE_READONLY", "unavailable"],
  ["SQLITE_CANTOPEN", "unavailable"],
  ["SQLITE_CORRUPT", "unavailable"],
  ["SQLITE_NOTADB", "unavailable"],
  ["SQLITE_PERM", "unavailable"],
  ["SQLITE_AUTH", "unavailable"],
  ["SQLITE_SCHEMA", "unavailable"],
  ["SQLITE_", "lost"],
  [UNBOUND, "content"],
  [THREAD_ENDED, "lost"],
  ["ERR_WORKER_OUT_OF_MEMORY", "lost"],
];
const DUPLICATE_KEY = new Set<unknown>(["SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE"]);

export const sqliteFailures: Failures = {
  known(error) {
    const { code } = causeOf(error);
    return typeof code === "string" ? FAILURES.find(([prefix]) => code.startsWith(prefix))?.[1] : undefined;
  },
  isTimeout: () => false,
  isDuplicateKey: (error) => DUPLICATE_KEY.has(causeOf(error).code),
};
