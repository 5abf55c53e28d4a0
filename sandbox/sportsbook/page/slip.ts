/** The betslip as a value, with pure functions: its selections, and the bets that can be placed. */
import { type OddsHabit, takes } from "../model/odds-habit.ts";
import type { MarketKind, Pick } from "../model/outcome.ts";
import { potentialMinor } from "../model/payout.ts";
import type { Sport } from "../model/scores.ts";
import { readStake } from "./stake.ts";

export interface SlipLine {
  readonly id: string;
  readonly event: string;
  readonly sport: Sport;
  readonly home: string;
  readonly away: string;
  readonly kind: MarketKind;
  readonly line: number;
  readonly pick: Pick;
  /** The odds that the player accepted, in hundredths. */
  readonly odds: number;
  /** The current odds; null: the selection can't be placed any more. */
  readonly now: number | null;
  /** The odds before the last change that the player's habit accepted; null: there was none. */
  readonly was: number | null;
  /** The stake as the player typed it. */
  readonly stake: string;
}

export interface Slip {
  readonly lines: readonly SlipLine[];
  readonly mode: "singles" | "accumulator";
  /** The accumulator's stake, as typed. */
  readonly stake: string;
}

export const EMPTY_SLIP: Slip = { lines: [], mode: "singles", stake: "" };
const LINES_MAX = 20;

/**
 * Adds a selection, or removes it. With a second selection the slip becomes an accumulator. With only one selection
 * left it becomes singles again.
 */
export function toggled(slip: Slip, line: Omit<SlipLine, "now" | "was" | "stake">): Slip {
  if (slip.lines.some(({ id }) => id === line.id)) return without(slip, line.id);
  if (slip.lines.length >= LINES_MAX) return slip;
  const lines = [...slip.lines, { ...line, now: line.odds, was: null, stake: "" }];
  const joins = lines.length === 2 && lines[0]?.stake === "" && lines[0].event !== line.event;
  return { ...slip, lines, mode: joins ? "accumulator" : slip.mode };
}

export function without(slip: Slip, id: string): Slip {
  const lines = slip.lines.filter((line) => line.id !== id);
  return { ...slip, lines, mode: lines.length < 2 ? "singles" : slip.mode };
}

/**
 * The slip with the current odds. Changes that the habit accepts become the accepted odds. Other changes wait for the
 * player. Stakes stay as they are.
 */
export function repriced(slip: Slip, prices: ReadonlyMap<string, number | null>, habit: OddsHabit): Slip {
  const changed = slip.lines.some(({ id, now }) => prices.has(id) && prices.get(id) !== now);
  if (!changed) return slip;
  const lines = slip.lines.map((line) => (prices.has(line.id) ? { ...line, now: prices.get(line.id) ?? null } : line));
  return withHabit({ ...slip, lines }, habit);
}

/** The slip after the player chose this habit. */
export const withHabit = (slip: Slip, habit: OddsHabit): Slip => ({
  ...slip,
  lines: slip.lines.map((line) =>
    line.now === null || line.now === line.odds || !takes(habit, line.odds, line.now)
      ? line
      : { ...line, odds: line.now, was: line.odds },
  ),
});

/** The slip after the player accepted all changes. */
export const accepted = (slip: Slip): Slip => ({
  ...slip,
  lines: slip.lines.map((line) => ({ ...line, odds: line.now ?? line.odds, was: null })),
});

export const staked = (slip: Slip, id: string, stake: string): Slip =>
  id === ""
    ? { ...slip, stake }
    : { ...slip, lines: slip.lines.map((line) => (line.id === id ? { ...line, stake } : line)) };

/** The reason why the slip can't be placed now. */
export type SlipProblem =
  | "offline"
  | "empty"
  | "gone"
  | "changed"
  | "same_match"
  | "too_few"
  | "no_stake"
  | "bad_stake";

export interface SlipBet {
  readonly stake_minor: number;
  readonly selections: readonly { readonly id: string; readonly odds: number }[];
}

export interface SlipSummary {
  /** Empty while there is a problem with stakes. */
  readonly bets: readonly SlipBet[];
  readonly stakeMinor: number;
  readonly potentialMinor: number;
  readonly problem: SlipProblem | null;
}

/**
 * The bets that would be placed, and their possible return. Singles without a stake are left out if another single has
 * a stake.
 */
export function summary(slip: Slip, currency: string): SlipSummary {
  const bets = slip.mode === "accumulator" ? accumulator(slip, currency) : singles(slip, currency);
  const stakeMinor = bets.reduce((sum, { stake_minor }) => sum + stake_minor, 0);
  const potential = bets.reduce(
    (sum, bet) =>
      sum +
      potentialMinor(
        BigInt(bet.stake_minor),
        bet.selections.map(({ odds }) => odds),
      ),
    0n,
  );
  return { bets, stakeMinor, potentialMinor: Number(potential), problem: problemOf(slip, bets, currency) };
}

function problemOf(slip: Slip, bets: readonly SlipBet[], currency: string): SlipProblem | null {
  const { lines, mode } = slip;
  if (lines.length === 0) return "empty";
  if (mode === "accumulator" && lines.length < 2) return "too_few";
  if (mode === "accumulator" && new Set(lines.map(({ event }) => event)).size < lines.length) return "same_match";
  const stakes = mode === "accumulator" ? [slip.stake] : lines.map(({ stake }) => stake);
  if (stakes.some((stake) => stake.trim() !== "" && readStake(stake, currency) === undefined)) return "bad_stake";
  if (lines.some(({ now }) => now === null)) return "gone";
  if (lines.some(({ now, odds }) => now !== odds)) return "changed";
  return bets.length === 0 ? "no_stake" : null;
}

function singles({ lines }: Slip, currency: string): SlipBet[] {
  return lines.flatMap(({ id, odds, stake }) => {
    const minor = readStake(stake, currency);
    return minor === undefined ? [] : [{ stake_minor: minor, selections: [{ id, odds }] }];
  });
}

function accumulator({ lines, stake }: Slip, currency: string): SlipBet[] {
  const minor = readStake(stake, currency);
  return minor === undefined ? [] : [{ stake_minor: minor, selections: lines.map(({ id, odds }) => ({ id, odds })) }];
}
