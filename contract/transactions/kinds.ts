interface KindRow {
  readonly of: "bet" | "win" | "both";
  /** The row of docs/specification/kinds.md. Markdown. */
  readonly text: string;
  /** The kind in the console's pages. */
  readonly console: Readonly<Record<"pt" | "es" | "en", string>>;
}

/**
 * The kinds of bets and wins: what the money is for. A transaction without a kind is an ordinary bet or win. The
 * specification's table is generated out of this file.
 */
export const KINDS = {
  tip: {
    of: "bet",
    text: "The player gives money to a dealer or streamer.",
    console: { pt: "Gorjeta", es: "Propina", en: "Tip" },
  },
  feature_buy: {
    of: "bet",
    text: "The player buys a feature of the game, for example a bonus round.",
    console: { pt: "Compra de bônus", es: "Compra de bono", en: "Feature buy" },
  },
  free_rounds: {
    of: "win",
    text: "A win of free rounds, for which no bet was taken.",
    console: { pt: "Rodadas grátis", es: "Rondas gratis", en: "Free rounds" },
  },
  jackpot: {
    of: "win",
    text: "A win of a jackpot.",
    console: { pt: "Jackpot acumulado", es: "Pozo acumulado", en: "Jackpot" },
  },
  tournament: {
    of: "win",
    text: "A prize of a tournament.",
    console: { pt: "Torneio", es: "Torneo", en: "Tournament" },
  },
  prize_drop: {
    of: "win",
    text: "A prize that is given out at random.",
    console: { pt: "Prêmio surpresa", es: "Premio sorpresa", en: "Prize drop" },
  },
  promo: {
    of: "win",
    text: "Another prize of a promotion.",
    console: { pt: "Promoção", es: "Promoción", en: "Promotion" },
  },
  cash_out: {
    of: "win",
    text: "The player ends a running bet early, for a part of its value.",
    console: { pt: "Encerramento antecipado", es: "Retiro anticipado", en: "Cash-out" },
  },
  adjustment: {
    of: "both",
    text: "The provider corrects an earlier result.",
    console: { pt: "Ajuste", es: "Ajuste", en: "Adjustment" },
  },
} as const satisfies Record<string, KindRow>;

export type Kind = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS) as readonly Kind[];

/** The kinds that a bet or a win may have. */
export const kindsOf = (action: "bet" | "win"): readonly Kind[] =>
  KIND_NAMES.filter((kind) => KINDS[kind].of === action || KINDS[kind].of === "both");

/** The sums of a report that are a part of its bets or wins: those of one kind. `column` is the column's name in CSV. */
export const KIND_SUMS = (["bet", "win"] as const).flatMap((action) =>
  kindsOf(action).map((kind) => ({ action, kind, column: `${action}s_${kind}` })),
);
