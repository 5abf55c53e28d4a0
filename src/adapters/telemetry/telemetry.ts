import { type Logger, pino } from "pino";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Action } from "../../domain/transaction/transaction.ts";
import { type AlertName, type KeyKind, Telemetry } from "../../ports/telemetry.ts";
import type { AttemptResult } from "../../ports/transactions/transaction-store.ts";

/** The values that each scrape reads anew. */
export interface Readings {
  /** The merchants whose wallets are silent, with the number of wallet permits that each has now. */
  readonly limitedMerchants: () => readonly { readonly merchant: string; readonly limit: number }[];
  readonly inFlight: () => number;
  readonly eventLoopLateMs: () => number;
  /** The numbers of pending transactions by merchant and minimum age; empty: they could not be read. */
  readonly pending: () => Promise<
    readonly { readonly merchant: string; readonly olderThan: string; readonly count: number }[]
  >;
}

/** Writes JSON lines to standard output (pino) and counts metrics for Prometheus. */
export class LogsAndMetrics extends Telemetry {
  readonly log: Logger;
  readonly #registry = new Registry();
  readonly #transactions = new Counter({
    name: "transactions_total",
    help: "Answers to wallet requests.",
    labelNames: ["action", "outcome"],
    registers: [this.#registry],
  });
  readonly #calls = new Counter({
    name: "wallet_calls_total",
    help: "Calls of merchants' wallets by result.",
    labelNames: ["merchant", "result"],
    registers: [this.#registry],
  });
  readonly #latency = new Histogram({
    name: "wallet_call_seconds",
    help: "The time that wallets took to answer.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8],
    registers: [this.#registry],
  });
  readonly #alerts = new Counter({
    name: "alerts_total",
    help: "Conditions that a person should look at.",
    labelNames: ["alert"],
    registers: [this.#registry],
  });
  readonly #failedCredits = new Counter({
    name: "credits_failed_total",
    help: "Wins and refunds that a wallet rejected: the player is owed money.",
    registers: [this.#registry],
  });
  readonly #wrongKeys = new Counter({
    name: "wrong_keys_total",
    help: "Calls without a valid API key, by the kind of key they needed.",
    labelNames: ["door"],
    registers: [this.#registry],
  });
  readonly #errors = new Counter({
    name: "internal_errors_total",
    help: "Faults of the service itself.",
    registers: [this.#registry],
  });

  constructor(log: Logger = pino()) {
    super();
    this.log = log;
  }

  override alert(name: AlertName, fields: Readonly<Record<string, string | number | bigint | null>>): void {
    this.#alerts.inc({ alert: name });
    if (name === "credit_failed" || name === "credit_failed_after_silence") this.#failedCredits.inc();
    const printable = Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [key, typeof value === "bigint" ? value.toString() : value]),
    );
    this.log.warn({ alert: name, ...printable }, name);
  }

  override error(what: string, cause: unknown): void {
    this.#errors.inc();
    this.log.error({ error: describe(cause) }, what);
  }

  override transaction(action: Action, outcome: "success" | "failed" | "pending" | "refused"): void {
    this.#transactions.inc({ action, outcome });
  }

  override wrongKey(keyKind: KeyKind, address: string | null): void {
    this.#wrongKeys.inc({ door: keyKind });
    if (address !== null) this.log.warn({ door: keyKind, address }, "a call without a right API key");
  }

  override walletCall(merchantCode: string, result: AttemptResult, durationMs: number): void {
    this.#calls.inc({ merchant: merchantCode, result });
    this.#latency.observe(durationMs / 1_000);
  }

  /** Adds the gauges that are read at each scrape. */
  observe(readings: Readings): void {
    const gauge = (
      name: string,
      help: string,
      labelNames: string[],
      collect: (gauge: Gauge) => void | Promise<void>,
    ) => {
      const made: Gauge = new Gauge({
        name,
        help,
        labelNames,
        registers: [this.#registry],
        collect: () => collect(made),
      });
    };
    gauge("transactions_in_flight", "Transactions in work on this replica.", [], (g) => g.set(readings.inFlight()));
    gauge("event_loop_late_ms", "The greatest delay of the event loop in the last second.", [], (g) =>
      g.set(readings.eventLoopLateMs()),
    );
    gauge("wallet_places_limited", "Wallet permits of merchants whose wallet is silent.", ["merchant"], (g) => {
      g.reset();
      for (const { merchant, limit } of readings.limitedMerchants()) g.set({ merchant }, limit);
    });
    gauge(
      "transactions_pending",
      "Pending transactions by minimum age, without first attempts in flight.",
      ["merchant", "older_than"],
      async (g) => {
        const pending = await readings.pending();
        g.reset();
        for (const { merchant, olderThan, count } of pending) g.set({ merchant, older_than: olderThan }, count);
      },
    );
  }

  /** The metrics in Prometheus' text format. */
  metrics(): Promise<string> {
    return this.#registry.metrics();
  }
}

/**
 * The parts of an error that a log may show. Drivers add more to their errors: mysql2 adds the whole statement with
 * every value.
 */
function describe(cause: unknown): object {
  if (!(cause instanceof Error)) return { message: String(cause) };
  const { name, message, stack, code } = cause as Error & { readonly code?: unknown };
  return { name, message, code, stack, ...(cause.cause === undefined ? {} : { cause: describe(cause.cause) }) };
}
