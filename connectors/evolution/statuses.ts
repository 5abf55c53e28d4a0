/** Evolution's statuses, and which of them answers each outcome. */
import type { Verdict } from "../frame/verdict.ts";

export type Status =
  | "OK"
  | "BET_ALREADY_EXIST"
  | "BET_ALREADY_SETTLED"
  | "BET_DOES_NOT_EXIST"
  | "INSUFFICIENT_FUNDS"
  | "FINAL_ERROR_ACTION_FAILED"
  | "INVALID_SID"
  | "INVALID_TOKEN_ID"
  | "ACCOUNT_LOCKED"
  | "FATAL_ERROR_CLOSE_USER_SESSION"
  | "GEOLOCATION_FAIL"
  | "INVALID_PARAMETER"
  | "UNKNOWN_ERROR"
  | "TEMPORARY_ERROR";

export type Call = "balance" | "debit" | "credit" | "cancel";

const DEBIT: Readonly<Record<Verdict, Status>> = {
  ok: "OK",
  pending: "TEMPORARY_ERROR",
  funds: "INSUFFICIENT_FUNDS",
  blocked: "ACCOUNT_LOCKED",
  no_player: "INVALID_SID",
  limit: "FINAL_ERROR_ACTION_FAILED",
  session_limit: "FATAL_ERROR_CLOSE_USER_SESSION",
  excluded: "ACCOUNT_LOCKED",
  place: "GEOLOCATION_FAIL",
  rejected: "FINAL_ERROR_ACTION_FAILED",
  debt: "UNKNOWN_ERROR",
  session: "INVALID_SID",
  expired: "INVALID_SID",
  game: "INVALID_PARAMETER",
  currency: "INVALID_PARAMETER",
  amount: "INVALID_PARAMETER",
  ended: "FINAL_ERROR_ACTION_FAILED",
  closed: "FATAL_ERROR_CLOSE_USER_SESSION",
  mismatch: "FINAL_ERROR_ACTION_FAILED",
  other_reference: "FINAL_ERROR_ACTION_FAILED",
  reversed: "FINAL_ERROR_ACTION_FAILED",
  no_bet: "BET_DOES_NOT_EXIST",
  settled: "BET_ALREADY_SETTLED",
  bet_pending: "TEMPORARY_ERROR",
  busy: "TEMPORARY_ERROR",
  unclear: "TEMPORARY_ERROR",
  fault: "UNKNOWN_ERROR",
};

/**
 * A pending credit is delivered by the aggregator, so it is OK. A rejected credit is owed, so it must come again. A
 * settlement is never INVALID_SID, because Evolution stops after that.
 */
const CREDIT: Readonly<Record<Verdict, Status>> = {
  ...DEBIT,
  pending: "OK",
  funds: "TEMPORARY_ERROR",
  blocked: "TEMPORARY_ERROR",
  no_player: "TEMPORARY_ERROR",
  limit: "TEMPORARY_ERROR",
  session_limit: "TEMPORARY_ERROR",
  excluded: "TEMPORARY_ERROR",
  place: "TEMPORARY_ERROR",
  rejected: "TEMPORARY_ERROR",
  session: "TEMPORARY_ERROR",
  expired: "TEMPORARY_ERROR",
  closed: "TEMPORARY_ERROR",
  reversed: "BET_ALREADY_SETTLED",
};

export const STATUSES: Readonly<Record<Call, Readonly<Record<Verdict, Status>>>> = {
  balance: DEBIT,
  debit: DEBIT,
  credit: CREDIT,
  // What the wallet refuses to give back is a debt for people; Evolution can't do anything about it.
  cancel: { ...CREDIT, debt: "OK" },
};
