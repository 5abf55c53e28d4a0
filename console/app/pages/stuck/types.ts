import type { Whole } from "../../parts/amount.ts";
import type { ActName } from "../../service/acts.ts";
import type { Paged, Transaction } from "../../service/types.ts";

/** Wins and refunds that players wait for, in the order of their urgency. No transaction is of two of these kinds. */
export const OWED_KINDS = ["unanswered", "owed", "retrying"] as const;
/** What else needs a person. */
export const OTHER_KINDS = ["pending", "contradiction", "slip"] as const;
export const KINDS = [...OWED_KINDS, ...OTHER_KINDS] as const;
export type Kind = (typeof KINDS)[number];

/** What a person can do about the transactions of each kind. The service refuses everything else. */
export const ACTS_OF = {
  unanswered: ["resend", "resolve"],
  owed: ["resend"],
  retrying: [],
  pending: ["resolve"],
  contradiction: ["closeContradiction"],
  slip: [],
} as const satisfies Readonly<Record<Kind, readonly ActName[]>>;

/** The minimum ages that can be chosen, in days. The service adds up by the same ages. */
export const DAYS = ["0", "1", "7", "30"] as const;

export const DAY_S = 86_400;

/** The filters of the page, as they stand in the address: kind, merchant, days. */
export type Query = Readonly<Record<string, string>>;

export interface Slip {
  readonly merchant: string;
  readonly slipId: string;
  readonly txId: string;
  readonly playerId: string;
  readonly amountMinor?: Whole;
  readonly currency: string;
  readonly status: "running" | "accepted" | "failed";
  readonly createdAt: string;
}

/** A page of the list. */
export interface StuckPage extends Paged {
  readonly items?: readonly { readonly transaction?: Transaction; readonly slip?: Slip }[];
}

/** What the list asks for. */
export const requestOf = (kind: Kind, { merchant = "", days = "0" }: Query): object => ({
  kind,
  merchant,
  olderThanS: (DAYS.find((one) => one === days) === undefined ? 0 : Number(days)) * DAY_S,
});
