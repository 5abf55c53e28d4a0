/** Spribe's codes, and which of them answers each outcome. 409 counts as a success: the transaction was done before. */
import type { Verdict } from "../frame/verdict.ts";

export const MESSAGES = {
  200: "ok",
  401: "User token is invalid",
  402: "Insufficient funds",
  403: "User token is expired",
  408: "Transaction is not found",
  409: "Duplicate transaction",
  413: "Invalid client signature",
  500: "Internal error",
} as const;

export type Code = keyof typeof MESSAGES;
type Table = Readonly<Record<Verdict, Code>>;
export type Call = "balance" | "withdraw" | "deposit" | "rollback";

const WITHDRAW: Table = {
  ok: 200,
  pending: 500,
  funds: 402,
  blocked: 402,
  no_player: 401,
  limit: 402,
  session_limit: 402,
  excluded: 402,
  place: 402,
  rejected: 402,
  debt: 500,
  session: 401,
  expired: 403,
  game: 500,
  currency: 500,
  amount: 500,
  ended: 500,
  closed: 402,
  mismatch: 500,
  other_reference: 500,
  reversed: 500,
  no_bet: 408,
  settled: 500,
  bet_pending: 500,
  busy: 500,
  unclear: 500,
  fault: 500,
};

/** A pending deposit is delivered by the aggregator, so it is a success. A rejected one is owed, so it must come again. */
const DEPOSIT: Table = {
  ...WITHDRAW,
  pending: 200,
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
};

export const CODES: Readonly<Record<Call, Table>> = {
  balance: WITHDRAW,
  withdraw: WITHDRAW,
  deposit: DEPOSIT,
  rollback: DEPOSIT,
};
