import { StoreUnavailable } from "../../../ports/store-unavailable.ts";

/**
 * What the error of a statement means for its sender.
 * - `conflict`: the database rolled the statement back in favour of another one. The same statement may succeed now.
 * - `lost`: nobody knows whether the statement was applied.
 * - `unavailable`: the database can't serve anyone's statement (read-only, full, no rights, wrong schema).
 * - `content`: anything else. Some row in the statement is not acceptable.
 */
export type Failure = "conflict" | "lost" | "unavailable" | "content";

/** The meaning of one database's errors. */
export interface Failures {
  failureOf(error: unknown): Failure;
  /** The statement took longer than it may. Sent again, it would most likely take as long. */
  isTimeout(error: unknown): boolean;
  /** A row of the INSERT has the key of a row that is there already. */
  isDuplicateKey(error: unknown): boolean;
}

/** The fields by which an error tells its cause. */
export const causeOf = (error: unknown): { errno?: unknown; code?: unknown; name?: unknown; fatal?: unknown } =>
  (error ?? {}) as object;

export function failureOf({ failures }: { readonly failures: Failures }, error: unknown): Failure {
  if (error instanceof StoreUnavailable) return "unavailable";
  // Knex gave up waiting for a free connection or for the statement's answer.
  if (causeOf(error).name === "KnexTimeoutError") return "lost";
  return failures.failureOf(error);
}
