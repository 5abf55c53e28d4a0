import type { MarketKind, Outcome, Pick } from "./model/outcome.ts";
import type { BetResult } from "./model/payout.ts";
import type { Sport } from "./model/scores.ts";

/** A selection of a bet as it was placed, with the texts that the page shows of the selection later. */
export interface BetLeg {
  readonly selection: string;
  readonly event: string;
  readonly sport: Sport;
  readonly home: string;
  readonly away: string;
  readonly market: MarketKind;
  readonly line: number;
  readonly pick: Pick;
  /** In hundredths: 185 is 1.85. */
  readonly odds: number;
  outcome: Outcome | null;
  score: string | null;
}

/**
 * The refund of a failed slip. `none`: the wallet debited nothing. `pending`: the wallet debited a bet, or did not
 * answer, and the refund has no result yet. `done`: all debited money is refunded. `refused`: the wallet debited a bet
 * and rejected its refund.
 */
export type Refund = "none" | "pending" | "done" | "refused";

/**
 * A bet of a slip. `placing`: the service has not answered yet. `rejected`: its slip failed, and `refund` has the state
 * of the refund. `open`: the bet is not settled yet. `settled`: the bet is settled, and `paying` is true while the
 * wallet has not accepted its win.
 */
export interface Bet {
  /** The bet's round_id. The merchant sees it, too. */
  readonly id: string;
  readonly slip: string;
  readonly player: string;
  readonly currency: string;
  readonly stakeMinor: bigint;
  /** Milliseconds since 1970. */
  readonly placedAt: number;
  readonly legs: readonly BetLeg[];
  state: "placing" | "open" | "rejected" | "settled";
  /** The code of the rejection. */
  error: string;
  refund: Refund;
  result: BetResult | null;
  returnMinor: bigint;
  paying: boolean;
}

export const stakeTx = (bet: Bet): string => `bet-${bet.id}`;
export const winTx = (bet: Bet): string => `win-${bet.id}`;
