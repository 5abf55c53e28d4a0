/**
 * The sportsbook's part of the protocol. It runs in the page that SBRenderer opens in its iframe. It determines the
 * parent page's origin, stores the player's session, receives options and sends events.
 *
 * ```ts
 * const page = connectToPage<Session>(
 *   { signIn, onSession, onOptions, onNavigate, onRefreshBalance },
 *   { allowedOrigins, token: takeLaunchToken() },
 * );
 * await page.started; // options and session are known: draw the page
 * page.send("appInitialized");
 * // on a 401 of a request made with `session`:
 * const renewed = await page.renew(session); // undefined: continue as a visitor
 * ```
 */

import { ofDocument } from "./dom.ts";
import { SessionKeeper } from "./frame/session-keeper.ts";
import { parentOrigin, tell } from "./frame/tell.ts";
import { safePath } from "./path.ts";
import {
  type Commands,
  EVENTS_PER_SECOND_MAX,
  type Events,
  type Handshakes,
  isOtherVersion,
  LANGUAGES,
  LAYOUTS,
  ODDS_FORMATS,
  RENEWAL_DEADLINE_MS,
  readEnvelope,
  THEMES,
  TOKEN_CHARS_MAX,
} from "./protocol.ts";

export { refuse } from "./frame/refuse.ts";

/**
 * The options that the merchant's page has set. An absent option has the brand's value (oddsFormat: decimal,
 * hideBalance: false).
 */
export type FrameOptions = Pick<Commands["options"], "lang" | "themeName" | "layout" | "oddsFormat" | "hideBalance">;

/**
 * The functions that the sportsbook must provide. `Session` is the sportsbook's own type of a session, an object or a
 * string. Sessions are compared by identity.
 */
export interface FrameHandlers<Session> {
  /**
   * Exchanges a launch jwt for a session. undefined: the jwt is refused (used, expired or of another brand), and
   * another jwt is requested from the merchant's page. A rejected promise counts as a refusal. Calls never overlap.
   */
  signIn(token: string): Promise<Session | undefined>;
  /** Called with the new session on each change, and once before `started`. undefined: the player is a visitor. */
  onSession(session: Session | undefined): void;
  /** Called with all options that the page has set: on each change, and once before `started` if there are any. */
  onOptions(options: FrameOptions): void;
  /**
   * Called with the route to show, checked by {@link safePath}. Pass it to the router, never to `location`. Replace the
   * frame's history entry, and answer with a routeChange with the shown route, even if the route is the same.
   */
  onNavigate(path: string): void;
  onRefreshBalance(): void;
}

export interface FrameSettings {
  /** The origins whose pages may embed the sportsbook: the brand's `allowed_origins`. "any" is for development. */
  readonly allowedOrigins: readonly string[] | "any";
  /**
   * From {@link takeLaunchToken}. With a token, a launch_url opened the sportsbook, so there is no page with the
   * library.
   */
  readonly token?: string | null;
}

export interface PageConnection<Session> {
  /**
   * Resolves when options and session are known. "page": the parent page has the library. "alone": the sportsbook was
   * opened directly, or in a page without the library, which sent nothing for 2 s after the document loaded. If a
   * message of the library comes later, the handlers are still called.
   */
  readonly started: Promise<"page" | "alone">;
  /** undefined: the player is a visitor. */
  readonly session: Session | undefined;
  /** Sends an event to the page, after the handshake and at most 50 a second. Without a page it does nothing. */
  send<Name extends Exclude<keyof Events, "tokenExpired">>(
    name: Name,
    ...payload: Events[Name] extends undefined ? [] : [Events[Name]]
  ): void;
  /**
   * Call it when a request with the session `expired` got a 401. It requests a new token from the merchant's page and
   * signs in. Resolves to the new session, with which the request can be repeated, or to undefined: the player is a
   * visitor from now on. All calls for one session share one request to the merchant's page. The new session may belong
   * to another player who logged in meanwhile. Repeat a request that moves money only for the same player.
   */
  renew(expired: Session): Promise<Session | undefined>;
  /** Removes the listeners and timers. May be called again. */
  close(): void;
}

/**
 * Removes the `jwt` of a launch_url from the page's address and history and returns it. null: there is no jwt, for
 * example in a page that SBRenderer opened. Call it before anything else, because addresses are copied, logged and sent
 * as referrers.
 */
