import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../service/failure.ts";
import { words } from "../shell/language.ts";
import { Field } from "./fields.tsx";
import { failureText } from "./state.tsx";

export interface ActFormProps {
  /** What the action needs beside the reason, and what it will do. */
  readonly children: ComponentChildren;
  /** The text of the button that acts. */
  readonly act: string;
  /** The label of the reason; absent: no reason is asked for. */
  readonly reason?: string;
  readonly isReasonRequired?: boolean;
  /** Acts. The form shows why it failed, and stays open. */
  readonly onAct: (reason: string) => Promise<void>;
  /** Gives the form a button that cancels. */
  readonly onCancel?: (() => void) | undefined;
}

/** The maximum of characters that the audit log keeps of a reason. */
export const REASON_MAX = 1_024;

/** A form with one action, and with the reason that the audit log keeps. */
export function ActForm(props: ActFormProps): VNode {
  const { children, act, onAct, onCancel, isReasonRequired = true } = props;
  const [reason, setReason] = useState("");
  const [isActing, setActing] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isActing) return;
    setActing(true);
    setFailure(undefined);
    onAct(reason.trim())
      .then(
        () => setReason(""),
        (cause: unknown) => setFailure(cause instanceof Failure ? cause : new Failure("NOT_READABLE", String(cause))),
      )
      .finally(() => setActing(false));
  };
  return (
    <form class="act" onSubmit={submit}>
      {children}
      {props.reason !== undefined && (
        <Field
          label={props.reason}
          value={reason}
          onValue={setReason}
          required={isReasonRequired}
          maxLength={REASON_MAX}
          lines={3}
        />
      )}
      {failure && (
        <p class="fault" role="alert" data-code={failure.code}>
          {failureText(failure)}
        </p>
      )}
      <div class="actions">
        {onCancel && (
          <button type="button" class="button" onClick={onCancel}>
            {words.state.cancel}
          </button>
        )}
        <button type="submit" class="button primary" disabled={isActing}>
          {isActing ? words.state.acting : act}
        </button>
      </div>
    </form>
  );
}
