import type { Language, Layout, OddsFormat, ThemeName } from "../../../web-renderer/protocol.ts";
import type { BetReply, BoardEvent, BrandReply, SessionReply } from "./api-types.ts";
import { EMPTY_SLIP, type Slip } from "./slip.ts";

/** What is being shown instead of the slip's selections. */
type Receipt =
  | { readonly kind: "none" }
  | { readonly kind: "placing" }
  | { readonly kind: "placed"; readonly bets: readonly BetReply[] }
  | { readonly kind: "pending" }
  | { readonly kind: "failed"; readonly error: string };

/** Everything that the page shows; views are functions of it. */
export interface State {
  language: Language;
  theme: ThemeName;
  layout: Layout;
  oddsFormat: OddsFormat;
  /** The route: `/`, `/live`, `/sport/<sport>`, `/league/<code>`, `/event/<id>`, `/bets`, with or without a query. */
  path: string;
  brand: BrandReply | "unknown" | undefined;
  session: SessionReply | undefined;
  /** Minor units; null: not known. */
  balance: number | null;
  board: readonly BoardEvent[] | undefined;
  /** The board could not be fetched; what is shown is old. */
  away: boolean;
  event: BoardEvent | "none" | undefined;
  bets: readonly BetReply[] | undefined;
  betsShown: "open" | "settled";
  slip: Slip;
  /** On narrow screens the betslip lies over the page. */
  slipOpen: boolean;
  receipt: Receipt;
  /** How the odds moved at the last change: selection id to direction, until shown long enough. */
  moves: ReadonlyMap<string, "up" | "down">;
}

/** The look of a page whose brand, session and site choose none. */
export const DEFAULT_LOOK = { language: "pt", theme: "mint-carbon", layout: "sidebar" } as const satisfies Pick<State, "language" | "theme" | "layout">;

export const initialState = (): State => ({
  ...DEFAULT_LOOK,
  oddsFormat: "decimal",
  path: "/",
  brand: undefined,
  session: undefined,
  balance: null,
  board: undefined,
  away: false,
  event: undefined,
  bets: undefined,
  betsShown: "open",
  slip: EMPTY_SLIP,
  slipOpen: false,
  receipt: { kind: "none" },
  moves: new Map(),
});
