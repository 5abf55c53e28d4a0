import type { BenchMerchant } from "../../testbed/directory/directory.ts";

/** The order that starts a process of hostile connections. */
export interface Attack {
  readonly kind: "attack";
  readonly seed: number;
  readonly connections: number;
  /** Kinds whose name has this text attack; empty: all. */
  readonly kinds: string;
  readonly ports: { readonly rest: number; readonly grpc: number; readonly internalGrpc: number; readonly internalHttp: number };
  /** A merchant of the service that has turned against it: its signatures are right. */
  readonly merchant: Pick<BenchMerchant, "code" | "secret">;
}

/** Its answer to `{kind: "end"}`: every connection is closed. */
export interface Ended {
  readonly kind: "ended";
  readonly counts: Readonly<Record<string, Count>>;
}

/** The counts of the connections of one kind. */
export interface Count {
  /** Connections that were opened, one after another. */
  opened: number;
  /** Requests, streams or single bytes that were sent: what the kind is made of. */
  sent: number;
  /** Connections that the service ended. */
  ended: number;
}
