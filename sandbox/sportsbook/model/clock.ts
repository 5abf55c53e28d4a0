/** The time of a live match as people say it: a minute, a quarter with the remaining time, a set or a map. */
import type { Score } from "./outcome.ts";
import type { Sport } from "./scores.ts";

export type MatchClock =
  /** Football: the minute that is being played, 1 to 90. */
  | { readonly kind: "minute"; readonly minute: number }
  /** Basketball: the quarter, 1 to 4, and the remaining seconds of the quarter. */
  | { readonly kind: "quarter"; readonly quarter: number; readonly left_s: number }
  /** Tennis and volleyball, and esports: the number of the set or map that is being played. */
  | { readonly kind: "set" | "map"; readonly number: number };

const FOOTBALL_MINUTES = 90;
const QUARTERS = 4;
const QUARTER_S = 600;

/** The clock of a live match. `played`: the played part of the match, 0 to 1. */
export function clockOf(sport: Sport, played: number, { home, away }: Score): MatchClock {
  switch (sport) {
    case "football":
      return { kind: "minute", minute: Math.min(FOOTBALL_MINUTES, Math.floor(played * FOOTBALL_MINUTES) + 1) };
    case "basketball": {
      const second = Math.floor(played * QUARTERS * QUARTER_S);
      const quarter = Math.min(QUARTERS, Math.floor(second / QUARTER_S) + 1);
      return { kind: "quarter", quarter, left_s: Math.max(0, quarter * QUARTER_S - second) };
    }
    case "esports":
      return { kind: "map", number: home + away + 1 };
    default:
      return { kind: "set", number: home + away + 1 };
  }
}
