import {
  LANGUAGES,
  LAYOUTS,
  type Language,
  type Layout,
  type OddsFormat,
  THEMES,
  type ThemeName,
} from "../../../web-renderer/protocol.ts";
import { DEFAULT_HABIT, type OddsHabit } from "../model/odds-habit.ts";
import type { BetReply, BoardEvent, BrandReply, SessionReply } from "./api-types.ts";
import type { MarketGroup } from "./market-groups.ts";
import { EMPTY_SLIP, type Slip } from "./slip.ts";

/** The result of a placed slip. The page shows it instead of the slip's selections. */
type Receipt =
  | { readonly kind: "none" }
  | { readonly kind: "placing" }
  | { readonly kind: "placed"; readonly bets: readonly BetReply[] }
  | { readonly kind: "pending" }
  | { readonly kind: "failed"; readonly error: string; readonly refund: BetReply["refund"] };

/** All data that the page shows. Views are functions of this state. */
export interface State {
  language: Language;
  theme: ThemeName;
  layout: Layout;
  oddsFormat: OddsFormat;
  /** Whether the header hides balance and deposit button, because the merchant's page shows them itself. */
  hideBalance: boolean;
  oddsHabit: OddsHabit;
  /** The text of the search on the board. */
  search: string;
  /** The chosen tab of a match's page. */
  group: MarketGroup;
  /** The route: `/`, `/live`, `/sport/<sport>`, `/league/<code>`, `/event/<id>`, `/bets`, with or without a query. */
  path: string;
  brand: BrandReply | "unknown" | undefined;
  session: SessionReply | undefined;
  /** The balance in minor units. null: it is not known. */
  balance: number | null;
  /** Whether the last try to read the balance failed. */
  balanceFailed: boolean;
  board: readonly BoardEvent[] | undefined;
  /** Whether only the matches of the first screen are drawn. So the browser paints the page sooner. */
  firstScreenOnly: boolean;
  /** Whether the connection is lost. Then the shown odds may be old, and no bets can be placed. */
  away: boolean;
  event: BoardEvent | "none" | undefined;
  bets: readonly BetReply[] | undefined;
  betsShown: "open" | "settled";
  slip: Slip;
  /** Whether the betslip is open over the page. This is only possible on narrow screens. */
  slipOpen: boolean;
  receipt: Receipt;
  /** The direction of the last change of odds, by selection id. An entry is removed after a few seconds. */
  moves: ReadonlyMap<string, "up" | "down">;
}

/** The default look, if neither brand nor session nor site sets another one. */
export const DEFAULT_LOOK = { language: LANGUAGES[0], theme: THEMES[0], layout: LAYOUTS[0] } as const satisfies Pick<
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
