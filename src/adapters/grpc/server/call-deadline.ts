import type { HandlerContext } from "@connectrpc/connect";
import type { Clock } from "../../../ports/clock.ts";

/** The deadline of a call that sets none. */
const DEFAULT_DEADLINE_MS = 30_000;
/** The longest deadline. A longer deadline is shortened to this, because no caller that still runs waits longer. */
const DEADLINE_MAX_MS = 60_000;

/** The time at which the caller stops waiting, in ms of Clock.monotonic(). */
export const callDeadline = (context: HandlerContext, clock: Clock): number =>
  clock.monotonic() + Math.min(context.timeoutMs() ?? DEFAULT_DEADLINE_MS, DEADLINE_MAX_MS);
