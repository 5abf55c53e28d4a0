/**
 * The messages between a merchant's page (SBRenderer, mount.ts) and the sportsbook in its iframe (frame.ts), sent by
 * postMessage.
 *
 *     page                                     frame
 *      │◀────────────────────────────── here ───┤ my script listens (frames may leave it out)
 *      │ hello, every 250 ms from the           │
 *      │ iframe's load on, for 15 s ───────────▶│ is the sender my parent, and of an allowed origin?
 *      │◀───────────────────────────── ready ───┤ what I can do
 *      │ options: all, and the token ──────────▶│ exchanges the token for a session
 *      │◀──────────────────────────── events ───┤ appInitialized, routeChange, betPlaced ...
 *      │ options: what changed ────────────────▶│
 *      │◀────────────────── tokenExpired #7 ────┤ a request was answered 401
 *      │ reply #7: a new token ────────────────▶│
 *
 * Rules for both sides:
 * - A message counts only if its `source` is the other window, its `origin` is the other side's exact origin, and it
 *   has this envelope. All other messages, including those with unknown kinds and names, are ignored silently, because
 *   other scripts use postMessage, too, and later versions may add names.
 * - Every message is sent to one exact origin. The token is sent after the handshake. It is never in an address, a
 *   storage or a log.
 * - Each time the iframe loads, the page begins a new handshake. If another document was loaded, the page sends its
 *   current options. An iframe that is moved in the document loads again.
 */

import { textIn } from "./dom.ts";
import type { LANGUAGES, LAYOUTS, THEMES } from "./gen/choices.ts";

export { LANGUAGES, LAYOUTS, THEMES } from "./gen/choices.ts";

/** Distinguishes the messages of this protocol from those of other scripts. */
export const NAMESPACE = "sb";
/** Raised only for a change that an older page or frame would misunderstand. */
export const VERSION = 1;

/** A message whose JSON text is longer is ignored. */
export const MESSAGE_CHARS_MAX = 16_384;
/** The page ignores further messages of a frame within the same second. frame.ts sends fewer messages. */
export const EVENTS_PER_SECOND_MAX = 50;
/** The pause after the page's first hello, and by how much each further pause is longer. */
export const HELLO_PAUSE_MS = 250;
/** Each pause is shorter. So the page sends eleven hellos in the 14 s after the iframe loaded. */
export const HELLO_PAUSES_BELOW_MS = 3_000;
/** After this long without an answer the page calls onError. */
export const SILENCE_MS = 10_000;
/**
 * The page waits this long for the merchant's onTokenExpired, and the frame for a token after onSessionRefresh. Then
 * the player is a visitor.
 */
export const RENEWAL_DEADLINE_MS = 15_000;
export const PATH_CHARS_MAX = 1_024;
export const TOKEN_CHARS_MAX = 4_096;
export const BET_IDS_MAX = 100;
export const BET_ID_CHARS_MAX = 128;

export const ODDS_FORMATS = ["decimal", "fractional", "american"] as const;

/** The reasons with which a sportsbook refuses to be shown. */
export const REFUSALS = ["BRAND_UNKNOWN", "ORIGIN_NOT_ALLOWED", "UNAVAILABLE"] as const;

/** Other sportsbooks may have other reasons: up to 64 letters, digits and `_`. */
export type Refusal = (typeof REFUSALS)[number] | (string & {});
export type Language = (typeof LANGUAGES)[number];
export type Layout = (typeof LAYOUTS)[number];
export type OddsFormat = (typeof ODDS_FORMATS)[number];
export type ThemeName = (typeof THEMES)[number];

/**
 * The envelope of every message. Kinds: `handshake` is here, hello or ready, `command` goes from page to frame, `event`
 * from frame to page, and `reply` is the page's answer to the event with this `id`. A `refusal` is the frame's answer
 * instead of ready, and its name is the reason. A `ready` and a `refusal` have the `id` of the hello that they answer,
 * so that the page can ignore answers to an earlier load.
 */
