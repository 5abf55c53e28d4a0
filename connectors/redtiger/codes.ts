/** Red Tiger's error codes, and which of them answers each outcome. 0 is our word for a success, which has no code. */
import type { Verdict } from "../frame/verdict.ts";

export const MESSAGES = {
  0: "",
  100: "API authentication error",
  200: "Invalid input",
  201: "Generic error",
  301: "Not authorized",
  302: "User not found",
  303: "User is banned",
  304: "Insufficient funds",
  305: "Invalid user currency",
  306: "User is limited",
  400: "Transaction not found",
  401: "Duplicate transaction",
  500: "Internal server error",
  501: "Under maintenance",
} as const;

export type Code = keyof typeof MESSAGES;
type Table = Readonly<Record<Verdict, Code>>;
export type Call = "auth" | "stake" | "payout" | "refund";

const STAKE: Table = {
  ok: 0,
  pending: 500,
  funds: 304,
  blocked: 303,
  no_player: 302,
  limit: 306,
  session_limit: 306,
  excluded: 303,
  place: 306,
  rejected: 201,
  debt: 500,
  session: 301,
  expired: 301,
  game: 200,
  currency: 305,
  amount: 200,
  ended: 200,
  closed: 501,
  mismatch: 401,
  other_reference: 200,
  reversed: 201,
  no_bet: 400,
  settled: 401,
  bet_pending: 500,
  busy: 500,
  unclear: 500,
  fault: 500,
};

/** A pending payout is delivered by the aggregator, so it is a success. A rejected one is owed, so it must come again. */
const PAYOUT: Table = {
  ...STAKE,
  pending: 0,
  funds: 500,
  blocked: 500,
  no_player: 500,
  limit: 500,
  session_limit: 500,
  excluded: 500,
  place: 500,
  rejected: 500,
  session: 500,
  expired: 500,
  closed: 500,
  reversed: 400,
};

export const CODES: Readonly<Record<Call, Table>> = { auth: STAKE, stake: STAKE, payout: PAYOUT, refund: PAYOUT };
