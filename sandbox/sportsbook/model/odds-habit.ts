/** The player's choice for changed odds: accept better odds, accept any odds, or confirm every change. */
export const ODDS_HABITS = ["better", "any", "ask"] as const;
export type OddsHabit = (typeof ODDS_HABITS)[number];

/** The habit of players who have not chosen a habit. */
export const DEFAULT_HABIT: OddsHabit = "better";

/** Whether odds that moved from `before` to `now` (in hundredths) are accepted without asking. */
export const takes = (habit: OddsHabit, before: number, now: number): boolean =>
  now === before || habit === "any" || (habit === "better" && now > before);
