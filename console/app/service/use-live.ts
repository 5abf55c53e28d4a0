import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "./call.ts";
import { Failure } from "./failure.ts";
import type { Asked } from "./use-call.ts";

export interface Live<Reply> extends Asked<Reply> {
  /** When the page calls next by itself, in ms since 1970; undefined: not before it is in view or has its answer. */
  readonly nextAt: number | undefined;
}

interface Held<Reply> {
  readonly reply?: Reply;
  readonly at: number;
  readonly failure?: Failure;
  /** The number of failures since the newest reply. */
  readonly failures: number;
  readonly isLoading: boolean;
  readonly nextAt?: number;
}

/** The longest pause between two calls of a service that fails. */
const PAUSE_MAX_MS = 5 * 60_000;

/**
 * Calls an rpc again and again while the page is in view. After a failure each pause is twice as long as the one before,
 * up to 5 minutes. A page that comes back into view calls at once if its figures are older than `everyMs`.
 *
 * @param request - makes the request of each call.
 * @param everyMs - the pause after an answer.
 */
export function useLive<Reply>(rpc: string, request: () => object, everyMs: number): Live<Reply> {
  const [held, setHeld] = useState<Held<Reply>>({ at: 0, failures: 0, isLoading: true });
  const again = useRef(() => {});
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let running: AbortController | undefined;
    let dueAt = 0;
    let failures = 0;
    const wait = (): void => {
      clearTimeout(timer);
      if (document.hidden || running !== undefined) return;
      timer = setTimeout(run, Math.max(dueAt - Date.now(), 0));
    };
    const end = (stop: AbortController, next: (before: Held<Reply>) => Partial<Held<Reply>>): void => {
      if (stop.signal.aborted) return;
      running = undefined;
      dueAt = Date.now() + Math.min(everyMs * 2 ** failures, PAUSE_MAX_MS);
      setHeld((before) => ({ at: before.at, failures, isLoading: false, nextAt: dueAt, ...next(before) }));
      wait();
    };
    const run = (): void => {
      clearTimeout(timer);
      running?.abort();
      const stop = new AbortController();
      running = stop;
      setHeld(({ nextAt: _, ...before }) => ({ ...before, isLoading: true }));
      call<Reply>(rpc, request(), stop.signal).then(
        (reply) => {
          failures = 0;
          end(stop, () => ({ reply, at: Date.now() }));
        },
        (cause: unknown) => {
          failures++;
          const failure = cause instanceof Failure ? cause : new Failure("NOT_READABLE", String(cause));
          end(stop, ({ reply }) => ({ ...(reply !== undefined && { reply }), failure }));
        },
      );
    };
    again.current = run;
    run();
    document.addEventListener("visibilitychange", wait);
    return () => {
      running?.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wait);
    };
  }, [rpc, everyMs]);
  return { nextAt: undefined, reply: undefined, failure: undefined, ...held, again: () => again.current() };
}
