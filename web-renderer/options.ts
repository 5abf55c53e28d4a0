import type { Language, Layout, OddsFormat, Refusal, ThemeName } from "./protocol.ts";

/**
 * The reason why the sportsbook is not shown, as exactly as a browser lets a page find it:
 * - `NO_ANSWER`: the sportsbook's address answers, but the frame sends nothing. Perhaps this page may not frame the
 *   sportsbook, or the sportsbook's script fails.
 * - `UNREACHABLE`: the sportsbook's address does not answer, or an extension or the page's connect-src blocks the
 *   request to it.
 * - `BLOCKED_BY_POLICY`: the page's Content-Security-Policy has no frame-src for the sportsbook.
 * - `VERSION_MISMATCH`: the frame uses another version of the protocol.
 * - `BRAND_UNKNOWN`, `ORIGIN_NOT_ALLOWED`, `UNAVAILABLE`: the sportsbook refused with this code.
 */
export type SBRendererErrorCode = (typeof LIBRARY_ERRORS)[number] | Refusal;

/** What the library finds out itself. */
export const LIBRARY_ERRORS = ["NO_ANSWER", "UNREACHABLE", "BLOCKED_BY_POLICY", "VERSION_MISMATCH"] as const;

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
   * The sportsbook is not shown. Called at once if the cause is known, otherwise 10 s after the iframe was mounted. If
   * the sportsbook answers later, it is shown, and onAppInitialized is called.
   */
  onError?: ((error: SBRendererError) => void) | undefined;
  /** The player clicked Log in. */
  onLogin?: (() => void) | undefined;
  /** The player clicked Sign up. */
  onRegister?: (() => void) | undefined;
  /** The player wants to deposit. */
  onRecharge?: (() => void) | undefined;
  /** Another route is shown, whatever caused the change. Also called once at the start. */
  onRouteChange?: ((path: string) => void) | undefined;
  /**
   * The session expired. Return the jwt of a new launch, or a promise of it, or null to go on as a visitor. Several
   * expirations at the same time are one call. After a throw, a rejection, a value that is not a token, or 15 s without
   * an answer the player is a visitor. If the same used jwt comes again, the callback is called once more, and then the
   * player is a visitor.
   */
  onTokenExpired?: (() => string | null | Promise<string | null>) | undefined;
  /**
   * The session expired. Use it instead of onTokenExpired. If both are given, only onTokenExpired is called. This
   * callback only notifies you: call updateOptions with a token within 15 s, otherwise the player becomes a visitor.
   */
  onSessionRefresh?: (() => void) | undefined;
  /** The number of selections in the betslip changed. */
  onBetslipChanged?: ((betslip: { count: number }) => void) | undefined;
  /**
   * Bets were placed: their round ids and their total stake in minor units. The values are only for display. Only the
   * wallet callback proves a bet.
   */
  onBetPlaced?: ((bet: { betIds: string[]; stake: number }) => void) | undefined;
  /**
   * The new balance after a bet or a settlement, in minor units (cents; CLP in pesos). The values are only for display.
   */
  onBalanceChange?: ((balance: { amount: number; currency: string }) => void) | undefined;
}

/**
 * Options that may change while the sportsbook is open. undefined: no change. An invalid value is ignored with a
 * warning on the console.
 */
export interface SBRendererLiveOptions extends SBRendererCallbacks {
  /** The jwt of a launch; null or "" for a visitor. Repeating the same token changes nothing. */
  token?: string | null | undefined;
  /** pt, es, en, or one of them with a region. Default: the session's language, for a visitor the brand's. */
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
   * Whether the sportsbook's header hides its balance and its deposit button, because the page shows them already. A
   * betslip that the balance cannot pay still has a deposit button. Default: false.
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
