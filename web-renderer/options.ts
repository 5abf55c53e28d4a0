import type { Language, Layout, OddsFormat, Refusal, ThemeName } from "./protocol.ts";

/**
 * Why the sportsbook is not shown. As far as a browser lets a page know:
 * - `NO_ANSWER`: its address answers, but the frame says nothing. Perhaps it may not be framed by this page, or its
 * script fails.
 * - `UNREACHABLE`: its address does not answer, or an extension or the page's connect-src keeps the page from asking.
 * - `BLOCKED_BY_POLICY`: the page's Content-Security-Policy has no frame-src for it.
 * - `VERSION_MISMATCH`: the frame speaks another version of the protocol.
 * - What the sportsbook says itself: `BRAND_UNKNOWN`, `ORIGIN_NOT_ALLOWED`, `UNAVAILABLE`.
 */
export type SBRendererErrorCode = "NO_ANSWER" | "UNREACHABLE" | "BLOCKED_BY_POLICY" | "VERSION_MISMATCH" | Refusal;

export interface SBRendererError {
  readonly code: SBRendererErrorCode;
  /** One English sentence for the log. */
  readonly message: string;
}

/**
 * Called when something happens in the sportsbook. When a callback throws, or its promise rejects, the error is logged
 * to the console.
 */
export interface SBRendererCallbacks {
  /** The sportsbook finished loading. */
  onAppInitialized?: (() => void) | undefined;
  /**
   * The sportsbook is not shown: at once when the cause is known, else 10 s after the iframe was mounted. If it answers
   * later, it is shown after all, with onAppInitialized.
   */
  onError?: ((error: SBRendererError) => void) | undefined;
  /** The player clicked Log in. */
  onLogin?: (() => void) | undefined;
  /** The player clicked Sign up. */
  onRegister?: (() => void) | undefined;
  /** The player wants to deposit. */
  onRecharge?: (() => void) | undefined;
  /** Another route is shown, whoever asked for it. Also called once at the start. */
  onRouteChange?: ((path: string) => void) | undefined;
  /**
   * The session expired. Return the jwt of a new launch, or a promise of it, or null to go on as a visitor. Several
   * expirations at the same time are one call. After a throw, a rejection, a value that is not a token, or 15 s without
   * an answer the player is a visitor. If the same used jwt comes again, the callback is called once more, and then the
   * player is a visitor.
   */
  onTokenExpired?: (() => string | null | Promise<string | null>) | undefined;
  /**
   * The session expired. Use it instead of onTokenExpired, which wins when both are given. It only notifies: call
   * updateOptions with a token within 15 s, else the player is a visitor.
   */
  onSessionRefresh?: (() => void) | undefined;
  /** The number of selections in the betslip changed. */
  onBetslipChanged?: ((betslip: { count: number }) => void) | undefined;
  /**
   * Bets were placed: their round ids and their total stake in minor units. For display only. What counts is the wallet
   * callback.
   */
  onBetPlaced?: ((bet: { betIds: string[]; stake: number }) => void) | undefined;
  /** The balance after bets and settlements, in minor units (cents; CLP in pesos). For display only. */
  onBalanceChange?: ((balance: { amount: number; currency: string }) => void) | undefined;
}

/**
 * Options that may change while the sportsbook is open. undefined: no change. An invalid value is ignored with a
 * warning on the console.
 */
export interface SBRendererLiveOptions extends SBRendererCallbacks {
  /** The jwt of a launch; null or "" for a visitor. Repeating the same token changes nothing. */
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
  /**
   * The sportsbook's header leaves out its balance and its deposit button, because the page shows them already. A
   * betslip that the balance cannot pay still offers a deposit. Default: false.
   */
  hideBalance?: boolean | undefined;
  /** Shown in the target instead of the iframe after an error: an element, or a function that may return one. */
  fallback?: HTMLElement | ((error: SBRendererError) => HTMLElement | null | undefined) | undefined;
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
  /**
   * The sportsbook's address. Default: the origin of the script; required when the library came from the npm package.
   */
  url?: string | undefined;
}
