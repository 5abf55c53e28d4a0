import { StoreUnavailable } from "../../../ports/store-unavailable.ts";

/**
 * What the error of a statement means for its sender.
 * - `conflict`: the database rolled the statement back in favour of another statement. The same statement may succeed
 *   now.
 * - `unavailable`: the database can't run any statement (read-only, full, no rights, wrong schema).
 * - `content`: the database does not accept some row of the statement. Nothing was written.
 * - `lost`: any other error of the database. The statement may or may not have been applied.
 * - `foreign`: an error of this program, which the database did not cause.
 *
 * The first three have lists of known errors. So an error that is in no list is never taken for a statement that wrote
 * nothing.
 */
export type Failure = "conflict" | "unavailable" | "content" | "lost" | "foreign";

/** The meaning of one database's errors. */
export interface Failures {
  /** @returns undefined if the error is in no list. */
  known(error: unknown): Exclude<Failure, "foreign"> | undefined;
  /** Whether the statement took longer than it may. A repeat would most likely take as long. */
  isTimeout(error: unknown): boolean;
  /** Whether a row of the INSERT has the same key as an existing row. */
  isDuplicateKey(error: unknown): boolean;
}

/** The fields of an error that show its cause. */
export const causeOf = (error: unknown): Partial<Record<"errno" | "code" | "name" | "fatal" | "sqlState", unknown>> =>
  (error ?? {}) as object;

/** The errors with which a driver ended a statement, whatever their form. */
const byDriver = new WeakSet<object>();

/** Notes that a driver ended a statement with this error, and throws the error. */
export function throwDriverError(error: unknown): never {
  if (typeof error === "object" && error !== null) byDriver.add(error);
  throw error;
}

export function failureOf({ failures }: { readonly failures: Failures }, error: unknown): Failure {
  if (error instanceof StoreUnavailable) return "unavailable";
  const known = failures.known(error);
  if (known !== undefined) return known;
  const { errno, sqlState, fatal, name } = causeOf(error);
  // Knex stopped waiting for a free connection or for the statement's answer.
  const isOfDatabase = name === "KnexTimeoutError" || errno !== undefined || sqlState !== undefined || fatal === true;
  return isOfDatabase || byDriver.has(error as object) ? "lost" : "foreign";
}
