import type { BenchMerchant } from "../../testbed/directory/directory.ts";

/** The number of attacking addresses. Some connections share an address. */
export const ADDRESSES = 12;
/** The n-th attacking address, counted from 1. In Linux all of 127.0.0.0/8 are local addresses. */
export const addressOf = (n: number): string => `127.66.0.${n}`;

/** The order that starts a process of hostile connections. */
export interface Attack {
  readonly kind: "attack";
  readonly seed: number;
  readonly connections: number;
  /** Only kinds whose name has this text attack; empty: all kinds. */
  readonly kinds: string;
  readonly ports: {
    readonly rest: number;
    readonly grpc: number;
    readonly internalGrpc: number;
    readonly internalHttp: number;
  };
  /** A merchant of the service that attacks it with valid signatures. */
  readonly merchant: Pick<BenchMerchant, "code" | "secret">;
}

/** The answer to `{kind: "end"}`: every connection is closed. */
export interface Ended {
  readonly kind: "ended";
  readonly counts: Readonly<Record<string, Count>>;
}

/** The activity of the connections of one kind. */
export interface Count {
  /** The number of connections that were opened. */
  opened: number;
  /** The number of requests, streams or single bytes that were sent, depending on the kind. */
  sent: number;
  /** The number of connections that the service closed. */
  ended: number;
}
