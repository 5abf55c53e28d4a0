import type { Outcome } from "./outcome.ts";

/** A selection of a bet, with the odds at which it was placed, in hundredths. */
export interface Leg {
  readonly odds: number;
  readonly outcome: Outcome;
}

/** The factor of a leg, in two-hundredths. In this unit every factor is a whole number. */
const FACTOR = {
  won: (odds: number) => 2 * odds,
  half_won: (odds: number) => odds + 100,
  void: () => 200,
  half_lost: () => 100,
  lost: () => 0,
} as const satisfies Record<Outcome, (odds: number) => number>;

/**
 * The return of a bet in minor units, stake included: the stake times the factor of each leg. It is computed exactly
 * and rounded down to the minor unit at the end. 0: the bet is lost and nothing is paid.
 */
export function payoutMinor(stakeMinor: bigint, legs: readonly Leg[]): bigint {
  let product = stakeMinor;
  for (const { odds, outcome } of legs) product *= BigInt(FACTOR[outcome](odds));
  return product / 200n ** BigInt(legs.length);
}

/** The return of a bet if every leg wins, in minor units. The betslip shows it. */
export const potentialMinor = (stakeMinor: bigint, odds: readonly number[]): bigint =>
  payoutMinor(
    stakeMinor,
    odds.map((o) => ({ odds: o, outcome: "won" })),
  );

/** The result of a settled bet, as it is shown. */
export type BetResult = "won" | "partly_returned" | "void" | "lost";

export function betResult(legs: readonly Leg[]): BetResult {
  const is = (outcome: Outcome) => (leg: Leg) => leg.outcome === outcome;
  if (legs.some(is("lost"))) return "lost";
  if (legs.every(is("void"))) return "void";
  return legs.some(is("half_lost")) ? "partly_returned" : "won";
}
