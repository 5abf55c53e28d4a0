import { type WholeMs, wholeMs } from "../../../domain/values/whole-ms.ts";
import { ALERTS, type AlertName } from "../../../ports/telemetry.ts";
import type { StuckQuery } from "../../../ports/transactions/stuck-money.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * How often a replica tells the store which of its alerts go on, in ms. An alert of this kind closes if no replica has
 * told so for {@link GOES_ON_MS}.
 */
export const GOES_ON_EVERY_MS = 30_000;
export const GOES_ON_MS = 2 * MINUTE;

/** `pending` means every transaction past its horizon, also credits. */
type ClosingKind = StuckQuery["kind"] | "slip";

/**
 * When an alert closes. A number: after this time in ms without another occurrence. A kind of stuck money: when the
 * merchant has no money of this kind (docs/specification/console.md#console-alert-end).
 */
const CLOSES: Readonly<Record<AlertName, number | ClosingKind>> = {
  credit_failed: "owed",
  credit_failed_after_silence: "owed",
  resend_horizon_over: "pending",
  slip_stuck: "slip",
  // These are raised once when the trouble begins. The replica knows when it ends.
  breaker_open: GOES_ON_MS,
  wallet_401s: GOES_ON_MS,
  wallet_tls: GOES_ON_MS,
  wallet_redirects: GOES_ON_MS,
  wallet_address: GOES_ON_MS,
  // These are raised each minute while the win is held, or while the settings are wrong.
  win_held: 10 * MINUTE,
  database_unsafe: 10 * MINUTE,
  balance_precision: DAY,
  wrong_keys: DAY,
  reversal_contradicts: 7 * DAY,
  original_stuck: 7 * DAY,
  wallet_contradicts: 7 * DAY,
  ggr_differs: 7 * DAY,
  rollback_failed: 7 * DAY,
  label_differs: 7 * DAY,
};

/** The alerts about a wallet that is in trouble now. They are open as long as a replica sees the trouble. */
export const WALLET_ALERTS: readonly AlertName[] = ALERTS.filter((name) => CLOSES[name] === GOES_ON_MS);

/** The time in ms without another occurrence after which an alert closes; null: it does not close by time. */
export function lastsMs(name: AlertName): WholeMs | null {
  const closes = CLOSES[name];
  return typeof closes === "number" ? wholeMs(closes) : null;
}

/** The alerts that stay open while their merchant has stuck money of a kind. */
export const STUCK_ALERTS: readonly (readonly [AlertName, ClosingKind])[] = ALERTS.flatMap((name) => {
  const closes = CLOSES[name];
  return typeof closes === "number" ? [] : [[name, closes] as const];
});