export function takeLaunchToken(): string | null {
  const url = new URL(location.href);
  const token = url.searchParams.get("jwt");
  if (token === null) return null;
  url.searchParams.delete("jwt");
  history.replaceState(history.state, "", url);
  return token || null;
}

/** Connects to the page. Listens at once, so call it as soon as the handlers exist. */
export function connectToPage<Session>(
  handlers: FrameHandlers<Session>,
  settings: FrameSettings,
): PageConnection<Session> {
  return new Connection(handlers, settings);
}

/** If the page sends nothing for this time after the document loaded, it counts as a page without the library. */
const ALONE_AFTER_MS = 2_000;
/**
 * Half of the number of messages that the page accepts per second, so that every interval of a second is below that
 * limit.
 */
const PACE_PER_SECOND = EVENTS_PER_SECOND_MAX / 2 - 1;
const WAITING_MAX = 100;
const COMMANDS = ["options", "refreshBalance"] satisfies (keyof Commands)[];

interface Outgoing {
  readonly name: keyof Events;
  readonly payload?: unknown;
}

class Connection<Session> implements PageConnection<Session> {
  readonly started: Promise<"page" | "alone">;
  readonly #handlers: FrameHandlers<Session>;
  readonly #settings: FrameSettings;
  readonly #keeper: SessionKeeper<Session>;
  #start: (how: "page" | "alone") => void = () => {};
  readonly #closing = new AbortController();
  /** The page's origin. undefined before its first hello. */
  #page: string | undefined;
  #options: FrameOptions = {};
  /** Whether the page has sent options to this document. Before this, the page may have ignored a ready. */
  #hasOptions = false;
  /** Events that wait for the handshake or for the next second. */
  #waiting: Outgoing[] = [];
  #sentThisSecond = 0;
  #second: Timer;
  #questions = 0;
  #question:
    | { readonly id: string; readonly answer: (token: string | null) => void; readonly deadline: Timer }
    | undefined;

