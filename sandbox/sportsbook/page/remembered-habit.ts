/** The player's habit, kept in this browser. */
import { ODDS_HABITS, type OddsHabit } from "../model/odds-habit.ts";

const keyOf = (player: string): string => `odds-habit:${player}`;

/** The habit that this player chose here. undefined: none, or the browser keeps nothing for framed pages. */
export function rememberedHabit(player: string): OddsHabit | undefined {
  try {
    const kept = localStorage.getItem(keyOf(player));
    return ODDS_HABITS.find((habit) => habit === kept);
  } catch {
    return undefined;
  }
}

/** Remembers the choice for the player's next visit, if the browser allows it. */
export function rememberHabit(player: string, habit: OddsHabit): void {
  try {
    localStorage.setItem(keyOf(player), habit);
  } catch {
    // The choice holds until the page is closed.
  }
}
