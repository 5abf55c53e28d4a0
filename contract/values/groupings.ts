/** What a row of a report may stand for. */

interface Grouping {
  /** The meaning of a row's key, for the API's description. Markdown. Absent: merchants do not have this report. */
  readonly key?: string;
  /** Whether a report about all merchants of a currency may have it. */
  readonly ofCurrency: boolean;
  /** The console's name of the grouping. */
  readonly console: Readonly<Record<"pt" | "es" | "en", string>>;
}

export const GROUPINGS = {
  day: { key: "a day in `tz`: `YYYY-MM-DD`", ofCurrency: true, console: { pt: "Dia", es: "Día", en: "Day" } },
  merchant: { ofCurrency: true, console: { pt: "Operador", es: "Operador", en: "Merchant" } },
  provider: {
    key: "a provider's code",
    ofCurrency: true,
    console: { pt: "Provedor", es: "Proveedor", en: "Provider" },
  },
  game: { key: "`<PROVIDER>/<game>`", ofCurrency: true, console: { pt: "Jogo", es: "Juego", en: "Game" } },
  type: { key: "`slot`, `live` or `sportsbook`", ofCurrency: true, console: { pt: "Tipo", es: "Tipo", en: "Type" } },
  // A player belongs to one merchant.
  player: { key: "a player_id", ofCurrency: false, console: { pt: "Jogador", es: "Jugador", en: "Player" } },
} as const satisfies Record<string, Grouping>;

type Groupings = typeof GROUPINGS;
export type GroupingName = keyof Groupings;
/** The groupings of a merchant's own report. */
export type MerchantGrouping = {
  [Name in GroupingName]: Groupings[Name] extends { readonly key: string } ? Name : never;
}[GroupingName];

const NAMES = Object.keys(GROUPINGS) as readonly GroupingName[];
export const MERCHANT_GROUPINGS = NAMES.filter((name): name is MerchantGrouping => "key" in GROUPINGS[name]);
/** The groupings of a report about all merchants of a currency. */
export const CURRENCY_GROUPINGS = NAMES.filter((name) => GROUPINGS[name].ofCurrency);
