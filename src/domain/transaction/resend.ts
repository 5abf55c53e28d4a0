/** When the service sends a credit again by itself (docs/specification/resends.md#resend-backoff). */

import { type WholeMs, wholeMs } from "../values/whole-ms.ts";

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 300_000;
const JITTER = 0.1;

/**
 * The time from an attempt without an answer to the next attempt, in ms. `attempts` is the number of that attempt (1,
 * 2, 3 ...). The time is 1, 2, 4 ... 300 s, plus up to 10 % jitter, but never above 300 s. `fraction` in [0, 1) chooses
 * the jitter. `firstDelayMs` is shorter than 1 s only in a development environment.
 */
export function resendDelayMs(attempts: number, fraction: number, firstDelayMs: number = FIRST_DELAY_MS): WholeMs {
  const doubled = firstDelayMs * 2 ** Math.min(Math.max(attempts, 1) - 1, 20);
  return wholeMs(Math.min(Math.round(doubled * (1 + JITTER * fraction)), LONGEST_DELAY_MS));
}
