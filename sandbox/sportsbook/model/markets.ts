import { ODDS_MAX, ODDS_MIN } from "./odds.ts";
import { type MarketKind, type MarketName, outcomeOf, PICKS, type Pick } from "./outcome.ts";
import { finalScores, type LikelyScore, type MatchState, RULES } from "./scores.ts";

/** A selection and its price. `odds` is null while the selection can't be placed. */
export interface Offer {
  readonly id: string;
  readonly pick: Pick;
  /** Hundredths. */
  readonly odds: number | null;
}

export interface Market extends MarketName {
  readonly id: string;
  readonly offers: readonly Offer[];
}

/** The book's margin on the profit of each price, in percent. */
const MARGIN_PERCENT = 6;

/** The markets of a match: first the main market, then the total that the board shows, then the others. */
export function marketsOf(event: string, match: MatchState, opening: MatchState): Market[] {
  const scores = finalScores(match);
  return linesOf(opening).map(({ kind, line }) => {
    const id = marketId(event, { kind, line });
    const offers = PICKS[kind].map((pick) => ({
      id: `${id}:${pick}`,
      pick,
      odds: price({ kind, line }, pick, scores),
    }));
    return { id, kind, line, offers };
  });
}

const marketId = (event: string, { kind, line }: MarketName): string => `${event}:${kind}:${line}`;

/** The market and pick in a selection's id. undefined: the text is not a selection's id. */
export function readSelection(
  id: string,
): { readonly event: string; readonly market: MarketName; readonly pick: Pick } | undefined {
  const [, event, kind, line, pick] = /^([a-z0-9-]{1,60}):([a-z_]{1,20}):(-?\d{1,4}):([a-z_]{1,12})$/.exec(id) ?? [];
  if (event === undefined || kind === undefined || !Object.hasOwn(PICKS, kind)) return undefined;
  const picks: readonly string[] = PICKS[kind as MarketKind];
  return picks.includes(pick ?? "")
    ? { event, market: { kind: kind as MarketKind, line: Number(line) }, pick: pick as Pick }
    : undefined;
}

/** The lines of a match. They are computed from the match's opening state and do not change with the odds. */
function linesOf(opening: MatchState): MarketName[] {
  const { edge, sport } = opening;
  const rules = RULES[sport];
  const plain = (...kinds: MarketKind[]): MarketName[] => kinds.map((kind) => ({ kind, line: 0 }));
  const quarters = (kind: MarketKind, ...lines: number[]): MarketName[] => lines.map((line) => ({ kind, line }));
  if (rules.counts === "goals") {
    const handicap = -Math.round(edge * 4);
    return [
      ...plain("result"),
      ...quarters("total", 10),
      ...plain("double_chance", "draw_no_bet", "both_score"),
      ...quarters("handicap", handicap - 1, handicap + 1),
      ...quarters("total", 6, 9, 14),
    ];
  }
  if (rules.counts === "points") {
    const total = (rules.mean[0] + rules.mean[1]) * 4;
    const handicap = -4 * Math.round(edge * 18 + 3);
    return [
      ...plain("winner"),
      ...quarters("total", total + 2),
      ...quarters("handicap", handicap, handicap + 10),
      ...quarters("total", total - 24, total + 26),
    ];
  }
  const ahead = edge >= 0 ? -6 : 6;
  const most = rules.toWin * 2 - 1;
  const totals = rules.toWin === 2 ? [most * 4 - 2] : [most * 4 - 2, most * 4 - 6];
  return [...plain("winner"), ...quarters("total", ...totals), ...quarters("handicap", ahead)];
}

/** The fair price minus the margin. null: the price is outside of the allowed range. */
function price(market: MarketName, pick: Pick, scores: readonly LikelyScore[]): number | null {
  const sum = { won: 0, half_won: 0, void: 0, half_lost: 0, lost: 0 };
  for (const score of scores) sum[outcomeOf(market, pick, score)] += score.chance;
  const winning = sum.won + sum.half_won / 2;
  if (winning === 0) return null;
  const fair = (1 - sum.void - (sum.half_won + sum.half_lost) / 2) / winning;
  const odds = Math.round(100 + ((fair - 1) * 100 * (100 - MARGIN_PERCENT)) / 100);
  return odds >= ODDS_MIN && odds <= ODDS_MAX ? odds : null;
}
