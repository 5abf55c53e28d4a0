import type { Logger } from "pino";
import type { Action } from "../../domain/transaction/transaction.ts";
import { isCurrency, toDecimal } from "../../domain/values/money.ts";
import {
  type AlertFields,
  type AlertName,
  type KeyKind,
  type LogIds,
  type SourceAnswer,
  Telemetry,
  type TelemetryListener,
  type WalletCall,
} from "../../ports/telemetry.ts";
import { openLog } from "./log-output.ts";
import { Metrics } from "./metrics.ts";

/** Writes JSON lines to standard output (pino) and counts metrics for Prometheus. */
export class LogsAndMetrics extends Telemetry {
  readonly log: Logger;
  readonly metrics = new Metrics();
  readonly #listeners: TelemetryListener[] = [];

  constructor(log: Logger = openLog()) {
    super();
    this.log = log;
  }

  /** From now on the listener gets the events, too. */
  listen(listener: TelemetryListener): void {
    this.#listeners.push(listener);
  }

  override alert(name: AlertName, fields: AlertFields, ids?: LogIds): void {
    this.metrics.alert(name);
    if (name === "credit_failed" || name === "credit_failed_after_silence")
      this.metrics.creditFailed(String(fields.currency), majorUnits(fields));
    const printable = Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [key, typeof value === "bigint" ? value.toString() : value]),
    );
    this.log.warn({ alert: name, ...ids, ...printable }, name);
    for (const listener of this.#listeners) listener.alert?.(name, fields, ids);
  }

  override error(what: string, cause: unknown, ids?: LogIds): void {
    this.metrics.internalError();
    this.log.error({ ...ids, error: describe(cause) }, what);
  }

  override transaction(action: Action, outcome: "success" | "failed" | "pending" | "refused"): void {
    this.metrics.transaction(action, outcome);
  }

  override wrongKey(keyKind: KeyKind, address: string | null): void {
    this.metrics.wrongKey(keyKind);
    if (address !== null) this.log.warn({ key_kind: keyKind, address }, "a call without a right API key");
  }

  override walletCall(call: WalletCall, ids?: LogIds): void {
    const { merchantCode, result, durationMs } = call;
    this.metrics.walletCall(merchantCode, result, durationMs / 1_000);
    if (ids !== undefined)
      this.log.info({ ...ids, merchant: merchantCode, result, duration_ms: durationMs }, "wallet call");
    for (const listener of this.#listeners) listener.walletCall?.(call, ids);
  }

  override sourceAnswer(answer: SourceAnswer): void {
    const { provider, address, game, fault } = answer;
    if (fault !== undefined) this.error(`${provider} could not open ${game} at ${address}`, fault);
    for (const listener of this.#listeners) listener.sourceAnswer?.(answer);
  }
}

/** The amount in an alert about a credit, for a metric. The log line has the exact amount. */
function majorUnits({ amount_minor: minor, currency }: AlertFields): number {
  return typeof minor === "bigint" && typeof currency === "string" && isCurrency(currency)
    ? Number(toDecimal(minor, currency))
    : 0;
}

/**
 * The parts of an error that the log may contain. Drivers add more to their errors: mysql2 adds the whole statement
 * with all its values.
 */
function describe(cause: unknown): object {
  if (!(cause instanceof Error)) return { message: String(cause) };
  const { name, message, stack, code } = cause as Error & { readonly code?: unknown };
  return { name, message, code, stack, ...(cause.cause === undefined ? {} : { cause: describe(cause.cause) }) };
}
