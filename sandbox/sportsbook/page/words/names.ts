/** How markets and their answers are called. */
import type { MarketKind, Pick } from "../../model/outcome.ts";
import type { Sport } from "../../model/scores.ts";
import type { Words } from "./en.ts";

interface Sides {
  readonly sport: Sport;
  readonly home: string;
  readonly away: string;
}

interface Named {
  readonly kind: MarketKind;
  readonly line: number;
}

const UNITS = {
  football: "goals",
  basketball: "points",
  tennis: "sets",
  volleyball: "sets",
  esports: "maps",
} as const satisfies Record<Sport, keyof Words>;

/** A line in quarters as people read it: 10 is 2.5, 9 is 2.25. */
const quarters = (line: number): string => String(line / 4);
const signed = (line: number): string => `${line > 0 ? "+" : ""}${quarters(line)}`;

export function marketName(words: Words, { kind, line }: Named, { sport }: { readonly sport: Sport }): string {
  if (kind === "total") return `${words.total} ${words[UNITS[sport]]} ${quarters(line)}`;
  return kind === "handicap" ? `${words.handicap} ${quarters(Math.abs(line))}` : words[kind];
}

export function pickName(words: Words, { kind, line }: Named, pick: Pick, sides: Sides): string {
  const name = { home: sides.home, away: sides.away, draw: words.draw };
  switch (kind) {
    case "handicap":
      return pick === "home" ? `${sides.home} ${signed(line)}` : `${sides.away} ${signed(-line)}`;
    case "total":
      return `${pick === "over" ? words.over : words.under} ${quarters(line)}`;
    case "double_chance":
      return pick
        .split("_")
        .map((side) => name[side as keyof typeof name])
        .join(` ${words.or} `);
    case "both_score":
      return pick === "yes" ? words.yes : words.no;
    default:
      return name[pick as keyof typeof name];
  }
}

/** What a button of the list says, where there is little room. */
export function shortPick(words: Words, { kind, line }: Named, pick: Pick): string {
  if (kind === "total") return `${pick === "over" ? words.overShort : words.underShort} ${quarters(line)}`;
  return { home: "1", draw: "X", away: "2" }[pick as string] ?? pick;
}
