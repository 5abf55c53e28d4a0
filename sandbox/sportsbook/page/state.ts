import type { Language, Layout, OddsFormat, ThemeName } from "../../../web-renderer/protocol.ts";
import { DEFAULT_HABIT, type OddsHabit } from "../model/odds-habit.ts";
import type { BetReply, BoardEvent, BrandReply, SessionReply } from "./api-types.ts";
import type { MarketGroup } from "./market-groups.ts";
import { EMPTY_SLIP, type Slip } from "./slip.ts";

/** The result of placing, which is shown instead of the slip's selections. */
type Receipt =
  | { readonly kind: "none" }
  | { readonly kind: "placing" }
  | { readonly kind: "placed"; readonly bets: readonly BetReply[] }
  | { readonly kind: "pending" }
  | { readonly kind: "failed"; readonly error: string; readonly refund: BetReply["refund"] };

/** Everything that the page shows. Views are functions of it. */
export interface State {
  language: Language;
  theme: ThemeName;
  layout: Layout;
  oddsFormat: OddsFormat;
  /** Whether the merchant's page shows balance and deposit itself, so that the header leaves them out. */
  hideBalance: boolean;
  oddsHabit: OddsHabit;
  /** The text of the search on the board. */
  search: string;
  /** The tab of the match's page. */
  group: MarketGroup;
  /** The route: `/`, `/live`, `/sport/<sport>`, `/league/<code>`, `/event/<id>`, `/bets`, with or without a query. */
  path: string;
  brand: BrandReply | "unknown" | undefined;
  session: SessionReply | undefined;
  /** Minor units; null: not known. */
  balance: number | null;
  /** Whether the last try to read the balance failed. */
  balanceFailed: boolean;
  board: readonly BoardEvent[] | undefined;
  /** Whether only the matches of the first screen are drawn yet, so that the page is painted sooner. */
  firstScreenOnly: boolean;
  /** Whether the connection is lost, so that the shown odds are old and take no bets. */
  away: boolean;
  event: BoardEvent | "none" | undefined;
  bets: readonly BetReply[] | undefined;
  betsShown: "open" | "settled";
  slip: Slip;
  /** Whether the betslip lies over the page. On narrow screens only. */
  slipOpen: boolean;
  receipt: Receipt;
  /** The direction of the last change of odds, by selection id. Removed after it was shown for a while. */
  moves: ReadonlyMap<string, "up" | "down">;
}

/** The look of a page whose brand, session and site choose none. */
export const DEFAULT_LOOK = { language: "pt", theme: "mint-carbon", layout: "sidebar" } as const satisfies Pick<
  State,
  "language" | "theme" | "layout"
>;

export const initialState = (): State => ({
  ...DEFAULT_LOOK,
  oddsFormat: "decimal",
  hideBalance: false,
  oddsHabit: DEFAULT_HABIT,
  search: "",
  group: "all",
  path: "/",
  brand: undefined,
  session: undefined,
  balance: null,
  balanceFailed: false,
  board: undefined,
  firstScreenOnly: true,
  away: false,
  event: undefined,
  bets: undefined,
  betsShown: "open",
  slip: EMPTY_SLIP,
  slipOpen: false,
  receipt: { kind: "none" },
  moves: new Map(),
});
