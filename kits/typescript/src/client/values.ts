/** The types of single values in replies. */

export type Action = "bet" | "win" | "refund" | "rollback";
export type Status = "success" | "pending" | "failed";
/** A jackpot by the provider's names. */
export interface Jackpot {
  readonly id: string;
  /** null: it has no tiers. */
  readonly tier: string | null;
}
/** RFC 3339. */
export type Time = string;
