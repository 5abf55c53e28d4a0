/** Pragmatic Play's error codes, and which of them answers each outcome. */
import type { Verdict } from "../frame/verdict.ts";

/** The codes of the API that this connector uses, with their descriptions. */
export const DESCRIPTIONS = {
  0: "Success",
  1: "Insufficient balance",
  2: "Player not found or logged out",
  3: "Bet is not allowed",
  4: "Token is invalid, unknown or expired",
  5: "Hash is wrong",
  6: "Player is frozen",
  7: "Bad request parameters",
  8: "Game is unknown or disabled",
  50: "Bet limit is reached",
  100: "Internal error, repeat or refund",
  120: "Internal error, final",
  130: "Internal error at the end of a round, repeat",
  210: "Limit of the session is reached",
} as const;

export type ErrorCode = keyof typeof DESCRIPTIONS;
type Table = Readonly<Record<Verdict, ErrorCode>>;
export type Call = "authenticate" | "balance" | "bet" | "result" | "credit" | "refund" | "adjustment" | "endRound";

/** Pragmatic refunds a bet after 100, and does not after 120. So a bet whose outcome nobody knows gets 100. */
const BET: Table = {
  ok: 0,
  pending: 100,
  funds: 1,
  blocked: 6,
  no_player: 2,
  limit: 50,
  session_limit: 210,
  excluded: 6,
  place: 3,
  rejected: 3,
  debt: 100,
  session: 2,
  expired: 2,
  game: 8,
  currency: 7,
  amount: 7,
  ended: 3,
  closed: 3,
  mismatch: 7,
  other_reference: 7,
  reversed: 120,
  no_bet: 100,
  settled: 120,
  bet_pending: 100,
  busy: 100,
  unclear: 100,
  fault: 100,
};

/** A pending win is delivered by the aggregator, so it is a success. A rejected win is owed, so Pragmatic repeats it. */
const WIN: Table = {
  ...BET,
  pending: 0,
  funds: 100,
  blocked: 100,
  no_player: 100,
  limit: 100,
  session_limit: 100,
  excluded: 100,
  place: 100,
  rejected: 100,
  closed: 100,
};

/** The end of a round is repeated until it is stored. */
const END: Table = { ...WIN, busy: 130, unclear: 130, fault: 130 };

export const ERRORS: Readonly<Record<Call, Table>> = {
  authenticate: { ...BET, session: 4, expired: 4 },
  balance: BET,
  bet: BET,
  result: WIN,
  credit: WIN,
  // A bet that is reversed already, or never came, needs nothing more. A repeat may repair what the wallet refused.
  refund: { ...WIN, reversed: 0, no_bet: 0 },
  adjustment: BET,
  endRound: END,
};
