import type { OperationClass } from "../../app/capacity/rate-limits.ts";

const CLASSES: readonly (readonly [RegExp, OperationClass])[] = [
  [/^\/v1\/game\/launch$/, "launch"],
  [/^\/v1\/(?:transactions|rounds)(?:\/|$)/, "transactions"],
  [/^\/v1\/reports(?:\/|$)/, "reports"],
];

/** Whose limit a call counts for, by its raw path. Paths that don't exist count, too: the nonce of such a call is written like any other. */
export const operationOf = (path: string): OperationClass => CLASSES.find(([pattern]) => pattern.test(path))?.[1] ?? "catalog";
