import type { BetReply } from "../api-types.ts";
import type { Words } from "../words/en.ts";

/** The text of a failed bet: the reason of the failure, and the state of its refund. */
export function failureText({ failed, refunds }: Words, { error, refund }: Pick<BetReply, "error" | "refund">): string {
  if (refund !== "none") return refunds[refund];
  return failed[error as "other"] ?? failed.other;
}
