import type { LoggedCallback } from "../callback-log.ts";

/** What a callback meant, in words for a newcomer. */
export interface Explanation {
  readonly tone: "good" | "bad" | "wait" | "info";
  /** What the wallet said, in two words. */
  readonly verdict: string;
  /** What the service makes of it. */
  readonly why: string;
}

/** What each switch makes the wallet do. */
export const FAULTS: readonly { readonly kind: string; readonly label: string; readonly note: string }[] = [
  { kind: "none", label: "Healthy", note: "The wallet answers as the specification says." },
  { kind: "slow", label: "Slow", note: "Applies at once and answers after 3 seconds, which is still in time." },
  { kind: "silent", label: "Silent", note: "Takes the callback and never answers; no money moves." },
  { kind: "http_500", label: "Error 500", note: "Answers 500, with a perfect success in the body. It must not count." },
  {
    kind: "applied_http_500",
    label: "Applied, then 500",
    note: "Moves the money, then answers 500: the service must find out what happened.",
  },
  { kind: "html", label: "Web page", note: "Answers 200 with a maintenance page instead of JSON." },
  { kind: "garbage", label: "Garbage", note: "Answers 200 with bytes that are no JSON." },
  { kind: "rejected", label: "Rejected", note: "Refuses everything: ok is false, error is REJECTED." },
  { kind: "applied_no_reply", label: "Reply lost", note: "Moves the money, then never answers: the hardest case." },
];

const SILENCES: Readonly<Record<string, string>> = {
  silent: "The wallet never answered.",
  applied_no_reply: "The wallet moved the money, but its answer never arrived.",
  http_500: "The wallet answered 500. A 5xx is no answer, whatever its body says.",
  applied_http_500: "The wallet moved the money, but answered 500. A 5xx is no answer, whatever its body says.",
  html: "The wallet answered with a web page, which is no JSON.",
  garbage: "The wallet answered with bytes that are no JSON.",
};

const ACTIONS: Readonly<Record<string, string>> = {
  balance: "Balance query",
  bet: "Bet",
  win: "Win",
  refund: "Refund",
  rollback: "Rollback",
};
export const actionName = (action: string): string => ACTIONS[action] ?? action;

/** Explains `callback`; `earlier` are the attempts of the same tx_id before it. */
export function explain(callback: LoggedCallback, earlier: readonly LoggedCallback[]): Explanation {
  const { action, fault, signature } = callback;
  if (signature !== "ok")
    return {
      tone: "bad",
      verdict: "Signature wrong",
      why: `The signature check said ${signature}. The wallet answered 401 and touched nothing.`,
    };
  const silence = SILENCES[fault];
  if (silence !== undefined)
    return {
      tone: "wait",
      verdict: fault === "silent" || fault === "applied_no_reply" ? "No answer" : "Unusable answer",
      why: `${silence} ${afterSilence(callback)}`,
    };
  const reply = callback.reply as { ok?: boolean; error?: string } | null;
  if (reply?.ok !== true)
    return { tone: "bad", verdict: reply?.error ?? "Rejected", why: afterRejection(action, reply?.error ?? "") };
  return {
    tone: action === "balance" ? "info" : "good",
    verdict: fault === "slow" ? "Accepted, slowly" : "Accepted",
    why: afterSuccess(callback, earlier),
  };
}

function afterSilence({ action, attempt }: LoggedCallback): string {
  if (action === "balance") return "The game is told WALLET_UNAVAILABLE; nothing is recorded, for nothing moved.";
  if (action === "bet")
    return "The outcome is unknown, so the bet stays pending and the round does not start. The service never repeats a bet by itself: the game repeats it or refunds it.";
  if (action === "rollback") return "It stays pending until the provider repeats it.";
  const next = Math.min(300, 2 ** (attempt - 1));
  return `It stays pending, and the service sends it again in about ${next} s, with the same tx_id. The pauses double up to 5 minutes.`;
}

function afterRejection(action: string, error: string): string {
  if (action === "balance") return "The game is told so; nothing moved.";
  if (action === "bet")
    return "A rejected bet is final: the round never starts, and a repeat gets the same answer without a call.";
  if (action === "rollback") return "A rejected rollback is final.";
  if (error === "TRANSACTION_NOT_FOUND")
    return "The wallet never applied the bet, so there is nothing to give back. If the bet could still land, the service asks again after a quiet period. Then the refund is closed as failed.";
  return `The ${action} is kept as failed. It is not resent by itself, but when the provider repeats it, the wallet is asked again.`;
}

function afterSuccess({ action, ref_tx_id, attempt }: LoggedCallback, earlier: readonly LoggedCallback[]): string {
  if (action === "balance") return "A game opened, or wanted to know. Balance queries are not recorded.";
  if (earlier.some((before) => (before.reply as { ok?: boolean } | null)?.ok === true)) {
    return `Attempt ${attempt} of the same tx_id. The wallet had applied it already and gave the stored answer: the money moved once.`;
  }
  const again = earlier.length > 0 ? `Attempt ${attempt} of the same tx_id reached the wallet. ` : "";
  if (action === "bet") return `${again}The stake is debited; the round may start.`;
  if (action === "win") return `${again}The prize is credited.`;
  if (action === "refund") return `${again}The bet ${ref_tx_id ?? ""} is given back: once, for ever.`;
  return `${again}The win ${ref_tx_id ?? ""} is taken back.`;
}
