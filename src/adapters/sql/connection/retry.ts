import { StoreUnavailable } from "../../../ports/store-unavailable.ts";
import { type Failures, failureOf } from "./failure.ts";

const TRIES_MAX = 8;
/** No further try begins after this time. */
const GIVE_UP_AFTER_MS = 8_000;
const PAUSE_MS = 5;

/** The statement changed nothing, because another session has locked one of its rows for some time. */
export class RowsLocked extends StoreUnavailable {}

/**
 * Runs a statement or transaction that may be repeated without harm, at most 8 times. It is repeated if the database
 * has rolled it back (`conflict`), or if it may or may not have been applied (`lost`).
 *
 * @param lost - called each time the statement may or may not have been applied.
 * @param patienceMs - after this time, a conflict is a {@link RowsLocked}.
 * @throws StoreUnavailable after the last try. An error of the content, or one that the database did not cause, is thrown
 *   at once and unchanged.
 */
export async function repeating<T>(
  dialect: { readonly failures: Failures },
  run: () => Promise<T>,
  lost: () => void = () => {},
  patienceMs = Number.POSITIVE_INFINITY,
): Promise<T> {
  const begun = performance.now();
  const until = begun + GIVE_UP_AFTER_MS;
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      const failure = failureOf(dialect, error);
      if (failure === "lost") lost();
      if (failure === "content" || failure === "foreign") throw error;
      if (failure === "conflict" && performance.now() > begun + patienceMs)
        throw new RowsLocked("another session has locked a row of the statement", { cause: error });
      if (failure === "unavailable" || tries === TRIES_MAX || performance.now() > until)
        throw new StoreUnavailable(`the database: ${failure}`, { cause: error });
      // The pause is random: if two statements had equal pauses after a conflict, they would conflict again.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** tries * Math.random()));
    }
  }
}
