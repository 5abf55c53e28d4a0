/**
 * The kinds of bets and wins: what the money is for. A transaction without a kind is an ordinary bet or win. The
 * specification's table is generated out of this file.
 */
export const KINDS = {
  tip: { of: "bet", text: "The player gives money to a dealer or streamer." },
  feature_buy: { of: "bet", text: "The player buys a feature of the game, for example a bonus round." },
  free_rounds: { of: "win", text: "A win of free rounds, for which no bet was taken." },
  jackpot: { of: "win", text: "A win of a jackpot." },
  tournament: { of: "win", text: "A prize of a tournament." },
  prize_drop: { of: "win", text: "A prize that is given out at random." },
  promo: { of: "win", text: "Another prize of a promotion." },
  cash_out: { of: "win", text: "The player ends a running bet early, for a part of its value." },
  adjustment: { of: "both", text: "The provider corrects an earlier result." },
} as const satisfies Record<string, { readonly of: "bet" | "win" | "both"; readonly text: string }>;

export type Kind = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS) as readonly Kind[];

/** The kinds that a bet or a win may have. */
export const kindsOf = (action: "bet" | "win"): readonly Kind[] =>
  KIND_NAMES.filter((kind) => KINDS[kind].of === action || KINDS[kind].of === "both");
