import type { ComponentChildren, VNode } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Failure } from "../service/failure.ts";
import { words } from "../shell/language.ts";
import { Field } from "./fields.ts";
import { html } from "./html.ts";
import { failureText } from "./state.ts";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog. The browser keeps the focus inside, and gives it back at the end. */
export function Dialog({ title, onClose, children }: DialogProps): VNode {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return html`
    <dialog ref=${dialog} aria-labelledby=${id} onCancel=${(event: Event) => {
      event.preventDefault();
      onClose();
    }}>
      <h2 id=${id}>${title}</h2>
      ${children}
    </dialog>
  `;
}

interface AskProps {
  readonly title: string;
  /** What the action needs beside the reason, and what it will do. */
  readonly children: ComponentChildren;
  /** The text of the button that acts. */
  readonly act: string;
  /** The label of the reason; absent: no reason is asked for. */
  readonly reason?: string;
  readonly isReasonRequired?: boolean;
  /** Acts. The dialog shows why it failed, and stays open. */
  readonly onAct: (reason: string) => Promise<void>;
  readonly onClose: () => void;
}

const REASON_MAX = 1_024;

/** Asks for a confirmation, and for the reason that the audit log keeps. */
export function Ask(props: AskProps): VNode {
  const { title, children, act, onAct, onClose, isReasonRequired = true } = props;
  const [reason, setReason] = useState("");
  const [isActing, setActing] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isActing) return;
    setActing(true);
    setFailure(undefined);
    onAct(reason.trim()).catch((cause: unknown) => {
      setFailure(cause instanceof Failure ? cause : new Failure("NOT_READABLE", String(cause)));
      setActing(false);
    });
  };
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      <form onSubmit=${submit}>
        ${children}
        ${
          props.reason !== undefined &&
          html`<${Field} label=${props.reason} value=${reason} onValue=${setReason} required=${isReasonRequired}
            maxLength=${REASON_MAX} lines=${3} />`
        }
        ${failure && html`<p class="fault" role="alert" data-code=${failure.code}>${failureText(failure)}</p>`}
        <div class="actions">
          <button type="button" class="button" onClick=${onClose}>${words.state.cancel}</button>
          <button type="submit" class="button primary" disabled=${isActing}>${isActing ? words.state.acting : act}</button>
        </div>
      </form>
    <//>
  `;
}

interface SecretProps {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a secret, which nobody can read again. */
export function Secret({ title, text, secret, onClose }: SecretProps): VNode {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => void navigator.clipboard?.writeText(secret).then(() => setCopied(true));
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      <p>${text}</p>
      <p class="secret"><code>${secret}</code></p>
      <div class="actions">
        ${
          // Browsers have a clipboard only over HTTPS and on localhost.
          navigator.clipboard !== undefined &&
          html`<button type="button" class="button" onClick=${copy}>${isCopied ? words.state.copied : words.state.copy}</button>`
        }
        <button type="button" class="button primary" onClick=${onClose}>${words.state.close}</button>
      </div>
    <//>
  `;
}
