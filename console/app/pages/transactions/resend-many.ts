import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Ask, Dialog } from "../../parts/dialog.ts";
import { count } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { failureText } from "../../parts/state.ts";
import { call } from "../../service/call.ts";
import { Failure } from "../../service/failure.ts";
import { timelineWords, words } from "../../shell/language.ts";

interface ResendManyProps {
  readonly merchant: string;
  readonly txIds: readonly string[];
  readonly onDone: () => void;
}

interface Progress {
  readonly sent: number;
  readonly refused: readonly string[];
}

/** Sends selected credits again, one after the other, and says how far it is. */
export function ResendMany({ merchant, txIds, onDone }: ResendManyProps): VNode {
  const say = timelineWords.acts;
  const [isAsked, setAsked] = useState(false);
  const [progress, setProgress] = useState<Progress>();
  const act = async (reason: string): Promise<void> => {
    setAsked(false);
    let now: Progress = { sent: 0, refused: [] };
    setProgress(now);
    for (const txId of txIds) {
      try {
        await call("admin.TransactionAdminService/ResendTransaction", { merchant, txId, reason });
        now = { ...now, sent: now.sent + 1 };
      } catch (cause) {
        if (!(cause instanceof Failure)) throw cause;
        now = { ...now, refused: [...now.refused, `${txId}: ${failureText(cause)}`] };
      }
      setProgress(now);
    }
  };
  const ended = progress !== undefined && progress.sent + progress.refused.length === txIds.length;
  return html`
    <div class="selection" role="region" aria-label=${say.selected(txIds.length)}>
      <p>${say.selected(txIds.length)}</p>
      <button type="button" class="button primary" onClick=${() => setAsked(true)}>${say.resend}</button>
    </div>
    ${
      isAsked &&
      html`<${Ask} title=${say.resendManyTitle(txIds.length)} act=${say.resend} reason=${words.state.reason} onAct=${act} onClose=${() => setAsked(false)}>
        <p>${say.resendManyMoney}</p>
      <//>`
    }
    ${
      progress &&
      html`<${Dialog} title=${say.resendManyTitle(txIds.length)} onClose=${() => ended && onDone()}>
        <progress value=${progress.sent + progress.refused.length} max=${txIds.length} aria-label=${say.resend}></progress>
        <p role="status">${say.progress(count(progress.sent), count(progress.refused.length), count(txIds.length))}</p>
        ${progress.refused.length > 0 && html`<ul class="refused">${progress.refused.map((line) => html`<li key=${line}>${line}</li>`)}</ul>`}
        <div class="actions">
          <button type="button" class="button primary" disabled=${!ended} onClick=${onDone}>${words.state.close}</button>
        </div>
      <//>`
    }
  `;
}
