/** The markets of a match in groups, which the match's page shows as tabs. */
import type { Market } from "../model/markets.ts";
import type { MarketKind } from "../model/outcome.ts";

export type MarketGroup = "all" | "main" | "totals" | "handicaps";

/** The markets of one kind, sorted by line. */
export interface MarketsOfKind {
  readonly kind: MarketKind;
  readonly markets: readonly Market[];
}

/** The kinds of each group, in the order in which they are shown. */
const KINDS = {
  main: ["result", "winner", "double_chance", "draw_no_bet"],
  totals: ["total", "both_score"],
  handicaps: ["handicap"],
} as const satisfies Record<Exclude<MarketGroup, "all">, readonly MarketKind[]>;

/** The groups that have markets, with `all` first. */
export function groupsOf(markets: readonly Market[]): ReadonlyMap<MarketGroup, readonly MarketsOfKind[]> {
  const byKind = Map.groupBy(markets, ({ kind }) => kind);
  const groups = Object.entries(KINDS).map(([group, kinds]) => {
    const sorted = kinds.flatMap((kind) => {
      const same = byKind.get(kind);
      return same === undefined ? [] : [{ kind, markets: same.toSorted((a, b) => a.line - b.line) }];
    });
    return [group as MarketGroup, sorted] as const;
  });
  return new Map([
    ["all" as const, groups.flatMap(([, sorted]) => sorted)],
    ...groups.filter(([, sorted]) => sorted.length > 0),
  ]);
}
