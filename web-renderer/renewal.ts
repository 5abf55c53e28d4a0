import { SENT } from "./check-options.ts";
import type { SBRendererCallbacks } from "./options.ts";
import { RENEWAL_DEADLINE_MS } from "./protocol.ts";
import { logFailure } from "./warn.ts";

/** A request to the merchant for a new token. */
export interface Renewal {
  /** Whether the merchant was only notified (onSessionRefresh), so that its token comes as an option. */
  readonly notified: boolean;
  /** Ends the renewal. A later answer is ignored. */
  cancel(): void;
}

/**
 * Requests a token from the merchant's callback, once. `done` is called with the token, or with null if there is no
 * callback, no token, an error, or no answer in time. `done` is not called after `cancel`.
 */
export function startRenewal(
  { onTokenExpired, onSessionRefresh }: SBRendererCallbacks,
  done: (token: string | null) => void,
): Renewal {
  const notified = !onTokenExpired && !!onSessionRefresh;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const cancel = (): void => {
    isOver = true;
    clearTimeout(timer);
  };
  const end = (token: unknown): void => {
    if (isOver) return;
    cancel();
    done((SENT.token(token) as string | null | undefined) ?? null);
  };
  timer = setTimeout(end, RENEWAL_DEADLINE_MS, null);
  // Called in a later microtask, so that concurrent expirations find this renewal and a throw of the callback is a
  // rejection.
  Promise.resolve()
    .then(onTokenExpired ?? onSessionRefresh)
    .then(notified ? undefined : end, (error) => {
      logFailure(notified ? "onSessionRefresh" : "onTokenExpired", error);
      if (!notified) end(null);
    });
  return { notified, cancel };
}
