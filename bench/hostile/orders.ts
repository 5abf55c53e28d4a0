import type { BenchMerchant } from "../../testbed/directory/directory.ts";

/** As many addresses attack: some connections share one. */
export const ADDRESSES = 12;
/** The n-th of them, from 1 on. Linux takes all of 127.0.0.0/8 for its own. */
export const addressOf = (n: number): string => `127.66.0.${n}`;

/** What a process of hostile connections is told at its start. */
export interface Attack {
  readonly kind: "attack";
  readonly seed: number;
  readonly connections: number;
  /** Kinds whose name has this text attack; empty: all. */
  readonly kinds: string;
  readonly ports: {
    readonly rest: number;
    readonly grpc: number;
    readonly internalGrpc: number;
    readonly internalHttp: number;
  };
  /** A merchant of the service that has turned against it: its signatures are right. */
  readonly merchant: Pick<BenchMerchant, "code" | "secret">;
}

/** Its answer to `{kind: "end"}`: every connection is closed. */
export interface Ended {
  readonly kind: "ended";
  readonly counts: Readonly<Record<string, Count>>;
}

/** What the connections of one kind did. */
export interface Count {
  /** Connections that were opened, one after another. */
  opened: number;
  /** Requests, streams or single bytes that were sent: what the kind is made of. */
  sent: number;
  /** Connections that the service ended. */
  ended: number;
}
