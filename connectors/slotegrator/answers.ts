/** Slotegrator's answers: a success, or one of two error codes for all outcomes. */
import type { Verdict } from "../frame/verdict.ts";

export type ErrorCode = "INSUFFICIENT_FUNDS" | "INTERNAL_ERROR";
type Answer = "ok" | ErrorCode;
export type Call = "balance" | "bet" | "win" | "refund" | "rollback";
type Row = Readonly<Record<Verdict, Answer>>;

/** INTERNAL_ERROR says that the bet was not executed. A bet that has no outcome yet gets it, and is reversed later. */
const BET: Row = {
  ok: "ok",
  pending: "INTERNAL_ERROR",
  funds: "INSUFFICIENT_FUNDS",
  blocked: "INTERNAL_ERROR",
  no_player: "INTERNAL_ERROR",
  limit: "INTERNAL_ERROR",
  session_limit: "INTERNAL_ERROR",
  excluded: "INTERNAL_ERROR",
  place: "INTERNAL_ERROR",
  rejected: "INTERNAL_ERROR",
  debt: "INTERNAL_ERROR",
  session: "INTERNAL_ERROR",
  expired: "INTERNAL_ERROR",
  game: "INTERNAL_ERROR",
  currency: "INTERNAL_ERROR",
  amount: "INTERNAL_ERROR",
  ended: "INTERNAL_ERROR",
  closed: "INTERNAL_ERROR",
  mismatch: "INTERNAL_ERROR",
  other_reference: "INTERNAL_ERROR",
  reversed: "INTERNAL_ERROR",
  no_bet: "INTERNAL_ERROR",
  settled: "INTERNAL_ERROR",
  bet_pending: "INTERNAL_ERROR",
  busy: "INTERNAL_ERROR",
  unclear: "INTERNAL_ERROR",
  fault: "INTERNAL_ERROR",
};

/** The aggregator delivers a win without an outcome, so it is a success. */
const WIN: Row = { ...BET, pending: "ok", funds: "INTERNAL_ERROR" };

/** A refund succeeds whatever is known of its bet. The wallet judges a refund that it rejected anew at each repeat. */
const REFUND: Row = { ...WIN, reversed: "ok", no_bet: "ok", settled: "ok" };

export const ANSWERS: Readonly<Record<Call, Row>> = {
  balance: BET,
  bet: BET,
  win: WIN,
  refund: REFUND,
  // The rollback of a win succeeds whatever the funds are: what the wallet refuses is a debt for people.
  rollback: { ...REFUND, debt: "ok" },
};

/** What the types of bets and wins mean for the aggregator. An ordinary type has no kind. */
export const KINDS: Readonly<Record<"bet" | "win", Readonly<Record<string, string>>>> = {
  bet: { tip: "tip" },
  win: {
    jackpot: "jackpot",
    freespin: "free_rounds",
    bonus: "promo",
    promo: "promo",
    unaccounted_promo: "promo",
    loyalty_win: "promo",
    prize_drop: "prize_drop",
    pragmatic_prize_drop: "prize_drop",
    tournament: "tournament",
    pragmatic_tournament: "tournament",
  },
};
