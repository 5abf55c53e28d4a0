import { StoreUnavailable } from "../../../ports/store-unavailable.ts";

/**
 * What the error of a statement means for its sender.
 * - `conflict`: the database rolled the statement back in favour of another statement. The same statement may succeed
 *   now.
 * - `lost`: the statement may or may not have been applied.
 * - `unavailable`: the database can't run any statement (read-only, full, no rights, wrong schema).
 * - `content`: any other error. The database does not accept some row of the statement.
 */
export type Failure = "conflict" | "lost" | "unavailable" | "content";

/** The meaning of one database's errors. */
export interface Failures {
  failureOf(error: unknown): Failure;
  /** Whether the statement took longer than it may. A repeat would most likely take as long. */
  isTimeout(error: unknown): boolean;
  /** Whether a row of the INSERT has the same key as an existing row. */
  isDuplicateKey(error: unknown): boolean;
}

/** The fields of an error that show its cause. */
export const causeOf = (error: unknown): { errno?: unknown; code?: unknown; name?: unknown; fatal?: unknown } =>
  (error ?? {}) as object;

export function failureOf({ failures }: { readonly failures: Failures }, error: unknown): Failure {
  if (error instanceof StoreUnavailable) return "unavailable";
  // Knex stopped waiting for a free connection or for the statement's answer.
  if (causeOf(error).name === "KnexTimeoutError") return "lost";
  return failures.failureOf(error);
}
