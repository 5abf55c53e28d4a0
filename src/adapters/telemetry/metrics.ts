import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Refusal } from "../../domain/errors.ts";
import { CURRENCIES } from "../../domain/values/money.ts";
import type { MetricValues } from "../../ports/metric-values.ts";
import { ALERTS, type AlertName, type KeyKind } from "../../ports/telemetry.ts";
import { type Definition, MERCHANTS_MAX, METRICS, type MetricName } from "./definitions.ts";
import { OTHER, TopMerchants } from "./top-merchants.ts";

/** The values that are read anew at each request for the metrics. */
export interface Readings {
  /** The merchants whose wallets are silent, and the number of wallet permits that each merchant has now. */
  readonly limitedMerchants: () => readonly { readonly merchant: string; readonly limit: number }[];
  readonly inFlight: () => number;
  readonly inFlightLimit: number;
  /** The time for which the event loop has stood still since the start. It never falls. */
  readonly eventLoopLateMs: () => number;
  readonly settingsAgeMs: () => number;
  readonly feedLagMs: () => number;
  readonly feedScanAgeMs: () => number;
  readonly ready: () => boolean;
  readonly replicas: () => number;
  readonly connections: () => readonly {
    readonly pool: string;
    readonly used: number;
    readonly idle: number;
    readonly waiting: number;
  }[];
  /** The numbers of pending transactions by merchant and minimum age; empty: they could not be read. */
  readonly pending: () => Promise<readonly Pending[]>;
}

/** How an rpc has ended, with the status of gRPC. */
interface RpcCall {
  readonly service: string;
  readonly method: string;
  readonly code: string;
  readonly refusal: Refusal | undefined;
  readonly seconds: number;
}

interface Pending {
  readonly merchant: string;
  readonly olderThan: string;
  readonly count: number;
}

/**
 * How the supervisor combines metrics about Node and the process, where it is not as prom-client does. A sum would hide
 * a worker that has no file descriptor left.
 */
const AGGREGATORS: Readonly<Record<string, string>> = { process_open_fds: "max", process_max_fds: "min" };