export interface Envelope {
  readonly ns: typeof NAMESPACE;
  readonly v: typeof VERSION;
  readonly kind: "handshake" | "command" | "event" | "reply" | "refusal";
  readonly name: string;
  /** At most 64 characters. */
  readonly id?: string;
  readonly payload?: unknown;
}

/** Payloads of kind `handshake`. */
export interface Handshakes {
  /** `version`: the library's. */
  readonly hello: { readonly version: string };
  /** The frame's script listens now. The page answers with a hello. A frame need not send this message. */
  readonly here: undefined;
  /** `capabilities`: the names of the commands that the frame supports. The page sends no other commands. */
  readonly ready: { readonly capabilities: readonly string[] };
  /**
   * The document has got options before, and still has them. It sends this message before each further ready.
   * The page then sends only the options that changed since the load, and ignores the ready. A frame need not send it.
   */
  readonly same: undefined;
}

/** Payloads of kind `command`. */
export interface Commands {
  /** The changed options. After the first ready of a document: all options that were set. */
  readonly options: {
    /** null: a visitor. Always present after the first ready of a document. */
    readonly token?: string | null;
    /** Absent: the session's language; for a visitor the brand's, or else pt. */
    readonly lang?: Language;
    /** Absent: the brand's. */
    readonly themeName?: ThemeName;
    /** Absent: the brand's. */
    readonly layout?: Layout;
    /** Absent: decimal. */
    readonly oddsFormat?: OddsFormat;
    /** The route to show; see path.ts. */
    readonly path?: string;
    /** Whether the sportsbook's header leaves out its balance and its deposit button. Absent: false. */
    readonly hideBalance?: boolean;
  };
  readonly refreshBalance: undefined;
}

/**
 * Payloads of kind `event`. The merchant's callback is named `on` and the event's name: onAppInitialized for
 * appInitialized.
 */
export interface Events {
  readonly appInitialized: undefined;
  readonly login: undefined;
  readonly register: undefined;
  readonly recharge: undefined;
  /**
   * The shown route, in the form that path.ts allows. Sent at the start, after every change, and as an answer to each
   * `path`. The page calls the merchant's callback only if the route has changed.
   */
  readonly routeChange: { readonly path: string };
  /** Has an `id`, to which the page replies. */
  readonly tokenExpired: undefined;
  /** `count`: the number of selections in the betslip. */
  readonly betslipChanged: { readonly count: number };
  /** The round ids of the bets, and their total stake in minor units. */
  readonly betPlaced: { readonly betIds: readonly string[]; readonly stake: number };
  /** Minor units (cents; CLP in pesos) and the ISO 4217 code. */
  readonly balanceChange: { readonly amount: number; readonly currency: string };
}

/** Payloads of kind `reply`. */
export interface Replies {
  /**
   * `token` null: continue as a visitor. `wait`: the merchant was notified (onSessionRefresh) and may send a token as
   * an option.
   */
  readonly tokenExpired: { readonly token: string | null } | { readonly wait: true };
}

/**
 * The envelope in `data`; undefined: `data` is not a message of this protocol. The caller must check the sender's
 * window and origin first.
 */
export function readEnvelope(data: unknown): Envelope | undefined {
  const { ns, v, kind, name, id } = Object(data) as Partial<Record<keyof Envelope, unknown>>;
  if (ns !== NAMESPACE || v !== VERSION || !textIn(kind) || !textIn(name)) return undefined;
  if (id !== undefined && !(textIn(id)?.length <= 64)) return undefined;
  try {
    if (JSON.stringify(data).length <= MESSAGE_CHARS_MAX) return data as Envelope;
  } catch {
    // Data that cannot be converted to JSON (cycles, bigints) is not a message of this protocol either.
  }
}

/** Whether `data` is a message of another version of this protocol. */
export function isOtherVersion(data: unknown): boolean {
  return Object(data).ns === NAMESPACE && Object(data).v !== VERSION;
}
