/** The codes of SOFTSWISS, and which of them answers each outcome. 0 is our word for a success, which has no code. */
import type { Verdict } from "../frame/verdict.ts";

export const MESSAGES = {
  0: "",
  100: "Not enough funds",
  101: "Player is invalid",
  105: "Player has reached a limit",
  110: "Player is disabled",
  153: "Game is not available in the player's country",
  154: "Currency is not allowed for the player",
  400: "Bad request",
  403: "Forbidden",
  405: "Game is not available",
  500: "Unknown error",
} as const;

export type Code = keyof typeof MESSAGES;
type Table = Readonly<Record<Verdict, Code>>;
export type Call = "balance" | "bet" | "win" | "rollback";

/** After a code of 500 the upstream rolls back a bet that it does not know about. */
const BET: Table = {
  ok: 0,
  pending: 500,
  funds: 100,
  blocked: 110,
  no_player: 101,
  limit: 105,
  session_limit: 105,
  excluded: 110,
  place: 153,
  rejected: 400,
  debt: 500,
  session: 101,
  expired: 101,
  game: 405,
  currency: 154,
  amount: 400,
  ended: 400,
  closed: 405,
  mismatch: 400,
  other_reference: 400,
  reversed: 400,
  no_bet: 400,
  settled: 400,
  bet_pending: 500,
  busy: 500,
  unclear: 500,
  fault: 500,
};

/** A pending win is delivered by the aggregator, so it is a success. A rejected one is owed, so it must come again. */
const WIN: Table = {
  ...BET,
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
};

export const CODES: Readonly<Record<Call, Table>> = {
  balance: BET,
  bet: BET,
  win: WIN,
  // A rollback succeeds whatever is known. What the wallet refuses to give back is a debt for people.
  rollback: { ...WIN, debt: 0, reversed: 0, no_bet: 0 },
};
