import { useCallback, useEffect, useState } from "preact/hooks";
import { call } from "./call.ts";
import { Failure } from "./failure.ts";

export interface Asked<Reply> {
  /** The newest reply. It stays while the call is repeated, and after a repeat failed. */
  readonly reply: Reply | undefined;
  /** Why the newest call failed; undefined after a success. */
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  /** When the reply came, in ms since 1970. */
  readonly at: number;
  /** Calls again with the same request. */
  readonly again: () => void;
}

/**
 * Calls an rpc when the page appears and whenever the request changes. A reply of an older request is never shown.
 *
 * @param rpc - as for {@link call}; null: nothing is called yet.
 */
export const useCall = <Reply>(rpc: string | null, request: object = {}): Asked<Reply> =>
  useRead(rpc === null ? null : `${rpc} ${JSON.stringify(request)}`, (signal) =>
    call<Reply>(rpc ?? "", request, signal),
  );

/**
 * Like {@link useCall}, for something that one call does not read.
 *
 * @param wanted - names what is read: another name reads anew. null: nothing is read yet.
 */
export function useRead<Reply>(wanted: string | null, read: (signal: AbortSignal) => Promise<Reply>): Asked<Reply> {
  const [held, setHeld] = useState<{ of: string | null; reply?: Reply; at: number; failure?: Failure }>({
    of: null,
    at: 0,
  });
  const [isLoading, setLoading] = useState(wanted !== null);
  const [count, setCount] = useState(0);
  const again = useCallback(() => setCount((now) => now + 1), []);
  useEffect(() => {
    if (wanted === null) return;
    const stop = new AbortController();
    setLoading(true);
    const end = (next: (before: typeof held) => typeof held): void => {
      if (stop.signal.aborted) return;
      setHeld(next);
      setLoading(false);
    };
    read(stop.signal).then(
      (reply) => end(() => ({ of: wanted, reply, at: Date.now() })),
      (cause: unknown) => {
        const failure = cause instanceof Failure ? cause : new Failure("NOT_READABLE", String(cause));
        end((before) => (before.of === wanted ? { ...before, failure } : { of: wanted, at: 0, failure }));
      },
    );
    return () => stop.abort();
  }, [wanted, count]);
  const isCurrent = held.of === wanted;
  return {
    reply: isCurrent ? held.reply : undefined,
    failure: isCurrent ? held.failure : undefined,
    isLoading: isLoading || !isCurrent,
    at: held.at,
    again,
  };
}
