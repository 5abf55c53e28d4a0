/** PG Soft's error codes, and which of them answers each outcome. 0 is our word for a success, which has no code. */
import type { Verdict } from "../frame/verdict.ts";

export const MESSAGES = {
  0: "",
  1034: "Invalid request",
  1200: "Internal server error",
  1204: "Invalid operator",
  1300: "Invalid player session",
  1305: "Invalid player",
  1308: "Player session expired",
  1400: "Under maintenance",
  3004: "Player does not exist",
  3021: "Bet does not exist",
  3032: "Bet already exists",
  3033: "Bet failed",
  3034: "Payout failed",
  3073: "Bet failed exception",
  3202: "Not enough balance",
} as const;

export type Code = keyof typeof MESSAGES;
type Table = Readonly<Record<Verdict, Code>>;
export type Call = "session" | "balance" | "spin" | "win";

/** PG Soft sends a spin again after 1200 until it has another answer. So a spin that nobody knows about gets 1200. */
const SPIN: Table = {
  ok: 0,
  pending: 1200,
  funds: 3202,
  blocked: 3033,
  no_player: 3004,
  limit: 3033,
  session_limit: 3033,
  excluded: 3033,
  place: 3033,
  rejected: 3033,
  debt: 1200,
  session: 1300,
  expired: 1308,
  game: 1034,
  currency: 1034,
  amount: 1034,
  ended: 3033,
  closed: 1400,
  mismatch: 3032,
  other_reference: 3032,
  reversed: 3033,
  no_bet: 3021,
  settled: 3034,
  bet_pending: 1200,
  busy: 1200,
  unclear: 1200,
  fault: 1200,
};

/** A pending win is delivered by the aggregator, so it is a success. A rejected one is owed, so it must come again. */
const WIN: Table = {
  ...SPIN,
  pending: 0,
  funds: 1200,
  blocked: 1200,
  no_player: 1200,
  limit: 1200,
  session_limit: 1200,
  excluded: 1200,
  place: 1200,
  rejected: 1200,
  session: 1200,
  expired: 1200,
  closed: 1200,
};

export const CODES: Readonly<Record<Call, Table>> = { session: SPIN, balance: SPIN, spin: SPIN, win: WIN };
