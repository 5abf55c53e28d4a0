import type { HandlerContext } from "@connectrpc/connect";
import type { Clock } from "../../../ports/clock.ts";

/** For a caller that sets no deadline of its own. */
const DEFAULT_DEADLINE_MS = 30_000;
/** A longer one counts as this: nothing takes so long but a wait for somebody who is gone. */
const DEADLINE_MAX_MS = 60_000;

/** When the caller stops waiting, by Clock.monotonic(). */
export const callDeadline = (context: HandlerContext, clock: Clock): number =>
  clock.monotonic() + Math.min(context.timeoutMs() ?? DEFAULT_DEADLINE_MS, DEADLINE_MAX_MS);
