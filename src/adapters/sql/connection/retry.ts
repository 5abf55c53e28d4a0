import { StoreUnavailable } from "../../../ports/store-unavailable.ts";
import { type Failures, failureOf } from "./failure.ts";

const TRIES_MAX = 8;
/** No further try begins after this time. */
const GIVE_UP_AFTER_MS = 8_000;
const PAUSE_MS = 5;

/**
 * Runs a statement or transaction that may be repeated without harm, at most 8 times. It is repeated if the database
 * has rolled it back (`conflict`), or if it may or may not have been applied (`lost`).
 *
 * @param lost - called each time the statement may or may not have been applied.
 * @throws StoreUnavailable after the last try. An error of the content, or one that the database did not cause, is thrown
 *   at once and unchanged.
 */
export async function repeating<T>(
  dialect: { readonly failures: Failures },
  run: () => Promise<T>,
  lost: () => void = () => {},
): Promise<T> {
  const until = performance.now() + GIVE_UP_AFTER_MS;
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      const failure = failureOf(dialect, error);
      if (failure === "lost") lost();
      if (failure === "content" || failure === "foreign") throw error;
      if (failure === "unavailable" || tries === TRIES_MAX || performance.now() > until)
        throw new StoreUnavailable(`the database: ${failure}`, { cause: error });
      // The pause is random: if two statements had equal pauses after a conflict, they would conflict again.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** tries * Math.random()));
    }
  }
}
