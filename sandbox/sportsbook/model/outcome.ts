/** The outcome of a selection for a final score, as pure functions. Prices and settlement both use them. */

export interface Score {
  readonly home: number;
  readonly away: number;
}

export type Outcome = "won" | "half_won" | "void" | "half_lost" | "lost";

export type MarketKind = "result" | "winner" | "double_chance" | "draw_no_bet" | "both_score" | "total" | "handicap";

/**
 * A market of a match. `line` is in quarters (10 is 2.5) for totals and handicaps, otherwise 0. A handicap counts for
 * the home side.
 */
export interface MarketName {
  readonly kind: MarketKind;
  readonly line: number;
}

/** The picks of a market, in the order in which they are shown. */
export const PICKS = {
  result: ["home", "draw", "away"],
  winner: ["home", "away"],
  double_chance: ["home_draw", "home_away", "draw_away"],
  draw_no_bet: ["home", "away"],
  both_score: ["yes", "no"],
  total: ["over", "under"],
  handicap: ["home", "away"],
} as const satisfies Record<MarketKind, readonly string[]>;
export type Pick = (typeof PICKS)[MarketKind][number];

export function outcomeOf({ kind, line }: MarketName, pick: Pick, { home, away }: Score): Outcome {
  const winner = home > away ? "home" : home < away ? "away" : "draw";
  switch (kind) {
    case "result":
      return won(pick === winner);
    case "winner":
    case "draw_no_bet":
      return winner === "draw" ? "void" : won(pick === winner);
    case "double_chance":
      return won(pick.split("_").includes(winner));
    case "both_score":
      return won((pick === "yes") === (home > 0 && away > 0));
    case "total":
      return byMargin(pick === "over" ? (home + away) * 4 - line : line - (home + away) * 4);
    case "handicap":
      return byMargin(pick === "home" ? (home - away) * 4 + line : (away - home) * 4 - line);
  }
}

const won = (is: boolean): Outcome => (is ? "won" : "lost");

/**
 * A bet on a quarter line is split into two half bets on the next lower and the next higher line. So the bet can be
 * half won or half lost.
 */
function byMargin(quarters: number): Outcome {
  if (quarters === 0) return "void";
  if (quarters === 1) return "half_won";
  if (quarters === -1) return "half_lost";
  return won(quarters > 0);
}
