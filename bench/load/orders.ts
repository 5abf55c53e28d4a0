/** The orders for the load generator, and its messages. */

export type Target =
  /** A provider's calls: bets and the calls of the mix. */
  | {
      readonly protocol: "grpc";
      readonly address: string;
      readonly apiKey: string;
      readonly currency: string;
      readonly sessions: readonly string[];
      readonly connections: number;
      /** Some of the sessions above. Their results are counted separately, and their calls are not timed. */
      readonly notMeasured?: readonly string[];
      /** Absent: only bets. */
      readonly mix?: Mix;
      /** What the lean client sends for one round; absent: a bet. All its calls count as one. */
      readonly round?: RoundCalls;
      /** Use the client with prepared frames, whose calls cost a tenth of grpc-js' CPU time. */
      readonly lean?: true;
    }
  /** Signed GETs of one path of the operator API. The calls use the merchants in turn and claim this many addresses. */
  | {
      readonly protocol: "rest";
      readonly origin: string;
      readonly path: string;
      readonly merchants: readonly { readonly code: string; readonly secret: string }[];
      readonly addresses: number;
      readonly connections: number;
    }
  /** An upstream's bets by its own API, sent to its connector. Each caller of this target signs its calls beforehand. */
  | {
      readonly protocol: "connector";
      readonly api: "hub88" | "evolution";
      readonly origin: string;
      readonly game: string;
      readonly currency: string;
      readonly players: readonly { readonly user: string; readonly token: string }[];
      readonly connections: number;
      /** The upstream's key in PEM. */
      readonly privateKey: string;
      /** The number of calls that are signed beforehand, and a name for these calls. */
      readonly prepared: number;
      readonly window: string;
    }
  /** The wallet itself, called with the body of a bet. */
  | { readonly protocol: "http"; readonly url: string };

/**
 * The calls of a round with a win. `bet, win`: PlaceBet, then PayWin. `bet, its win`: the win names its bet. `play`: one
 * call for both. `..., end`: the win ends the round.
 */
export type RoundCalls = "bet, win" | "bet, its win" | "play" | "bet, win, end" | "play, end";

/** The shares of a provider's calls that are not bets. */
interface Mix {
  readonly wins: number;
  /** Refunds of earlier successful bets. */
  readonly refunds: number;
  /** Repeats of earlier requests. Every bet with the answer PENDING is repeated in addition. */
  readonly repeats: number;
}

export type Order = (
  | /** This many callers. Each makes its next call as soon as its last call is answered. */
  {
      readonly kind: "closed";
      readonly target: Target;
      readonly concurrency: number;
      readonly warmUpMs: number;
      readonly measureMs: number;
    }
  /** Calls at a fixed rate with random intervals (a Poisson process), even when answers are slow. */
  | {
      readonly kind: "open";
      readonly target: Target;
      readonly perSecond: number;
      readonly warmUpMs: number;
      readonly measureMs: number;
    }
  /** This many calls at once, begun within this time. A call that gets OVERLOADED is repeated. */
  | { readonly kind: "flood"; readonly target: Target; readonly count: number; readonly withinMs: number }
) & {
  /** A file that gets a line for each call: tx_id, kind of call, result. */
  readonly history?: string;
};

export type LoadMessage =
  | { readonly kind: "ready" }
  /** The warm-up is over. The measured window begins. */
  | { readonly kind: "begin" }
  | { readonly kind: "end"; readonly measured: Measured };

export interface Measured {
  /** Length of the window. */
  readonly windowMs: number;
  /** Calls answered with SUCCESS in the window. */
  readonly succeeded: number;
  /**
   * Calls answered since the window began, including those in flight at the window's end. The CPU time was spent on
   * these calls.
   */
  readonly answered: number;
  /**
   * The number of each other result. If there are results that the order did not expect, the run's figures are not
   * valid.
   */
  readonly others: Readonly<Record<string, number>>;
  /** The results of the calls that were not measured. */
  readonly notMeasured: Readonly<Record<string, number>>;
  readonly latencyMs: Percentiles;
  /** The times from a call to the answer OVERLOADED. */
  readonly refusedMs: Percentiles;
  /** How late an open loop sent its calls. Its latencies begin when a call is sent. */
  readonly latenessMs: Percentiles | null;
}

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}
