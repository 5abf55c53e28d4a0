import type { AttemptResult } from "../../contract/wallet/results.ts";
import type { Action } from "../domain/transaction/transaction.ts";

/**
 * The ids by which an operator finds one request in the log, in the traces, in the transaction lists and in the
 * merchant's log. An id that is not known is left out of the line.
 */
export interface LogIds {
  readonly trace_id?: string | undefined;
  /** The X-Request-Id of the wallet call. */
  readonly request_id?: string | undefined;
  /** The transaction's id as merchants see it. */
  readonly tx_id?: string | undefined;
}

/** Logs and metrics for the operators of the service. No method throws or waits. */
export abstract class Telemetry {
  /**
   * Raises an alert for the operators: writes a log line with the field `alert`, and counts the alert. The fields must
   * hold no secret.
   */
  abstract alert(name: AlertName, fields: AlertFields, ids?: LogIds): void;
  /**
   * Logs an error of the service. The caller's answer does not contain its cause.
   *
   * @param what - what the service was doing.
   */
  abstract error(what: string, cause: unknown, ids?: LogIds): void;
  /** Counts a request for a transaction by the answer that it got. */
  abstract transaction(action: Action, outcome: "success" | "failed" | "pending" | "refused"): void;
  /**
   * Counts a call without a valid API key, and logs its address.
   *
   * @param address - null: the call is counted but not logged, because the log has enough lines about this caller.
   */
  abstract wrongKey(keyKind: KeyKind, address: string | null): void;
  /**
   * Counts a wallet call that has ended.
   *
   * @param ids - given if the call belongs to a sampled trace. Then the call is logged, too.
   */
  abstract walletCall(call: WalletCall, ids?: LogIds): void;
  /** Records how a provider's source answered a launch. If it did not open the game, this is logged as an error. */
  abstract sourceAnswer(answer: SourceAnswer): void;
}

/** A call of a merchant's wallet that has ended. */
export interface WalletCall {
  readonly merchantId: number;
  readonly merchantCode: string;
  /** `money`: the attempt of a transaction; `balance`: a balance query. */
  readonly kind: "money" | "balance";
  readonly result: AttemptResult;
  readonly durationMs: number;
}

export interface SourceAnswer {
  readonly provider: string;
  readonly address: string;
  readonly game: string;
  readonly durationMs: number;
  /** Why the source did not open the game; absent: it opened the game. */
  readonly fault?: unknown;
}

/**
 * A class that gets the same events as the telemetry, for example to store them for the console. The code that raises
 * an event does not know who listens.
 */
export type TelemetryListener = Partial<Pick<Telemetry, "alert" | "walletCall" | "sourceAnswer">>;

export type AlertFields = Readonly<Record<string, string | number | bigint | null>>;

/**
 * The API that a key is for: `admin` for administration and operator API, `provider` for the provider API, `sportsbook`
 * for the sportsbook's API.
 */
export type KeyKind = "admin" | "provider" | "sportsbook";

export const ALERTS = [
  "credit_failed",
  "credit_failed_after_silence",
  "reversal_contradicts",
  "original_stuck",
  "resend_horizon_over",
  "wallet_401s",
  "wallet_tls",
  "wallet_redirects",
  "wallet_address",
  "wallet_contradicts",
  "win_held",
  "rollback_failed",
  "slip_stuck",
  "breaker_open",
  "balance_precision",
  "ggr_differs",
  "label_differs",
  "wrong_keys",
  "database_unsafe",
] as const;

/** The rules in `deploy/prometheus/` have one alert for each of these names. */
export type AlertName = (typeof ALERTS)[number];
