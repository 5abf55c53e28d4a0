import { StoreUnavailable } from "../../../ports/store-unavailable.ts";
import { failureOf } from "./failure.ts";

const TRIES_MAX = 8;
/** No further try begins after this. */
const GIVE_UP_AFTER_MS = 8_000;
const PAUSE_MS = 5;

/**
 * Runs a statement or transaction that may be repeated without harm, at most 8 times, while the database answers that it undid
 * it or nobody knows whether it was done (then `lost` is told). Then throws {@link StoreUnavailable}, but for what is wrong with the content.
 */
export async function repeating<T>(run: () => Promise<T>, lost: () => void = () => {}): Promise<T> {
  const until = performance.now() + GIVE_UP_AFTER_MS;
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      const failure = failureOf(error);
      if (failure === "lost") lost();
      if (failure === "content") throw error;
      if (failure === "unavailable" || tries === TRIES_MAX || performance.now() > until)
        throw new StoreUnavailable(`the database: ${failure}`, { cause: error });
      // Rivals that met once would meet again if they paused equally long.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** tries * Math.random()));
    }
  }
}
