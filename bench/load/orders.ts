/** The orders for the load generator, and its messages. */

export type Target =
  /** The provider's calls: bets, and what the mix says. */
  | {
      readonly protocol: "grpc";
      readonly address: string;
      readonly apiKey: string;
      readonly currency: string;
      readonly sessions: readonly string[];
      readonly connections: number;
      /** Sessions among those above whose answers are counted apart and not timed. */
      readonly aside?: readonly string[];
      /** Absent: bets alone. */
      readonly mix?: Mix;
      /** With frames made ready beforehand: a tenth of grpc-js' CPU time a call. */
      readonly lean?: true;
    }
  /** Signed GETs of a path of the operator API, of these merchants in turns, as from so many addresses. */
  | {
      readonly protocol: "rest";
      readonly origin: string;
      readonly path: string;
      readonly merchants: readonly { readonly code: string; readonly secret: string }[];
      readonly addresses: number;
      readonly connections: number;
    }
  /** The wallet itself, with the body of a bet. */
  | { readonly protocol: "http"; readonly url: string };

/** The shares of a provider's calls that are not bets. */
interface Mix {
  readonly wins: number;
  /** Of a bet that succeeded before. */
  readonly refunds: number;
  /** The same request once more; every bet that was answered pending is repeated besides. */
  readonly repeats: number;
}

export type Order = (
  | /** So many callers, each with the next call as soon as the last is answered. */
  {
      readonly kind: "closed";
      readonly target: Target;
      readonly concurrency: number;
      readonly warmUpMs: number;
      readonly measureMs: number;
    }
  /** Calls at a rate, in random intervals (a Poisson process), however slowly they are answered. */
  | {
      readonly kind: "open";
      readonly target: Target;
      readonly perSecond: number;
      readonly warmUpMs: number;
      readonly measureMs: number;
    }
  /** So many calls under way together, begun within this time; one that was refused for overload is tried again. */
  | { readonly kind: "flood"; readonly target: Target; readonly count: number; readonly withinMs: number }
) & {
  /** A file that gets a line for each call: tx_id, what was asked, how it ended. */
  readonly history?: string;
};

export type LoadMessage =
  | { readonly kind: "ready" }
  /** The warm-up is over, the window begins. */
  | { readonly kind: "begin" }
  | { readonly kind: "end"; readonly measured: Measured };

export interface Measured {
  /** Length of the window. */
  readonly windowMs: number;
  /** Calls answered with SUCCESS in the window. */
  readonly succeeded: number;
  /**
   * Calls answered since the window began, those that were still under way at its end included: what the CPU time was
   * spent on.
   */
  readonly answered: number;
  /** Whatever else was answered, by name: a run with any of these measured something else, unless it asked for them. */
  readonly others: Readonly<Record<string, number>>;
  /** How the calls ended that were not measured. */
  readonly aside: Readonly<Record<string, number>>;
  readonly latencyMs: Percentiles;
  /** The times until a refusal for overload. */
  readonly refusedMs: Percentiles;
  /** How late an open loop sent; its latencies count from the sending. */
  readonly latenessMs: Percentiles | null;
}

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}