  constructor(handlers: FrameHandlers<Session>, settings: FrameSettings) {
    this.started = new Promise((resolve) => {
      this.#start = resolve;
    });
    this.#handlers = handlers;
    this.#settings = settings;
    this.#keeper = new SessionKeeper({
      signIn: (token) => handlers.signIn(token),
      onSession: (session) => handlers.onSession(session),
      ask: (answer) => this.#ask(answer),
    });
    const token = settings.token ?? null;
    if (token !== null || parent === window) this.#goAlone(token);
    else this.#listen();
  }

  get session(): Session | undefined {
    return this.#keeper.session;
  }

  send<Name extends keyof Events>(name: Name, payload?: Events[Name]): void {
    this.#queue(payload === undefined ? { name } : { name, payload });
  }

  renew(expired: Session): Promise<Session | undefined> {
    return this.#keeper.renew(expired);
  }

  close(): void {
    this.#closing.abort();
    this.#keeper.close();
    this.#forgetQuestion();
    clearTimeout(this.#second);
    this.#waiting = [];
    this.#page = undefined;
  }

  #listen(): void {
    const { signal } = this.#closing;
    addEventListener("message", (event) => this.#receive(event), { signal });
    const origin = parentOrigin();
    if (this.#allows(origin)) tell(origin, "handshake", "here");
    const wait = (): void => {
      const timer = setTimeout(() => this.#page === undefined && this.#goAlone(null), ALONE_AFTER_MS);
      signal.addEventListener("abort", () => clearTimeout(timer));
    };
    if (ofDocument("readyState") === "complete") wait();
    else addEventListener("load", wait, { signal });
  }

  #goAlone(token: string | null): void {
    void this.#keeper.give(token).then(() => this.#start("alone"));
  }

  #receive(event: MessageEvent): void {
    const { origin, source } = event;
    if (source !== parent || (this.#page === undefined ? !this.#allows(origin) : origin !== this.#page)) return;
    const message = readEnvelope(event.data);
    // The content of the message does not matter. The answer shows this version to the page.
    if (isOtherVersion(event.data)) tell(origin, "handshake", "ready");
    if (message?.kind === "handshake" && message.name === "hello") this.#greet(origin, message.id);
    if (this.#page === undefined) return;
    if (message?.kind === "command" && message.name === "options") {
      this.#hasOptions = true;
      this.#change(message.payload);
    }
    if (message?.kind === "command" && message.name === "refreshBalance") this.#handlers.onRefreshBalance();
    if (message?.kind === "reply" && message.id === this.#question?.id) this.#hear(message.payload);
  }

  /** The origin of a sandboxed page is the text "null". Nothing can be sent to it, so it is not allowed. */
  #allows(origin: string | undefined): origin is string {
    return (
      origin !== undefined &&
      origin !== "null" &&
      (this.#settings.allowedOrigins === "any" || this.#settings.allowedOrigins.includes(origin))
    );
  }

  #greet(origin: string, id: string | undefined): void {
    // Each load event of the iframe brings a hello. Chromium reports a load after some steps in the frame's history.
    if (this.#hasOptions) tell(origin, "handshake", "same", { id });
    this.#page = origin;
    tell(origin, "handshake", "ready", { id, payload: { capabilities: COMMANDS } satisfies Handshakes["ready"] });
    this.#pump();
  }

  #change(payload: unknown): void {
    if (typeof payload !== "object" || payload === null) return;
    // Without a prototype, so that an absent option is not one that another script added to Object.prototype.
    const own: Record<string, unknown> = { __proto__: null, ...payload };
    const { token, lang, themeName, layout, oddsFormat, path, hideBalance } = own;
    const chosen = {
      ...(isOneOf(LANGUAGES, lang) && { lang }),
      ...(isOneOf(THEMES, themeName) && { themeName }),
      ...(isOneOf(LAYOUTS, layout) && { layout }),
      ...(isOneOf(ODDS_FORMATS, oddsFormat) && { oddsFormat }),
      ...(typeof hideBalance === "boolean" && { hideBalance }),
    };
    if (Object.keys(chosen).length > 0) {
      this.#options = { ...this.#options, ...chosen };
      this.#handlers.onOptions(this.#options);
    }
    const route = safePath(path);
    if (route !== undefined) this.#handlers.onNavigate(route);
    if (token !== null && (typeof token !== "string" || token.length > TOKEN_CHARS_MAX)) return;
    void this.#keeper.give(token || null).then(() => this.#start("page"));
  }

  /**
   * Requests a token from the page. If the page does not reply within its own deadline plus 2 s, the answer is null.
   */
  #ask(answer: (token: string | null) => void): void {
    if (this.#page === undefined) return answer(null);
    this.#forgetQuestion();
    const id = String(++this.#questions);
    this.#question = { id, answer, deadline: setTimeout(() => answer(null), RENEWAL_DEADLINE_MS + ALONE_AFTER_MS) };
    // Sent before the waiting events, because a session is more urgent than events.
    tell(this.#page, "event", "tokenExpired" satisfies keyof Events, { id });
  }

  #hear(payload: unknown): void {
    const { token, wait }: Record<string, unknown> = { __proto__: null, ...(payload as object) };
    const answer = this.#question?.answer;
    const id = this.#question?.id;
    this.#forgetQuestion();
    if (answer === undefined || id === undefined) return;
    if (wait === true) this.#question = { id, answer, deadline: setTimeout(() => answer(null), RENEWAL_DEADLINE_MS) };
    else answer(typeof token === "string" && token !== "" && token.length <= TOKEN_CHARS_MAX ? token : null);
  }

  #forgetQuestion(): void {
    clearTimeout(this.#question?.deadline);
    this.#question = undefined;
  }

  #queue(event: Outgoing): void {
    if (parent === window || this.#closing.signal.aborted) return;
    if (this.#waiting.push(event) > WAITING_MAX) this.#waiting.shift();
    this.#pump();
  }

  #pump(): void {
    while (this.#page !== undefined && this.#sentThisSecond < PACE_PER_SECOND) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      if (this.#sentThisSecond++ === 0) {
        this.#second = setTimeout(() => {
          this.#sentThisSecond = 0;
          this.#pump();
        }, 1_000);
      }
      tell(this.#page, "event", next.name, { payload: next.payload });
    }
  }
}

type Timer = ReturnType<typeof setTimeout> | undefined;

function isOneOf<T extends string>(known: readonly T[], value: unknown): value is T {
  return (known as readonly unknown[]).includes(value);
}
