/**
 * The matches with their sides, times and results, as pure functions of the seed. They need no store and no clock, so
 * any match at any time can be computed.
 */
import { LEAGUES, type League } from "./leagues.ts";
import type { Score } from "./outcome.ts";
import { drawScore, finalScores, type MatchState, RULES } from "./scores.ts";
import { drift, seeded } from "./seeded.ts";

/** A match. Its times are in ms since the book opened. */
export interface Fixture {
  readonly id: string;
  readonly league: League;
  readonly home: string;
  readonly away: string;
  readonly startsAt: number;
  readonly endsAt: number;
  /** -1 (away much better) to 1. */
  readonly edge: number;
  readonly final: Score;
}

const MINUTE = 60_000;
/** A match takes five minutes, and each league begins one every seven minutes. */
const MATCH_MS = 5 * MINUTE;
const SPACING_MS = 7 * MINUTE;
export const FIXTURES_PER_LEAGUE = 6;
/** The maximum drift of the odds before and during a match, and the period of the drift. */
const DRIFT = 0.12;
const DRIFT_PERIOD_MS = 90_000;
/**
 * A match gets new prices once in this time, and after each score. The moments differ from match to match. Odds should
 * move, but not too fast for players who bet.
 */
const PRICED_EVERY_MS = 20_000;

/** The match with this number in a league. Matches begin at equal distances, in each league with its own offset. */
function fixture(seed: number, league: League, number: number): Fixture {
  const id = `${league.code}-${number}`;
  const startsAt = number * SPACING_MS - aheadOf(league);
  // Each match takes the next two sides of a shuffled list. So the two sides differ, and no side plays twice before all
  // sides have played.
  const order = shuffled(seed, `${league.code}@${Math.floor((number * 2) / league.sides.length)}`, league.sides);
  const first = (number * 2) % league.sides.length;
  const [home, away] = [order[first] as string, order[first + 1] as string];
  const edge = Math.max(-1, Math.min(1, strength(seed, home) - strength(seed, away) + 0.1));
  const opening: MatchState = { sport: league.sport, edge, score: { home: 0, away: 0 }, left: 1 };
  return { id, league, home, away, startsAt, endsAt: startsAt + MATCH_MS, edge, final: finalOf(seed, id, opening) };
}

/** Final scores. They never change, and are cached because drawing a score takes time. */
const finals = new Map<string, Score>();
const FINALS_MAX = 5_000;

function finalOf(seed: number, id: string, opening: MatchState): Score {
  const key = `${seed} ${id}`;
  const known = finals.get(key);
  if (known !== undefined) return known;
  const final = drawScore(finalScores(opening), seeded(seed, `${id} final`));
  if (finals.size >= FINALS_MAX) finals.clear();
  finals.set(key, final);
  return final;
}

/** The offset of a league, so that matches begin all the time. */
const aheadOf = (league: League): number => Math.round((LEAGUES.indexOf(league) * SPACING_MS) / LEAGUES.length);

/** The match with this id, or undefined. */
export function readFixture(seed: number, id: string): Fixture | undefined {
  const [, code, number] = /^([a-z-]{1,40})-(\d{1,6})$/.exec(id) ?? [];
  const league = LEAGUES.find((one) => one.code === code);
  return league && fixture(seed, league, Number(number));
}

/** A league's matches that are not over, sorted by start. */
export function upcoming(seed: number, league: League, now: number): Fixture[] {
  const first = Math.max(0, Math.floor((now + aheadOf(league)) / SPACING_MS));
  return Array.from({ length: FIXTURES_PER_LEAGUE + 1 }, (_, i) => fixture(seed, league, first + i))
    .filter(({ endsAt }) => endsAt > now)
    .slice(0, FIXTURES_PER_LEAGUE);
}

/** The state of the match at `now`, from which its prices are computed. */
export function stateAt(seed: number, match: Fixture, now: number): MatchState {
  const { id, league, edge, final } = match;
  const priced = now - ((now + Math.floor(seeded(seed, `${id} priced`) * PRICED_EVERY_MS)) % PRICED_EVERY_MS);
  const moved = edge + DRIFT * drift(seed, id, priced, DRIFT_PERIOD_MS);
  const score = scoreAt(seed, id, league, final, playedAt(match, now));
  return { sport: league.sport, edge: Math.max(-1, Math.min(1, moved)), score, left: 1 - playedAt(match, priced) };
}

/** The played part of the match, 0 to 1. */
export const playedAt = ({ startsAt, endsAt }: Fixture, now: number): number =>
  Math.max(0, Math.min(1, (now - startsAt) / (endsAt - startsAt)));

/**
 * The score at a time. Goals come at seeded moments, sets one after the other with the last at the end, and points at a
 * steady pace.
 */
function scoreAt(seed: number, id: string, { sport }: League, final: Score, played: number): Score {
  if (played >= 1) return final;
  const { counts } = RULES[sport];
  if (counts === "points") return { home: Math.floor(final.home * played), away: Math.floor(final.away * played) };
  if (counts === "goals") {
    const fallen = (side: string, goals: number) =>
      Array.from({ length: goals }, (_, n) => seeded(seed, `${id} ${side} ${n}`)).filter((at) => at <= played);
    return { home: fallen("home", final.home).length, away: fallen("away", final.away).length };
  }
  const winner = final.home > final.away ? "home" : "away";
  const others = [...Array(final.home).fill("home"), ...Array(final.away).fill("away")] as ("home" | "away")[];
  others.splice(others.indexOf(winner), 1);
  const sets = shuffled(seed, `${id} sets`, others).slice(0, Math.floor(played * (others.length + 1)));
  return { home: sets.filter((side) => side === "home").length, away: sets.filter((side) => side === "away").length };
}

/** The strength of a side, the same in all its matches. */
const strength = (seed: number, side: string): number => (seeded(seed, `strength of ${side}`) - 0.5) * 1.1;

function shuffled<T>(seed: number, name: string, items: readonly T[]): T[] {
  return items
    .map((item, i) => ({ item, at: seeded(seed, `${name} ${i}`) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
