import type { Alert } from "../domain/transaction/settle.ts";
import type { Action } from "../domain/transaction/transaction.ts";
import type { AttemptResult } from "./transactions/transaction-store.ts";

/** What the operators of the service see. None of these ever throws or waits. */
export abstract class Telemetry {
  /** A person should look: a log line with `alert` and a counter. Fields carry no secret. */
  abstract alert(name: AlertName, fields: Readonly<Record<string, string | number | bigint | null>>): void;
  /** A fault of ours that a caller was not told the cause of. */
  abstract error(what: string, cause: unknown): void;
  /** A transaction reached this outcome for its caller. */
  abstract transaction(action: Action, outcome: "success" | "failed" | "pending" | "refused"): void;
  /** A call came without a right API key. @param address - for the log, too; null: only count it, the log has enough of this caller. */
  abstract wrongKey(keyKind: KeyKind, address: string | null): void;
  /** A wallet call ended. */
  abstract walletCall(merchantCode: string, result: AttemptResult, durationMs: number): void;
}

/** What an API key opens: the administration and its operator API, the provider API, the sportsbook's API. */
export type KeyKind = "admin" | "provider" | "sportsbook";

export type AlertName =
  | Alert
  | "wallet_401s"
  | "wallet_tls"
  | "wallet_redirects"
  | "wallet_address"
  | "wallet_contradicts"
  | "win_held"
  | "slip_stuck"
  | "breaker_open"
  | "balance_precision"
  | "ggr_differs"
  | "wrong_keys";
