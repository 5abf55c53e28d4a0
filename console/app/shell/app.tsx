import type { VNode } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { Failed, Loading } from "../parts/state.tsx";
import { whenSignedOut } from "../service/call.ts";
import { Failure } from "../service/failure.ts";
import { currentSession, type Session } from "../service/session.ts";
import { Frame } from "./frame.tsx";
import { SessionContext } from "./session-context.ts";
import { SignIn } from "./sign-in.tsx";

type State =
  | { readonly kind: "asking" }
  | { readonly kind: "failed"; readonly failure: Failure }
  | { readonly kind: "signed out"; readonly hasEnded: boolean }
  | { readonly kind: "signed in"; readonly session: Session };

/** A timer of a browser holds at most this many ms. */
const TIMER_MAX_MS = 2 ** 31 - 1;

interface AppProps {
  /** The session that is read while the page loads. */
  readonly first: Promise<Session | null>;
}

/** The whole console: the sign-in, or the pages of who is signed in. */
export function App({ first }: AppProps): VNode {
  const [state, setState] = useState<State>({ kind: "asking" });
  const ended = useCallback(
    () => setState((now) => ({ kind: "signed out", hasEnded: now.kind === "signed in" || isEnded(now) })),
    [],
  );
  const ask = useCallback((asked: Promise<Session | null>) => {
    setState({ kind: "asking" });
    asked.then(
      (session) =>
        setState(session === null ? { kind: "signed out", hasEnded: false } : { kind: "signed in", session }),
      (cause: unknown) =>
        setState({
          kind: "failed",
          failure: cause instanceof Failure ? cause : new Failure("NOT_READABLE", String(cause)),
        }),
    );
  }, []);
  useEffect(() => {
    whenSignedOut(ended);
    ask(first);
  }, []);
  const expiresAt = state.kind === "signed in" ? state.session.expiresAt : undefined;
  useEffect(() => {
    if (expiresAt === undefined) return;
    const left = Date.parse(expiresAt) - Date.now();
    const timer = setTimeout(ended, Math.min(Math.max(left, 0), TIMER_MAX_MS));
    return () => clearTimeout(timer);
  }, [expiresAt]);

  if (state.kind === "asking")
    return (
      <main class="alone">
        <Loading />
      </main>
    );
  if (state.kind === "failed")
    return (
      <main class="alone">
        <Failed failure={state.failure} again={() => ask(currentSession())} />
      </main>
    );
  if (state.kind === "signed out")
    return (
      <SignIn hasEnded={state.hasEnded} onSession={(session: Session) => setState({ kind: "signed in", session })} />
    );
  return (
    <SessionContext.Provider value={state.session}>
      <Frame onSignedOut={() => setState({ kind: "signed out", hasEnded: false })} />
    </SessionContext.Provider>
  );
}

const isEnded = (state: State): boolean => state.kind === "signed out" && state.hasEnded;
