import type { ComponentChildren, VNode } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { words } from "../shell/language.ts";
import { ActForm, type ActFormProps } from "./act-form.tsx";

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
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event: Event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

interface AskProps extends Omit<ActFormProps, "onCancel"> {
  readonly title: string;
  readonly onClose: () => void;
}

/** Asks for a confirmation, and for the reason that the audit log keeps. */
export const Ask = ({ title, onClose, ...form }: AskProps): VNode => (
  <Dialog title={title} onClose={onClose}>
    <ActForm {...form} onCancel={onClose} />
  </Dialog>
);

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
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <p class="secret">
        <code>{secret}</code>
      </p>
      <div class="actions">
        {
          // Browsers have a clipboard only over HTTPS and on localhost.
          navigator.clipboard !== undefined && (
            <button type="button" class="button" onClick={copy}>
              {isCopied ? words.state.copied : words.state.copy}
            </button>
          )
        }
        <button type="button" class="button primary" onClick={onClose}>
          {words.state.close}
        </button>
      </div>
    </Dialog>
  );
}
