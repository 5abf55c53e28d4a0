import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Field } from "../parts/fields.tsx";
import { failureText } from "../parts/state.tsx";
import { Failure } from "../service/failure.ts";
import { type Session, signIn } from "../service/session.ts";
import { Choices } from "./choices.tsx";
import { words } from "./language.ts";

interface SignInProps {
  /** A session was there, and it ended. */
  readonly hasEnded: boolean;
  readonly onSession: (session: Session) => void;
}

/** Takes an admin key. The page forgets the key at once: afterwards only a cookie counts, which scripts can't read. */
export function SignIn({ hasEnded, onSession }: SignInProps): VNode {
  const [key, setKey] = useState("");
  const [failure, setFailure] = useState<Failure>();
  const [isAsking, setAsking] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isAsking) return;
    setAsking(true);
    setFailure(undefined);
    signIn(key.trim()).then(onSession, (cause: unknown) => {
      setKey("");
      setFailure(cause instanceof Failure ? cause : new Failure("NOT_READABLE", String(cause)));
      setAsking(false);
      form.current?.querySelector("input")?.focus();
    });
  };
  return (
    <main class="alone">
      <form ref={form} class="card sign-in" onSubmit={submit}>
        <h1>{words.shell.title}</h1>
        {hasEnded && (
          <p class="fault" role="status">
            {words.signIn.ended}
          </p>
        )}
        <p>{words.signIn.lead}</p>
        <Field
          label={words.signIn.key}
          value={key}
          onValue={setKey}
          type="password"
          required
          hint={words.signIn.hint}
          autocomplete="current-password"
        />
        {failure && (
          <p class="fault" role="alert" data-code={failure.code}>
            {failure.code === "INVALID_API_KEY" ? words.signIn.wrong : failureText(failure)}
          </p>
        )}
        <button type="submit" class="button primary" disabled={isAsking}>
          {words.signIn.act}
        </button>
      </form>
      <Choices />
    </main>
  );
}
