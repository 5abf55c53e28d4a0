/**
 * The probability of each final score, given the score so far. There is one model per sport, and every market of a
 * match is priced from it.
 */
import type { Score } from "./outcome.ts";

export type Sport = "football" | "basketball" | "tennis" | "volleyball" | "esports";
export const SPORTS: readonly Sport[] = ["football", "basketball", "tennis", "volleyball", "esports"];

/** The unit of each sport's score. A match of sets or maps ends when a side has won `toWin` sets or maps. */
export const RULES = {
  football: { counts: "goals", mean: [1.45, 1.15] },
  basketball: { counts: "points", mean: [84, 81] },
  tennis: { counts: "sets", toWin: 2 },
  volleyball: { counts: "sets", toWin: 3 },
  esports: { counts: "sets", toWin: 2 },
} as const;

/**
 * The input of the model. `edge`: the difference in strength, from -1 (away much better) to 1. `left`: the part that is
 * still to be played, 1 to 0.
 */
export interface MatchState {
  readonly sport: Sport;
  readonly edge: number;
  readonly score: Score;
  readonly left: number;
}

export interface LikelyScore extends Score {
  readonly chance: number;
}

const GOALS_MORE_MAX = 9;
/** Two and a half standard deviations of a whole match. Scores beyond this difference do not change a shown price. */
const POINTS_SPREAD = 25;

export function finalScores(match: MatchState): LikelyScore[] {
  const rules = RULES[match.sport];
  if (rules.counts === "sets") return sets(match.score, rules.toWin, setChance(match.edge));
  return rules.counts === "goals" ? goals(match, rules.mean) : points(match, rules.mean);
}

/** The home side's probability to win one set or map. */
const setChance = (edge: number): number => 0.5 + edge * 0.22;

function goals({ score, edge, left }: MatchState, [home, away]: readonly [number, number]): LikelyScore[] {
  const more = (mean: number) => Array.from({ length: GOALS_MORE_MAX + 1 }, (_, n) => poisson(mean * left, n));
  const homeMore = more(home * Math.exp(edge * 0.75));
  const awayMore = more(away * Math.exp(-edge * 0.75));
  return pairs(homeMore, awayMore, (h, a) => ({ home: score.home + h, away: score.away + a }));
}

function points({ score, edge, left }: MatchState, [home, away]: readonly [number, number]): LikelyScore[] {
  const sigma = Math.max(0.6, 10 * Math.sqrt(left));
  const spread = Math.min(POINTS_SPREAD, Math.ceil(sigma * 3));
  const bell = Array.from({ length: 2 * spread + 1 }, (_, i) => Math.exp(-0.5 * ((i - spread) / sigma) ** 2));
  const from = (mean: number, now: number) => Math.max(now, now + Math.round(mean * left) - spread);
  const homeFrom = from(home + edge * 9, score.home);
  const awayFrom = from(away - edge * 9, score.away);
  // A draw is decided by overtime.
  return normal(
    pairs(bell, bell, (h, a) => ({ home: homeFrom + h, away: awayFrom + a })).filter(({ home: h, away: a }) => h !== a),
  );
}

function sets(score: Score, toWin: number, chance: number): LikelyScore[] {
  if (score.home >= toWin || score.away >= toWin) return [{ ...score, chance: 1 }];
  const then = (next: Score, weight: number) =>
    sets(next, toWin, chance).map((end) => ({ ...end, chance: end.chance * weight }));
  return [
    ...then({ home: score.home + 1, away: score.away }, chance),
    ...then({ home: score.home, away: score.away + 1 }, 1 - chance),
  ];
}

function pairs(
  home: readonly number[],
  away: readonly number[],
  score: (home: number, away: number) => Score,
): LikelyScore[] {
  return normal(home.flatMap((h, i) => away.map((a, j) => ({ ...score(i, j), chance: h * a }))));
}

function normal(scores: readonly LikelyScore[]): LikelyScore[] {
  const total = scores.reduce((sum, { chance }) => sum + chance, 0);
  return scores.map((score) => ({ ...score, chance: score.chance / total }));
}

function poisson(mean: number, n: number): number {
  let chance = Math.exp(-mean);
  for (let i = 1; i <= n; i++) chance *= mean / i;
  return chance;
}

/** Picks a final score by its probability. `luck` is a random number in [0, 1). */
export function drawScore(scores: readonly LikelyScore[], luck: number): Score {
  let rest = luck;
  for (const { home, away, chance } of scores) {
    rest -= chance;
    if (rest < 0) return { home, away };
  }
  const { home, away } = scores.at(-1) as LikelyScore;
  return { home, away };
}
