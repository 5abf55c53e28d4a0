import type { Outcome } from "./outcome.ts";

/** A selection of a bet, at the odds it was taken at (hundredths). */
export interface Leg {
  readonly odds: number;
  readonly outcome: Outcome;
}

/** What a leg multiplies the stake by, in two-hundredths, in which each of them is whole. */
const FACTOR = {
  won: (odds: number) => 2 * odds,
  half_won: (odds: number) => odds + 100,
  void: () => 200,
  half_lost: () => 100,
  lost: () => 0,
} as const satisfies Record<Outcome, (odds: number) => number>;

/**
 * What a bet returns, stake included, in minor units: the stake times each leg's factor, exact until the end and then cut to the minor
 * unit, so that nobody is paid a fraction that doesn't exist. 0: lost, nothing is paid.
 */
export function payoutMinor(stakeMinor: bigint, legs: readonly Leg[]): bigint {
  let product = stakeMinor;
  for (const { odds, outcome } of legs) product *= BigInt(FACTOR[outcome](odds));
  return product / 200n ** BigInt(legs.length);
}

/** What a bet returns if everything wins, in minor units: what the betslip promises. */
export const potentialMinor = (stakeMinor: bigint, odds: readonly number[]): bigint =>
  payoutMinor(
    stakeMinor,
    odds.map((o) => ({ odds: o, outcome: "won" })),
  );

/** How a settled bet is shown. */
export type BetResult = "won" | "partly_returned" | "void" | "lost";

export function betResult(legs: readonly Leg[]): BetResult {
  const is = (outcome: Outcome) => (leg: Leg) => leg.outcome === outcome;
  if (legs.some(is("lost"))) return "lost";
  if (legs.every(is("void"))) return "void";
  return legs.some(is("half_lost")) ? "partly_returned" : "won";
}
