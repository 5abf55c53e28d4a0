/** What the browser keeps for the page: the player's habit for a long time, and the slip for as long as the tab is open. */
import { ODDS_HABITS, type OddsHabit } from "../model/odds-habit.ts";
import type { Slip } from "./slip.ts";

const habitKey = (player: string): string => `odds-habit:${player}`;
/** Rename it with each change of the slip's type. */
const SLIP_KEY = "slip-1";
/** In place of a player. */
export const VISITOR = "";

interface KeptSlip {
  readonly player: string;
  readonly slip: Slip;
}

/** The habit that this player chose here. undefined: none. */
export function rememberedHabit(player: string): OddsHabit | undefined {
  const kept = ifAllowed(() => localStorage.getItem(habitKey(player)));
  return ODDS_HABITS.find((habit) => habit === kept);
}

/** Remembers the choice for the player's next visit. */
export function rememberHabit(player: string, habit: OddsHabit): void {
  ifAllowed(() => localStorage.setItem(habitKey(player), habit));
}

/** The slip that this player had in this tab before the page was loaded again. undefined: none. */
export function rememberedSlip(player: string): Slip | undefined {
  const kept = ifAllowed(() => JSON.parse(sessionStorage.getItem(SLIP_KEY) ?? "null") as KeptSlip | null);
  // A visitor may have logged in.
  return kept?.player === player || kept?.player === VISITOR ? kept.slip : undefined;
}

/** Remembers the slip for the next load in this tab, as when the site's language changes. */
export function rememberSlip(player: string, slip: Slip): void {
  ifAllowed(() =>
    slip.lines.length === 0
      ? sessionStorage.removeItem(SLIP_KEY)
      : sessionStorage.setItem(SLIP_KEY, JSON.stringify({ player, slip } satisfies KeptSlip)),
  );
}

/** undefined: the browser keeps nothing for framed pages, so a choice holds until the page is closed. */
function ifAllowed<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
