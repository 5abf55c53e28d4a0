/** The types of single values in replies. */

export type Action = "bet" | "win" | "refund" | "rollback";
export type Status = "success" | "pending" | "failed";
/** RFC 3339. */
export type Time = string;
