/** Hub88's and Caleta's statuses, and which of them answers each outcome. */
import type { Verdict } from "../frame/verdict.ts";

export type Status =
  | "RS_OK"
  | "RS_ERROR_UNKNOWN"
  | "RS_ERROR_INVALID_PARTNER"
  | "RS_ERROR_INVALID_TOKEN"
  | "RS_ERROR_INVALID_GAME"
  | "RS_ERROR_WRONG_CURRENCY"
  | "RS_ERROR_NOT_ENOUGH_MONEY"
  | "RS_ERROR_USER_DISABLED"
  | "RS_ERROR_INVALID_SIGNATURE"
  | "RS_ERROR_TOKEN_EXPIRED"
  | "RS_ERROR_WRONG_SYNTAX"
  | "RS_ERROR_WRONG_TYPES"
  | "RS_ERROR_DUPLICATE_TRANSACTION"
  | "RS_ERROR_TRANSACTION_DOES_NOT_EXIST"
  | "RS_ERROR_TRANSACTION_ROLLED_BACK"
  | "RS_ERROR_TIMEOUT"
  | "RS_ERROR_LIMIT_REACHED"
  | "RS_ERROR_BET_LIMIT_EXCEEDED";

export type Call = "balance" | "bet" | "win" | "rollback";
export type Table = Readonly<Record<Call, Readonly<Record<Verdict, Status>>>>;

/** A bet is rolled back after every status but NOT_ENOUGH_MONEY and LIMIT_REACHED, so UNKNOWN is always safe. */
const BET: Readonly<Record<Verdict, Status>> = {
  ok: "RS_OK",
  pending: "RS_ERROR_UNKNOWN",
  funds: "RS_ERROR_NOT_ENOUGH_MONEY",
  blocked: "RS_ERROR_USER_DISABLED",
  no_player: "RS_ERROR_INVALID_TOKEN",
  limit: "RS_ERROR_LIMIT_REACHED",
  session_limit: "RS_ERROR_LIMIT_REACHED",
  excluded: "RS_ERROR_USER_DISABLED",
  place: "RS_ERROR_USER_DISABLED",
  rejected: "RS_ERROR_UNKNOWN",
  debt: "RS_ERROR_UNKNOWN",
  session: "RS_ERROR_INVALID_TOKEN",
  expired: "RS_ERROR_TOKEN_EXPIRED",
  game: "RS_ERROR_INVALID_GAME",
  currency: "RS_ERROR_WRONG_CURRENCY",
  amount: "RS_ERROR_WRONG_TYPES",
  ended: "RS_ERROR_UNKNOWN",
  closed: "RS_ERROR_INVALID_PARTNER",
  mismatch: "RS_ERROR_DUPLICATE_TRANSACTION",
  other_reference: "RS_ERROR_TRANSACTION_DOES_NOT_EXIST",
  reversed: "RS_ERROR_UNKNOWN",
  no_bet: "RS_ERROR_TRANSACTION_DOES_NOT_EXIST",
  settled: "RS_ERROR_DUPLICATE_TRANSACTION",
  bet_pending: "RS_ERROR_UNKNOWN",
  busy: "RS_ERROR_UNKNOWN",
  unclear: "RS_ERROR_UNKNOWN",
  fault: "RS_ERROR_UNKNOWN",
};

/** A pending win is delivered by the aggregator, so it is a success. A rejected win is owed, so Hub88 repeats it. */
const WIN: Readonly<Record<Verdict, Status>> = {
  ...BET,
  pending: "RS_OK",
  funds: "RS_ERROR_UNKNOWN",
  blocked: "RS_ERROR_UNKNOWN",
  no_player: "RS_ERROR_UNKNOWN",
  limit: "RS_ERROR_UNKNOWN",
  session_limit: "RS_ERROR_UNKNOWN",
  excluded: "RS_ERROR_UNKNOWN",
  place: "RS_ERROR_UNKNOWN",
  reversed: "RS_ERROR_TRANSACTION_DOES_NOT_EXIST",
};

/** A rollback succeeds whatever is known of its transaction; what the wallet refuses is a debt for people. */
const ROLLBACK: Readonly<Record<Verdict, Status>> = {
  ...WIN,
  debt: "RS_OK",
  reversed: "RS_OK",
  no_bet: "RS_OK",
  settled: "RS_OK",
};

export const HUB88: Table = { balance: BET, bet: BET, win: WIN, rollback: ROLLBACK };

/** Caleta has no words for these: its bets end, and its settlements come again. */
const CALETA_BET = {
  closed: "RS_ERROR_USER_DISABLED",
  limit: "RS_ERROR_BET_LIMIT_EXCEEDED",
  session_limit: "RS_ERROR_BET_LIMIT_EXCEEDED",
} as const;
const CALETA_CREDIT = { closed: "RS_ERROR_UNKNOWN" } as const;

export const CALETA: Table = {
  balance: { ...BET, ...CALETA_BET },
  bet: { ...BET, ...CALETA_BET, pending: "RS_ERROR_TIMEOUT", reversed: "RS_ERROR_TRANSACTION_ROLLED_BACK" },
  win: { ...WIN, ...CALETA_CREDIT, reversed: "RS_ERROR_TRANSACTION_ROLLED_BACK" },
  rollback: { ...ROLLBACK, ...CALETA_CREDIT },
};
