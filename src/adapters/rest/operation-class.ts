import type { OperationClass } from "../../app/capacity/rate-limits.ts";

const CLASSES: readonly (readonly [RegExp, OperationClass])[] = [
  [/^\/v1\/game\/launch$/, "launch"],
  [/^\/v1\/(?:transactions|rounds)(?:\/|$)/, "transactions"],
  [/^\/v1\/reports(?:\/|$)/, "reports"],
];

/**
 * The class of operations for whose rate limit a call counts, by its raw path. Unknown paths count too, because their
 * nonces are stored like all others.
 */
export const operationOf = (path: string): OperationClass =>
  CLASSES.find(([pattern]) => pattern.test(path))?.[1] ?? "catalog";
