import { causeOf, type Failure, type Failures } from "../../connection/failure.ts";
import { THREAD_ENDED } from "./thread.ts";

/**
 * SQLite's primary result codes. An extended code begins with its primary code, so the first entry that matches is
 * used.
 */
const FAILURES: readonly (readonly [prefix: string, Failure])[] = [
  ["SQLITE_BUSY", "conflict"],
  ["SQLITE_LOCKED", "conflict"],
  ["SQLITE_CONSTRAINT", "content"],
  ["SQLITE_TOOBIG", "content"],
  ["SQLITE_MISMATCH", "content"],
  ["SQLITE_RANGE", "content"],
  ["SQLITE_", "unavailable"],
];
const DUPLICATE_KEY = new Set<unknown>(["SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE"]);

export const sqliteFailures: Failures = {
  failureOf(error) {
    const { code } = causeOf(error);
    if (typeof code !== "string") return "content";
    if (code === THREAD_ENDED || code === "ERR_WORKER_OUT_OF_MEMORY") return "lost";
    return FAILURES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? "content";
  },
  isTimeout: () => false,
  isDuplicateKey: (error) => DUPLICATE_KEY.has(causeOf(error).code),
};
