import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { REASON_MAX } from "../../parts/act-form.tsx";
import { Ask } from "../../parts/dialog.tsx";
import { Choice, Field } from "../../parts/fields.tsx";
import { money, time } from "../../parts/format.ts";
import { call } from "../../service/call.ts";
import { Failure } from "../../service/failure.ts";
import type { Timeline, TimelineTransaction, Transaction } from "../../service/types.ts";
import { timelineWords, words } from "../../shell/language.ts";
import { useMay } from "../../shell/session-context.ts";
import { isSending } from "./timeline.ts";

const HOUR_MS = 3_600_000;

interface ActProps {
  readonly transaction: Transaction;
  readonly merchant: string;
  /** The action was done. */
  readonly onDone: (done: string) => void;
}

const isCredit = ({ action }: Transaction): boolean => action === "win" || action === "refund";

/** Whether a listed transaction may be chosen for a resend. The service decides in the end. */
export const isResendable = (transaction: Transaction): boolean =>
  isCredit(transaction) && transaction.status !== "success";

interface ActsProps extends Omit<ActProps, "transaction"> {
  readonly timeline: Timeline;
}

/** What may be done with a transaction: send it again, close it, close a contradiction. And why it can't be closed yet. */
export function Acts({ timeline, merchant, onDone }: ActsProps): VNode | null {
  const [asked, setAsked] = useState<"resend" | "resolve" | "contradiction">();
  const { transaction } = timeline.transaction;
  const mayResolve = useMay("manager") && transaction.status === "pending";
  // It is on its way already, so a second request would do nothing.
  const mayResend = timeline.resendable === true && !isSending(timeline);
  const mayClose = useMay("manager") && timeline.contradiction === true;
  if (!mayResolve && !mayResend && !mayClose) return null;
  const close = (): void => setAsked(undefined);
  const done = (text: string): void => {
    close();
    onDone(text);
  };
  return (
    <div class="actions">
      {mayResend && (
        <button type="button" class="button primary" onClick={() => setAsked("resend")}>
          {timelineWords.acts.resend}
        </button>
      )}
      {mayResolve && timeline.resolvable && (
        <button type="button" class="button" onClick={() => setAsked("resolve")}>
          {timelineWords.acts.resolve}
        </button>
      )}
      {mayResolve && !timeline.resolvable && <p class="why">{whyNot(timeline)}</p>}
      {mayClose && (
        <button type="button" class="button" onClick={() => setAsked("contradiction")}>
          {timelineWords.acts.contradiction}
        </button>
      )}
      {asked === "resend" && <Resend transaction={transaction} merchant={merchant} onDone={done} onClose={close} />}
      {asked === "resolve" && <Resolve of={timeline.transaction} merchant={merchant} onDone={done} onClose={close} />}
      {asked === "contradiction" && (
        <CloseContradiction transaction={transaction} merchant={merchant} onDone={done} onClose={close} />
      )}
    </div>
  );
}

/** The horizon comes before a call that is in flight, which is soon over. */
function whyNot({ notResolvableBecause = "", transaction, now }: Timeline): string {
  const say = timelineWords.acts.notYet;
  const { horizonAt } = transaction;
  if (notResolvableBecause === "reversed_by") return say.reversed_by(transaction.transaction.reversedBy ?? "");
  if (horizonAt && Date.parse(horizonAt) > Date.parse(now)) return say.opened_at(time(horizonAt));
  return say.in_flight;
}

interface AskedProps extends ActProps {
  readonly onClose: () => void;
}

function Resend({ transaction, merchant, onDone, onClose }: AskedProps): VNode {
  const say = timelineWords.acts;
  const amount = money(transaction.amountMinor, transaction.currency);
  const act = async (reason: string): Promise<void> => {
    await call("admin.TransactionAdminService/ResendTransaction", { merchant, txId: transaction.txId, reason });
    // The page says what happens to it.
    onDone("");
  };
  return (
    <Ask title={say.resendTitle} act={say.resend} reason={words.state.reason} onAct={act} onClose={onClose}>
      <p>{say.resendWhat(transaction.txId)}</p>
      <p>{say.resendMoney(transaction.playerId, amount)}</p>
    </Ask>
  );
}

interface ResolveProps extends Omit<AskedProps, "transaction"> {
  readonly of: TimelineTransaction;
}

function Resolve({ of, merchant, onDone, onClose }: ResolveProps): VNode {
  const say = timelineWords.acts;
  const { transaction } = of;
  const [status, setStatus] = useState<"success" | "failed">("success");
  const amount = money(transaction.amountMinor, transaction.currency);
  const act = async (reason: string): Promise<void> => {
    await call("admin.TransactionAdminService/ResolveTransaction", {
      merchant,
      txId: transaction.txId,
      status,
      reason,
    }).catch((cause: unknown) => {
      throw notResolvable(cause, of) ?? cause;
    });
    onDone(say.resolved[status]);
  };
  const effect = isCredit(transaction) ? say.effect.credit : say.effect.debit;
  return (
    <Ask title={say.resolveTitle} act={say.resolve} reason={say.evidence} onAct={act} onClose={onClose}>
      <Choice
        label={say.shows}
        value={status}
        onValue={(chosen: string) => setStatus(chosen === "failed" ? "failed" : "success")}
        options={[
          ["success", say.outcome.success],
          ["failed", say.outcome.failed],
        ]}
      />
      <p class="effect">{effect[status](transaction.playerId, amount)}</p>
      <p>{say.noCall}</p>
      {transaction.refTxId && <p>{say.pair(transaction.refTxId)}</p>}
    </Ask>
  );
}

/** Why a transaction can't be closed, with the horizon of this service; undefined: another failure. */
function notResolvable(cause: unknown, { transaction, horizonAt }: TimelineTransaction): Failure | undefined {
  if (!(cause instanceof Failure) || cause.code !== "NOT_RESOLVABLE" || horizonAt === undefined) return undefined;
  const hours = Math.round(
    (Date.parse(horizonAt) - Date.parse(transaction.openedAt ?? transaction.createdAt)) / HOUR_MS,
  );
  return new Failure("", timelineWords.acts.notYet.refused(hours));
}

function CloseContradiction({ transaction, merchant, onDone, onClose }: AskedProps): VNode {
  const say = timelineWords.acts;
  const [evidence, setEvidence] = useState("");
  const act = async (reason: string): Promise<void> => {
    const asked = { merchant, txId: transaction.txId, evidence: evidence.trim(), reason };
    await call("admin.TransactionAdminService/CloseContradiction", asked);
    onDone(say.contradictionClosed);
  };
  return (
    <Ask title={say.contradictionTitle} act={say.contradiction} reason={say.settled} onAct={act} onClose={onClose}>
      <p>{say.contradictionWhat}</p>
      <Field label={say.evidence} value={evidence} onValue={setEvidence} required maxLength={REASON_MAX} lines={3} />
    </Ask>
  );
}
