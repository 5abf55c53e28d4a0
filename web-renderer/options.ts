import type { Language, Layout, OddsFormat, ThemeName } from "./protocol.ts";

/**
 * Called when something happens in the sportsbook. What a callback throws, or its promise rejects with, is logged to the console and stops nothing.
 */
export interface SBRendererCallbacks {
  /** The sportsbook finished loading. */
  onAppInitialized?: (() => void) | undefined;
  /** The player clicked Log in. */
  onLogin?: (() => void) | undefined;
  /** The player clicked Sign up. */
  onRegister?: (() => void) | undefined;
  /** The player wants to deposit. */
  onRecharge?: (() => void) | undefined;
  /** The internal route changed. */
  onRouteChange?: ((path: string) => void) | undefined;
  /**
   * The session expired: return the jwt of a new launch (or a promise of it), or null to go on as a visitor. Several expirations at once are one call. A throw,
   * a rejection, anything that is not a token, or 15 s without an answer: visitor. The same used jwt again is asked for once more, then visitor.
   */
  onTokenExpired?: (() => string | null | Promise<string | null>) | undefined;
  /** Instead of onTokenExpired, which wins when both are given: only notifies; call updateOptions with a token within 15 s, else the player is a visitor. */
  onSessionRefresh?: (() => void) | undefined;
  /** The number of selections in the betslip changed. */
  onBetslipChanged?: ((betslip: { count: number }) => void) | undefined;
  /** A bet was placed: its round ids and their stake together, in minor units. To show, never to book: the truth is the wallet callback. */
  onBetPlaced?: ((bet: { betIds: string[]; stake: number }) => void) | undefined;
  /** The balance after bets and settlements, in minor units (cents; CLP in pesos). To show, never to book. */
  onBalanceChange?: ((balance: { amount: number; currency: string }) => void) | undefined;
}

/** What may change while the sportsbook is open. undefined: as it is. An unknown value is ignored with a warning on the console. */
export interface SBRendererLiveOptions extends SBRendererCallbacks {
  /** The jwt of a launch; null or "" for a visitor. The same token again is no change. */
  token?: string | null | undefined;
  /** pt, es, en, or a regional tag of them. Default: the session's, for a visitor the brand's. */
  lang?: Language | `${Language}-${string}` | undefined;
  /** Default: the brand's. */
  themeName?: ThemeName | undefined;
  /** Default: the brand's. */
  layout?: Layout | undefined;
  /** Default: decimal. */
  oddsFormat?: OddsFormat | undefined;
  /** The route, beginning with one `/`. Default: the page's query parameter sb-path. */
  path?: string | undefined;
  /** Keeps the route in the page's query parameter sb-path. Default: true. */
  syncPath?: boolean | undefined;
  /** Logs the sportsbook's messages to the console. Default: false. */
  debug?: boolean | undefined;
}

export interface SBRendererOptions extends SBRendererLiveOptions {
  /** Where the iframe is mounted; it fills the element, which needs a height. */
  target: HTMLElement;
  /** The brand, from GET /v1/merchant. */
  brand_id: string;
  /** The sportsbook's address. Default: the origin of the script; required when the library came from the npm package. */
  url?: string | undefined;
}
