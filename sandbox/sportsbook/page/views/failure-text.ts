import type { BetReply } from "../api-types.ts";
import type { Words } from "../words/en.ts";

/** Why a bet is not taken, and what becomes of money that the wallet may have taken for it. */
export function failureText({ failed, refunds }: Words, { error, refund }: Pick<BetReply, "error" | "refund">): string {
  if (refund !== "none") return refunds[refund];
  return failed[error as "other"] ?? failed.other;
}
