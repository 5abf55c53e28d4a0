import type { MarketKind, Outcome, Pick } from "./model/outcome.ts";
import type { BetResult } from "./model/payout.ts";
import type { Sport } from "./model/scores.ts";

/** A selection of a bet as it was placed, with the texts that are shown of it later. */
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
 * What became of the money of a failed slip. `none`: the wallet took nothing. `pending`: the wallet took it, or did not
 * answer, and a refund is on its way. `done`: whatever was taken is back. `refused`: the wallet took it and refused the
 * refund.
 */
export type Refund = "none" | "pending" | "done" | "refused";

/**
 * A bet of a slip. `placing`: the service has not answered yet. `rejected`: its slip failed; then `refund` says what
 * became of the money. `open`: not settled yet. `settled`; then `paying` says whether its win is still on its way to the
 * wallet.
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
  /** Why it was rejected. */
  error: string;
  refund: Refund;
  result: BetResult | null;
  returnMinor: bigint;
  paying: boolean;
}

export const stakeTx = (bet: Bet): string => `bet-${bet.id}`;
export const winTx = (bet: Bet): string => `win-${bet.id}`;
