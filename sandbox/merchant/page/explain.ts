import type { LoggedCallback } from "../callback-log.ts";
import { words } from "./language.ts";

/** The meaning of a callback, in words for a beginner. */
export interface Explanation {
  readonly tone: "good" | "bad" | "wait" | "info";
  /** The wallet's answer, in two words. */
  readonly verdict: string;
  /** How the service understands this answer. */
  readonly why: string;
}

export const actionName = (action: string): string => words.actions[action as "bet"] ?? action;

/** Explains `callback`. `earlier`: the earlier attempts with the same tx_id. */
export function explain(callback: LoggedCallback, earlier: readonly LoggedCallback[]): Explanation {
  const { action, fault, signature } = callback;
  const { verdicts, why } = words;
  if (signature !== "ok") return { tone: "bad", verdict: verdicts.signatureWrong, why: why.signature(signature) };
  const silence = why.silences[fault as "silent"] as string | undefined;
  if (silence !== undefined)
    return {
      tone: "wait",
      verdict: fault === "silent" || fault === "applied_no_reply" ? verdicts.noAnswer : verdicts.unusable,
      why: `${silence} ${afterSilence(callback)}`,
    };
  const reply = callback.reply as { ok?: boolean; error?: string } | null;
  if (reply?.ok !== true)
    return { tone: "bad", verdict: reply?.error ?? verdicts.rejected, why: afterRejection(action, reply?.error ?? "") };
  return {
    tone: action === "balance" ? "info" : "good",
    verdict: fault === "slow" ? verdicts.acceptedSlowly : verdicts.accepted,
    why: afterSuccess(callback, earlier),
  };
}

function afterSilence({ action, attempt }: LoggedCallback): string {
  const { afterSilence: texts } = words.why;
  if (action === "balance" || action === "bet" || action === "rollback") return texts[action];
  return texts.credit(Math.min(300, 2 ** (attempt - 1)));
}

function afterRejection(action: string, error: string): string {
  const { afterRejection: texts } = words.why;
  if (action === "balance" || action === "bet" || action === "rollback") return texts[action];
  return error === "TRANSACTION_NOT_FOUND" ? texts.unknownBet : texts.credit;
}

function afterSuccess({ action, ref_tx_id, attempt }: LoggedCallback, earlier: readonly LoggedCallback[]): string {
  const { afterSuccess: texts } = words.why;
  if (action === "balance") return texts.balance;
  if (earlier.some((before) => (before.reply as { ok?: boolean } | null)?.ok === true)) return texts.repeated(attempt);
  const moved =
    action === "bet" || action === "win" ? texts[action] : texts[action as "refund" | "rollback"](ref_tx_id ?? "");
  return earlier.length > 0 ? `${texts.again(attempt)} ${moved}` : moved;
}
