import type { Node } from "./schemas.ts";

/** One call of the API, or one call of the service to a wallet. */
export interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly method: string;
  /** The path of the call's address; null: the service calls the merchant's walletUrl. */
  readonly path: string | null;
  readonly node: Node;
}

/** All operations of the description in their order: first those of the paths, then the callbacks to a wallet. */
export function operationsOf(description: Node): Operation[] {
  const calls = Object.entries(description.paths as Paths).flatMap(([path, methods]) => operationsAt(path, methods));
  const callbacks = calls.flatMap(({ node }) =>
    Object.values((node.callbacks ?? {}) as Readonly<Record<string, Paths>>),
  );
  return [...calls, ...callbacks.flatMap((paths) => Object.values(paths).flatMap((one) => operationsAt(null, one)))];
}

type Paths = Readonly<Record<string, Readonly<Record<string, Node>>>>;

const operationsAt = (path: string | null, methods: Readonly<Record<string, Node>>): Operation[] =>
  Object.entries(methods).map(([method, node]) => ({
    id: String(node.operationId),
    tag: String((node.tags as readonly string[])[0]),
    summary: String(node.summary),
    method,
    path,
    node,
  }));
