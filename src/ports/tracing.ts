import type { Action } from "../domain/transaction/transaction.ts";

/** What a span says about its step. No field may hold a secret, an amount, or a player's data. */
export interface SpanFields {
  readonly action?: Action;
  /** The merchant's code. */
  readonly merchant?: string;
  /** The transaction's id as merchants see it. */
  readonly txId?: string;
  /** The number of the wallet call: 1, 2, 3 ... */
  readonly attempt?: number;
  /** The X-Request-Id of the wallet call. */
  readonly requestId?: string | null;
  readonly httpStatus?: number | null;
  /** How the step ended, for example `success`, `refused` or `timeout`. */
  readonly outcome?: string;
  /** The number of rows in the batch that the row of this transaction was part of. */
  readonly batchRows?: number;
  /** Whether the request shared the run of an earlier request for the same transaction. */
  readonly shared?: boolean;
}

/** A span of a sampled trace. No method throws or waits. */
export abstract class Span {
  /** The trace's id: 32 hexadecimal digits. */
  abstract readonly traceId: string;
  /** The value of the header `traceparent` for a call that is made in this span (W3C Trace Context). */
  abstract readonly traceparent: string;
  /** Begins a call to the outside within this span. */
  abstract begin(name: string, fields: SpanFields): Span;
  /** Adds a call to the outside that has just ended. */
  abstract add(name: string, durationMs: number, failed: boolean, fields: SpanFields): void;
  abstract set(fields: SpanFields): void;
  /** Ends the span. Call this once. */
  abstract end(failed: boolean, fields: SpanFields): void;
}

/** Begins traces. The use cases get null instead if traces are off. No method throws or waits. */
export abstract class Tracing {
  /**
   * Begins the span of a request. `undefined`: the request is not sampled.
   *
   * @param traceparent - the caller's header `traceparent`; null or invalid: the request begins a trace of its own.
   */
  abstract request(name: string, traceparent: string | null): Span | undefined;
  /** Begins a trace for work that no request waits for. `undefined`: it is not sampled. */
  abstract work(name: string): Span | undefined;
}
