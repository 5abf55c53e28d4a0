import { SILENCES } from "../../../contract/wallet/results.ts";

/** The definition of a metric, for Prometheus and for docs/metrics.md. */
export interface Definition {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  /** The meaning of each label's values. */
  readonly labels: Readonly<Record<string, string>>;
  /** The upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
  /** How the values of several processes on the same ports are combined; as a sum by default. */
  readonly aggregator?: "sum" | "max" | "min";
}

/**
 * The number of merchants that have their own label. All other merchants together have the label `other`, so the number
 * of series is limited.
 */
export const MERCHANTS_MAX = 50;
const MERCHANT = `a merchant's code. The ${MERCHANTS_MAX} merchants with the highest numbers have their own value; all others share \`other\``;

const CAUSES = Object.keys(SILENCES)
  .map((cause) => `\`${cause}\``)
  .join(", ")
  .replace(/, ([^,]+)$/, " or $1");

const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The service's own metrics. `npm run metrics` writes docs/metrics.md from them. */
export const METRICS = {
  aggregator_transactions_total: {
    type: "counter",
    help: "Requests for a bet, win, refund or rollback, by their answer.",
    labels: {
      action: "`bet`, `win`, `refund` or `rollback`",
      outcome: "`success`, `failed` (the wallet rejected it), `pending` (no answer of the wallet yet) or `refused`",
    },
  },
  aggregator_transactions_in_flight: {
    type: "gauge",
    help: "Transactions in work on this replica. MAX_IN_FLIGHT is their limit.",
    labels: {},
  },
  aggregator_transactions_in_flight_limit: {
    type: "gauge",
    help: "MAX_IN_FLIGHT: the most transactions in work on this replica.",
    labels: {},
  },
  aggregator_transactions_pending: {
    type: "gauge",
    aggregator: "max",
    help: "Pending transactions, without first attempts in flight. Every replica counts those of all replicas: take the maximum, not the sum.",
    labels: {
      merchant: MERCHANT,
      older_than: "the minimum age: `0`, `1m`, `10m`, `1h`, `1d` or `3d`. Each contains the higher ages",
    },
  },
  aggregator_credits_failed_total: {
    type: "counter",
    help: "Wins and refunds that a wallet rejected. The merchant owes this money to a player, except for a refund of a bet that took nothing.",
    labels: {},
  },
  aggregator_credits_failed_amount_total: {
    type: "counter",
    help: "The money of the rejected wins and refunds, in whole units of the currency.",
    labels: { currency: "the code of ISO 4217" },
  },
  aggregator_alerts_total: {
    type: "counter",
    help: "Alerts of the service. Each also is a log line with the field alert.",
    labels: { alert: "its name in the [list of alerts](specification/operations.md#ops-alerts)" },
  },
  aggregator_internal_errors_total: {
    type: "counter",
    help: "Faults of the service itself or of its database. Each is a line in the log.",
    labels: {},
  },
  aggregator_wrong_keys_total: {
    type: "counter",
    help: "Calls without a valid API key.",
    labels: { key_kind: "the kind of key that the call needed: `admin`, `provider` or `sportsbook`" },
  },
  aggregator_rpc_calls_total: {
    type: "counter",
    help: "Calls over gRPC, Connect and gRPC-Web that reached their method.",
    labels: {
      service: "the full name of the service",
      method: "the name of the method",
      code: "the status of gRPC, such as `OK` or `RESOURCE_EXHAUSTED`",
      error:
        "the code of the [refusal](specification/errors.md), such as `OVERLOADED`. Calls that were not refused do not have this label",
      cause:
        "`wallet` if one merchant's wallet caused the refusal: it gave no answer, or its calls in progress use all its permits. All other calls do not have this label",
    },
  },
  aggregator_rpc_duration_seconds: {
    type: "histogram",
    help: "The time from a call's arrival at its method to its last response.",
    labels: { service: "as above", method: "as above" },
    buckets: CALL_SECONDS,
  },
  aggregator_http_requests_total: {
    type: "counter",
    help: "Requests to the REST port.",
    labels: {
      method: "`GET`, `POST` and so on; `other` for unusual methods",
      route:
        "the path's pattern, such as `/v1/transactions/{tx_id}`; `/health`; `pages` for everything else outside `/v1`; `none` for unknown paths and calls refused before routing",
      status: "the HTTP status",
    },
  },
  aggregator_http_request_duration_seconds: {
    type: "histogram",
    help: "The time from a request's headers to the end of its response.",
    labels: { method: "as above", route: "as above" },
    buckets: CALL_SECONDS,
  },
  aggregator_wallet_calls_total: {
    type: "counter",
    help: "Calls of merchants' wallets.",
    labels: {
      merchant: MERCHANT,
      result: `\`accepted\`, \`rejected\`, or the cause of silence: ${CAUSES}`,
    },
  },
  aggregator_wallet_call_duration_seconds: {
    type: "histogram",
    help: "The time from a wallet call's start to its answer or its end without an answer.",
    labels: { merchant: MERCHANT },
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8],
  },
  aggregator_wallets_limited: {
    type: "gauge",
    aggregator: "max",
    help: "Merchants whose wallet is silent, so that the circuit breaker limits its calls on this replica.",
    labels: {},
  },
  aggregator_wallet_permits: {
    type: "gauge",
    help: "Wallet calls at a time that the circuit breaker allows, for merchants that it limits.",
    labels: {
      merchant: `a merchant's code; of at most ${MERCHANTS_MAX} merchants, those with the fewest permits first`,
    },
  },
  aggregator_batch_rows: {
    type: "histogram",
    help: "Rows of one statement that changes or reads transactions. Under load more rows share a statement.",
    labels: {
      kind: "what the statement does: `claim`, `settle`, `read`, `take_over`, `adopt`, `mark`, `seal`, `settle_bet` or `schedule`",
    },
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  },
  aggregator_batch_duration_seconds: {
    type: "histogram",
    help: "The time of such a batch with all its statements and their repeats.",
    labels: { kind: "as above" },
    buckets: STATEMENT_SECONDS,
  },
  aggregator_batch_errors_total: {
    type: "counter",
    help: "Batches whose result the database did not give.",
    labels: { kind: "as above" },
  },
  aggregator_statement_duration_seconds: {
    type: "histogram",
    help: "The time of one statement at the database, without the wait for a connection.",
    labels: { statement: "its verb and its first table, such as `insert tx`" },
    buckets: STATEMENT_SECONDS,
  },
  aggregator_statement_errors_total: {
    type: "counter",
    help: "Statements that failed. Most are repeated, such as those after a deadlock.",
    labels: { statement: "as above" },
  },
  aggregator_database_connections: {
    type: "gauge",
    help: "Connections to the database, and requests that wait for one.",
    labels: {
      pool: "`recurring` (claims and settles), `writes`, `decisive` (reads that decide) or `selecting` (listings and reports)",
      state: "`used`, `idle`, or `waiting` for requests that wait for a connection",
    },
  },
  aggregator_trace_spans_total: {
    type: "counter",
    help: "Spans of traces that have left this process. There are none unless traces are on.",
    labels: {
      result:
        "`exported`, `dropped` (too many spans waited for the receiver) or `failed` (the receiver did not take them)",
    },
  },
  aggregator_settings_age_seconds: {
    type: "gauge",
    aggregator: "max",
    help: "The age of this replica's settings. Above 1 s requests wait, and above 8 s the replica is not ready.",
    labels: {},
  },
  aggregator_feed_lag_seconds: {
    type: "gauge",
    aggregator: "max",
    help: "The time for which the oldest change on this replica has waited for its number in the feed.",
    labels: {},
  },
  aggregator_feed_scan_age_seconds: {
    type: "gauge",
    aggregator: "max",
    help: "The time since this replica last began to look for changes of all replicas. Usually below 2 s.",
    labels: {},
  },
  aggregator_event_loop_late_seconds_total: {
    type: "counter",
    help: "The time for which the event loop stood still, in delays above 0.1 s each. Two such delays within a second refuse bets.",
    labels: {},
  },
  aggregator_processes: {
    type: "gauge",
    help: "Processes that serve this replica's ports: its workers, or 1 without workers.",
    labels: {},
  },
  aggregator_worker_restarts_total: {
    type: "counter",
    help: "Workers that ended by themselves, and that the supervisor starts again. 0 without workers.",
    labels: {},
  },
  aggregator_ready: {
    type: "gauge",
    aggregator: "min",
    help: "1 if this replica is ready, as GET /health/ready says; else 0.",
    labels: {},
  },
  aggregator_replicas: {
    type: "gauge",
    aggregator: "max",
    help: "Live replicas, as this replica counts them by their heartbeats.",
    labels: {},
  },
} as const satisfies Readonly<Record<string, Definition>>;

export type MetricName = keyof typeof METRICS;
