/** The names of markets and of their picks. */
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

/** The unit that each sport counts: goals, points, sets or maps. */
const UNITS = {
  football: "goals",
  basketball: "points",
  tennis: "sets",
  volleyball: "sets",
  esports: "maps",
} as const satisfies Record<Sport, keyof Words["total"]>;

/** A line in quarters as people read it: 10 is 2.5, in Portuguese and Spanish 2,5. */
export const lineText = ({ decimalMark }: Words, line: number): string => String(line / 4).replace(".", decimalMark);
const signed = (words: Words, line: number): string => `${line > 0 ? "+" : ""}${lineText(words, line)}`;

export const unitOf = (sport: Sport): keyof Words["total"] => UNITS[sport];

/** The name of all markets of a kind, without a line. */
export const kindName = (words: Words, kind: MarketKind, sport: Sport): string =>
  kind === "total" ? words.total[UNITS[sport]] : words[kind];

export function marketName(words: Words, { kind, line }: Named, { sport }: { readonly sport: Sport }): string {
  if (kind === "total") return `${words.total[UNITS[sport]]} ${lineText(words, line)}`;
  return kind === "handicap" ? `${words.handicap} ${lineText(words, Math.abs(line))}` : words[kind];
}

export function pickName(words: Words, { kind, line }: Named, pick: Pick, sides: Sides): string {
  const name = { home: sides.home, away: sides.away, draw: words.draw };
  switch (kind) {
    case "handicap":
      return pick === "home" ? `${sides.home} ${signed(words, line)}` : `${sides.away} ${signed(words, -line)}`;
    case "total":
      return `${pick === "over" ? words.over : words.under} ${lineText(words, line)}`;
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

/** The short text of a pick on a button of the list, where there is little space. */
export function shortPick(words: Words, { kind, line }: Named, pick: Pick): string {
  if (kind === "total") return `${pick === "over" ? words.overShort : words.underShort} ${lineText(words, line)}`;
  return { home: "1", draw: "X", away: "2" }[pick as string] ?? pick;
}
