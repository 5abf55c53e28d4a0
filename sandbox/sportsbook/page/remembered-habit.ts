/** The player's habit, kept in this browser. */
import { ODDS_HABITS, type OddsHabit } from "../model/odds-habit.ts";

const keyOf = (player: string): string => `odds-habit:${player}`;

/**
 * The habit that this player chose in this browser. undefined: the player chose none, or the browser allows no storage
 * in framed pages.
 */
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
    // The choice is valid until the page is closed.
  }
}
