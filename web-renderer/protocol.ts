/**
 * What a merchant's page (SBRenderer, page.ts) and the sportsbook in its iframe (frame.ts) say to each other by postMessage.
 *
 *     page                                     frame
 *      │ hello, every 250 ms from the           │
 *      │ iframe's load on, for 15 s ───────────▶│ is the sender my parent, and of an allowed origin?
 *      │◀───────────────────────────── ready ───┤ what I can do
 *      │ options: all, and the token ──────────▶│ exchanges the token for a session
 *      │◀──────────────────────────── events ───┤ appInitialized, routeChange, betPlaced ...
 *      │ options: what changed ────────────────▶│
 *      │◀────────────────── tokenExpired #7 ────┤ a request was answered 401
 *      │ reply #7: a new token ────────────────▶│
 *
 * Rules of both sides:
 * - A message counts only if its `source` is the other window, its `origin` the other's exact origin, and its envelope this one. Everything else,
 *   unknown kinds and names too, is ignored without a word: other scripts use postMessage as well, and later versions may add names.
 * - Every message is sent to one exact origin. The token is in no address, storage or log; it follows the handshake.
 * - The page begins a new handshake, with its present options, each time the iframe loads (a node that is moved in the document loads again).
 */

/** Marks the messages of this protocol among those of other scripts. */
export const NAMESPACE = "sb";
/** Raised only when an older half would misunderstand. */
export const VERSION = 1;

/** A message whose JSON text is longer is ignored. */
export const MESSAGE_CHARS_MAX = 16_384;
/** The page ignores what a frame sends beyond this in any second; frame.ts paces itself. */
export const EVENTS_PER_SECOND_MAX = 50;
export const HELLO_INTERVAL_MS = 250;
/** For so long the page says hello after the iframe loaded; a frame that is silent until then is given up, and the console says so. */
export const HELLO_FOR_MS = 15_000;
/** For so long the page waits for the merchant's onTokenExpired, and the frame for a token after onSessionRefresh; then the player is a visitor. */
export const RENEWAL_DEADLINE_MS = 15_000;
export const PATH_CHARS_MAX = 1_024;
export const TOKEN_CHARS_MAX = 4_096;
export const BET_IDS_MAX = 100;
export const BET_ID_CHARS_MAX = 128;

export const LANGUAGES = ["pt", "es", "en"] as const;
export const LAYOUTS = ["sidebar", "classic", "tile"] as const;
export const ODDS_FORMATS = ["decimal", "fractional", "american"] as const;
export const THEMES = [
  "mint-carbon",
  "azure-carbon",
  "gold-navy",
  "emerald-carbon",
  "flame-carbon",
  "lilac-plum",
  "brasil-navy",
  "lilac-light",
  "canary-plum",
  "red-navy",
  "coral-light",
  "aqua-carbon",
  "navy-light",
  "amber-carbon",
] as const;

export type Language = (typeof LANGUAGES)[number];
export type Layout = (typeof LAYOUTS)[number];
export type OddsFormat = (typeof ODDS_FORMATS)[number];
export type ThemeName = (typeof THEMES)[number];

/**
 * Every message. `handshake` is hello or ready, `command` page to frame, `event` frame to page, `reply` the page's answer to the event with this `id`.
 * A `ready` repeats the `id` of the hello it answers, so that the page takes one ready of each load.
 */
export interface Envelope {
  readonly ns: typeof NAMESPACE;
  readonly v: typeof VERSION;
  readonly kind: "handshake" | "command" | "event" | "reply";
  readonly name: string;
  /** At most 64 characters. */
  readonly id?: string;
  readonly payload?: unknown;
}

/** Payloads of kind `handshake`. */
export interface Handshakes {
  /** `version`: the library's. */
  readonly hello: { readonly version: string };
  /** `capabilities`: names of the commands the frame understands; the page sends no other. */
  readonly ready: { readonly capabilities: readonly string[] };
}

/** Payloads of kind `command`. */
export interface Commands {
  /** What changed; after a handshake everything that was given. */
  readonly options: {
    /** null: a visitor. After a handshake it is always there. */
    readonly token?: string | null;
    /** Absent: the session's language, for a visitor the brand's, else pt. */
    readonly lang?: Language;
    /** Absent: the brand's. */
    readonly themeName?: ThemeName;
    /** Absent: the brand's. */
    readonly layout?: Layout;
    /** Absent: decimal. */
    readonly oddsFormat?: OddsFormat;
    /** Where to go; see path.ts. */
    readonly path?: string;
  };
  readonly refreshBalance: undefined;
}

/** Payloads of kind `event`; the merchant's callback is `on` and the name (appInitialized: onAppInitialized). */
export interface Events {
  readonly appInitialized: undefined;
  readonly login: undefined;
  readonly register: undefined;
  readonly recharge: undefined;
  /** The route, as path.ts allows it. */
  readonly routeChange: { readonly path: string };
  /** With an `id`: the page replies. */
  readonly tokenExpired: undefined;
  /** Selections in the betslip. */
  readonly betslipChanged: { readonly count: number };
  /** Round ids, and their stake together in minor units. */
  readonly betPlaced: { readonly betIds: readonly string[]; readonly stake: number };
  /** Minor units (cents; CLP in pesos) and the ISO 4217 code. */
  readonly balanceChange: { readonly amount: number; readonly currency: string };
}

/** Payloads of kind `reply`. */
export interface Replies {
  /** `token` null: go on as a visitor. `wait`: the merchant was notified (onSessionRefresh); its token comes as an option, or not. */
  readonly tokenExpired: { readonly token: string | null } | { readonly wait: true };
}

/** The envelope of `data`, or undefined when it is none. The sender's window and origin are the caller's to check, before this. */
export function readEnvelope(data: unknown): Envelope | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { ns, v, kind, name, id } = data as Partial<Record<keyof Envelope, unknown>>;
  if (ns !== NAMESPACE || v !== VERSION || typeof kind !== "string" || typeof name !== "string") return undefined;
  if (id !== undefined && (typeof id !== "string" || id.length > 64)) return undefined;
  try {
    // What has no JSON text (cycles, bigints) is no message of ours either.
    return JSON.stringify(data).length > MESSAGE_CHARS_MAX ? undefined : (data as Envelope);
  } catch {
    return undefined;
  }
}