const HTTP_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** All metrics of the service. `definitions.ts` has their meaning. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #transactions = this.#counter("aggregator_transactions_total");
  readonly #creditsFailed = this.#counter("aggregator_credits_failed_total");
  readonly #creditsFailedAmount = this.#counter("aggregator_credits_failed_amount_total");
  readonly #alerts = this.#counter("aggregator_alerts_total");
  readonly #internalErrors = this.#counter("aggregator_internal_errors_total");
  readonly #wrongKeys = this.#counter("aggregator_wrong_keys_total");
  readonly #rpcCalls = this.#counter("aggregator_rpc_calls_total");
  readonly #rpcDuration = this.#histogram("aggregator_rpc_duration_seconds");
  readonly #httpRequests = this.#counter("aggregator_http_requests_total");
  readonly #httpDuration = this.#histogram("aggregator_http_request_duration_seconds");
  readonly #walletCalls = this.#counter("aggregator_wallet_calls_total");
  readonly #walletDuration = this.#histogram("aggregator_wallet_call_duration_seconds");
  readonly #batchRows = this.#histogram("aggregator_batch_rows");
  readonly #batchDuration = this.#histogram("aggregator_batch_duration_seconds");
  readonly #batchErrors = this.#counter("aggregator_batch_errors_total");
  readonly #statementDuration = this.#histogram("aggregator_statement_duration_seconds");
  readonly #statementErrors = this.#counter("aggregator_statement_errors_total");
  readonly #traceSpans = this.#counter("aggregator_trace_spans_total");
  /** For each merchant with its own label, the results that its calls have had. */
  readonly #resultsOf = new Map<string, Set<string>>();
  readonly #merchants = new TopMerchants(MERCHANTS_MAX, (merchant) => {
    for (const result of this.#resultsOf.get(merchant) ?? []) this.#walletCalls.remove({ merchant, result });
    this.#resultsOf.delete(merchant);
    this.#walletDuration.remove({ merchant });
  });

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    // The supervisor counts the restarts. A process without a supervisor has none.
    this.#counter("aggregator_worker_restarts_total");
    // Prometheus does not count the step from no series to 1 as a rise. So the series of rare events begin at 0.
    for (const alert of ALERTS) this.#alerts.inc({ alert }, 0);
    for (const currency of CURRENCIES) this.#creditsFailedAmount.inc({ currency }, 0);
    for (const kind of ["admin", "provider", "sportsbook"] as const) this.#wrongKeys.inc({ key_kind: kind }, 0);
  }

  transaction(action: string, outcome: string): void {
    this.#transactions.inc({ action, outcome });
  }

  /** @param amount - in whole units of the currency. */
  creditFailed(currency: string, amount: number): void {
    this.#creditsFailed.inc();
    this.#creditsFailedAmount.inc({ currency }, amount);
  }

  alert(alert: AlertName): void {
    this.#alerts.inc({ alert });
  }

  internalError(): void {
    this.#internalErrors.inc();
  }

  wrongKey(keyKind: KeyKind): void {
    this.#wrongKeys.inc({ key_kind: keyKind });
  }

  readonly rpc = ({ service, method, code, refusal, seconds }: RpcCall): void => {
    const error = refusal && { error: refusal.code };
    const cause = refusal?.cause && { cause: refusal.cause };
    this.#rpcCalls.inc({ service, method, code, ...error, ...cause });
    this.#rpcDuration.observe({ service, method }, seconds);
  };

  readonly http = (sentMethod: string, route: string, status: number, seconds: number): void => {
    const method = HTTP_METHODS.has(sentMethod) ? sentMethod : OTHER;
    this.#httpRequests.inc({ method, route, status: String(status) });
    this.#httpDuration.observe({ method, route }, seconds);
  };

  walletCall(merchantCode: string, result: string, seconds: number): void {
    const merchant = this.#merchants.labelOf(merchantCode);
    if (merchant !== OTHER) {
      const results = this.#resultsOf.get(merchant) ?? new Set();
      this.#resultsOf.set(merchant, results.add(result));
    }
    this.#walletCalls.inc({ merchant, result });
    this.#walletDuration.observe({ merchant }, seconds);
  }

  readonly batch = (kind: string, rows: number, seconds: number, failed: boolean): void => {
    this.#batchRows.observe({ kind }, rows);
    this.#batchDuration.observe({ kind }, seconds);
    this.#batchErrors.inc({ kind }, failed ? 1 : 0);
  };

  readonly statement = (statement: string, seconds: number, failed: boolean): void => {
    this.#statementDuration.observe({ statement }, seconds);
    if (failed) this.#statementErrors.inc({ statement });
  };

  readonly traceSpans = (spans: number, result: string): void => {
    this.#traceSpans.inc({ result }, spans);
  };

  /** Adds the gauges that are read at each request for the metrics. */
  observe(readings: Readings): void {
    const value = (name: MetricName, read: () => number) => this.#gauge(name, (gauge) => gauge.set(read()));
    value("aggregator_processes", () => 1);
    value("aggregator_transactions_in_flight", readings.inFlight);
    value("aggregator_transactions_in_flight_limit", () => readings.inFlightLimit);
    let lateSeconds = 0;
    this.#counter("aggregator_event_loop_late_seconds_total", (counter) => {
      const seconds = readings.eventLoopLateMs() / 1_000;
      counter.inc(seconds - lateSeconds);
      lateSeconds = seconds;
    });
    value("aggregator_settings_age_seconds", () => readings.settingsAgeMs() / 1_000);
    value("aggregator_feed_lag_seconds", () => readings.feedLagMs() / 1_000);
    value("aggregator_feed_scan_age_seconds", () => readings.feedScanAgeMs() / 1_000);
    value("aggregator_ready", () => Number(readings.ready()));
    value("aggregator_replicas", readings.replicas);
    value("aggregator_wallets_limited", () => readings.limitedMerchants().length);
    this.#gauge("aggregator_wallet_permits", (gauge) => {
      gauge.reset();
      const fewestFirst = readings.limitedMerchants().toSorted((a, b) => a.limit - b.limit);
      for (const { merchant, limit } of fewestFirst.slice(0, MERCHANTS_MAX)) gauge.set({ merchant }, limit);
    });
    this.#gauge("aggregator_database_connections", (gauge) => {
      for (const { pool, used, idle, waiting } of readings.connections())
        for (const [state, count] of Object.entries({ used, idle, waiting })) gauge.set({ pool, state }, count);
    });
    this.#gauge("aggregator_transactions_pending", async (gauge) => {
      const pending = bounded(await readings.pending());
      gauge.reset();
      for (const { merchant, olderThan, count } of pending) gauge.inc({ merchant, older_than: olderThan }, count);
    });
  }

  /** The metrics with their values, for a supervisor that combines those of several processes. */
  async values(): Promise<MetricValues[]> {
    const metrics = (await this.#registry.getMetricsAsJSON()) as unknown as MetricValues[];
    return metrics
      .filter(({ aggregator }) => aggregator !== "omit")
      .map((metric) => ({ ...metric, aggregator: AGGREGATORS[metric.name] ?? metric.aggregator }));
  }

  /** The counters and histograms of {@link values}. They can also be read after the service has stopped. */
  async counters(): Promise<MetricValues[]> {
    const all = this.#registry.getMetricsAsArray() as unknown as Pick<Counter, "get">[];
    const counting = all.filter((metric) => metric instanceof Counter || metric instanceof Histogram);
    return (await Promise.all(counting.map((metric) => metric.get()))) as unknown as MetricValues[];
  }

  /** The metrics in Prometheus' text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** All metrics with name, help, type and labels, also those without a value. */
  all(): readonly { readonly name: string; readonly help: string; readonly type: string }[] {
    return this.#registry.getMetricsAsArray() as unknown as { name: string; help: string; type: string }[];
  }

  #counter(name: MetricName, collect: (counter: Counter) => void = () => {}): Counter {
    const counter: Counter = new Counter({ ...this.#configured(name), collect: () => collect(counter) });
    return counter;
  }

  #histogram(name: MetricName): Histogram {
    const { buckets = [] }: Definition = METRICS[name];
    return new Histogram({ ...this.#configured(name), buckets: [...buckets] });
  }

  #gauge(name: MetricName, collect: (gauge: Gauge) => void | Promise<void>): void {
    const gauge: Gauge = new Gauge({ ...this.#configured(name), collect: () => collect(gauge) });
  }

  #configured(name: MetricName) {
    const { help, labels, aggregator = "sum" }: Definition = METRICS[name];
    return { name, help, labelNames: Object.keys(labels), aggregator, registers: [this.#registry] };
  }
}

/**
 * The merchants with most pending transactions keep their code. All other merchants get the code `other`, so there may
 * be several entries with it.
 */
function bounded(pending: readonly Pending[]): Pending[] {
  const most = pending
    .filter(({ olderThan }) => olderThan === "0")
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MERCHANTS_MAX);
  const own = new Set(most.map(({ merchant }) => merchant));
  return pending.map((one) => (own.has(one.merchant) ? one : { ...one, merchant: OTHER }));
}
