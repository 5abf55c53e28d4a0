import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Ask, Dialog } from "../../parts/dialog.tsx";
import { count, money } from "../../parts/format.ts";
import { failureText } from "../../parts/state.tsx";
import { call } from "../../service/call.ts";
import { Failure } from "../../service/failure.ts";
import type { Transaction } from "../../service/types.ts";
import { timelineWords, words } from "../../shell/language.ts";
import { codeText } from "./timeline.ts";

interface ResendManyProps {
  readonly merchant: string;
  readonly transactions: readonly Transaction[];
  readonly onDone: () => void;
}

/** The wallet's answer to a credit that was sent again: not yet, credited, none, or why it refused. */
type WalletAnswer = "waiting" | "credited" | "none" | { readonly refused: string };

interface Progress {
  /** The credits that the service sends, with what the wallet answered. */
  readonly accepted: ReadonlyMap<string, WalletAnswer>;
  /** Why the service does not send others. */
  readonly notAccepted: readonly string[];
  /** Whether the page has stopped to look for answers. */
  readonly hasEnded: boolean;
}

/** The pauses between two looks for the wallet's answers, in ms. Each look reads the credits that still wait. */
const LOOKS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 16_000];

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends selected credits again, one after the other, says how far it is, and shows the wallet's answers as they come. */
export function ResendMany({ merchant, transactions, onDone }: ResendManyProps): VNode {
  const say = timelineWords.acts;
  const [isAsked, setAsked] = useState(false);
  const [progress, setProgress] = useState<Progress>();
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  const act = async (reason: string): Promise<void> => {
    setAsked(false);
    const accepted = new Map<string, WalletAnswer>();
    const attempts = new Map<string, number>();
    const notAccepted: string[] = [];
    const show = (hasEnded = false): void =>
      setProgress({ accepted: new Map(accepted), notAccepted: [...notAccepted], hasEnded });
    show();
    for (const { txId } of transactions) {
      try {
        const { transaction } = await call<Reply>(`${SERVICE}/ResendTransaction`, { merchant, txId, reason });
        accepted.set(txId, "waiting");
        attempts.set(txId, transaction?.attempts ?? 0);
      } catch (cause) {
        if (!(cause instanceof Failure)) throw cause;
        notAccepted.push(`${txId}: ${failureText(cause)}`);
      }
      show();
    }
    for (const pause of LOOKS_MS) {
      const waiting = [...accepted].flatMap(([txId, answer]) => (answer === "waiting" ? [txId] : []));
      if (waiting.length === 0) break;
      await sleep(pause);
      for (const txId of waiting) {
        if (isGone.current) return;
        // A look that fails is made again.
        const reply = await call<Reply>(`${SERVICE}/GetTransaction`, { merchant, txId }).catch(() => ({}) as Reply);
        accepted.set(txId, answerOf(reply.transaction, attempts.get(txId) ?? 0));
        show();
      }
    }
    show(true);
  };
  const all = transactions.length;
  const isSent = progress !== undefined && progress.accepted.size + progress.notAccepted.length === all;
  return (
    <>
      <div class="selection" role="region" aria-label={say.selected(all)}>
        <p>{say.selected(all)}</p>
        <button type="button" class="button primary" onClick={() => setAsked(true)}>
          {say.resend}
        </button>
      </div>
      {isAsked && (
        <Ask
          title={say.resendManyTitle(all)}
          act={say.resend}
          reason={words.state.reason}
          onAct={act}
          onClose={() => setAsked(false)}
        >
          {sumsOf(transactions).map((sum) => (
            <p key={sum}>
              <strong>{sum}</strong>
            </p>
          ))}
          <p>{say.resendManyMoney}</p>
        </Ask>
      )}
      {progress && (
        <Dialog title={say.resendManyTitle(all)} onClose={() => isSent && onDone()}>
          <progress value={progress.accepted.size + progress.notAccepted.length} max={all} aria-label={say.resend} />
          <p role="status">{say.progress(count(progress.accepted.size), count(all))}</p>
          {progress.notAccepted.length > 0 && <p>{say.notAccepted(count(progress.notAccepted.length))}</p>}
          {listOf(progress.notAccepted)}
          {isSent && progress.accepted.size > 0 && <Answers of={progress} />}
          <div class="actions">
            <button type="button" class="button primary" disabled={!isSent} onClick={onDone}>
              {words.state.close}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

interface Reply {
  readonly transaction?: Transaction;
}

const SERVICE = "admin.TransactionAdminService";

/** What the wallet answered. A credit that stays pending after another call got no answer to it. */
function answerOf(transaction: Transaction | undefined, attemptsBefore: number): WalletAnswer {
  const { status, error = "", inFlight, attempts = 0 } = transaction ?? {};
  if (status === "success") return "credited";
  if (status === "failed") return { refused: error };
  return status === "pending" && inFlight !== true && attempts > attemptsBefore ? "none" : "waiting";
}

/** The wallet's answers so far, and why it refused. */
function Answers({ of: { accepted, hasEnded } }: { readonly of: Progress }): VNode {
  const say = timelineWords.acts;
  const answers = [...accepted];
  const many = (wanted: WalletAnswer): number => answers.filter(([, answer]) => answer === wanted).length;
  const refused = answers.flatMap(([txId, answer]) =>
    typeof answer === "object" ? [`${txId}: ${codeText(answer.refused)}`] : [],
  );
  const [none, waiting] = [many("none"), many("waiting")];
  return (
    <>
      <p role="status">
        {say.answers(count(many("credited")), count(refused.length))}
        {none > 0 && (
          <>
            <br />
            {say.unanswered(count(none))}
          </>
        )}
        {waiting > 0 && (
          <>
            <br />
            {(hasEnded ? say.late : say.waiting)(count(waiting))}
          </>
        )}
      </p>
      {listOf(refused)}
    </>
  );
}

const listOf = (lines: readonly string[]): VNode | false =>
  lines.length > 0 && (
    <ul class="refused">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );

/** How much goes to how many players, by currency. */
function sumsOf(transactions: readonly Transaction[]): string[] {
  return [...Map.groupBy(transactions, ({ currency }) => currency)].map(([currency, own]) => {
    const minor = own.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor ?? 0), 0n);
    const players = new Set(own.map(({ playerId }) => playerId)).size;
    return timelineWords.acts.resendManyTo(money(String(minor), currency), count(players), players === 1);
  });
}
