/**
 * The sportsbook's half of the protocol. It runs in the page that SBRenderer opens in its iframe. It finds out the
 * parent page's origin, keeps the player's session, receives options and sends events.
 *
 * ```ts const page = connectToPage<Session>({ signIn, onSession, onOptions, onNavigate, onRefreshBalance }, {
 * allowedOrigins, token: takeLaunchToken() }); await page.started;                    // options and session are known:
 * draw the page page.send("appInitialized"); // on a 401 of a request made with `session`: const renewed = await
 * page.renew(session);   // undefined: go on as a visitor ```
 */

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
 * The options that the merchant's page set. Where one is absent, the brand's holds (for oddsFormat: decimal, for
 * hideBalance: false).
 */
export type FrameOptions = Pick<Commands["options"], "lang" | "themeName" | "layout" | "oddsFormat" | "hideBalance">;

/**
 * What the sportsbook has to provide. `Session` is its own type for a session, an object or a string. Sessions are
 * compared by identity.
 */
export interface FrameHandlers<Session> {
  /**
   * Exchanges a launch jwt for a session. undefined: the jwt is refused (used, expired or of another brand), and the
   * merchant is asked for another. A rejected promise counts as refused. Calls never overlap.
   */
  signIn(token: string): Promise<Session | undefined>;
  /** The session from now on; undefined: the player is a visitor. Called on each change, and once before `started`. */
  onSession(session: Session | undefined): void;
  /** Called with all options that were ever set: on each change, and once before `started` if there are any. */
  onOptions(options: FrameOptions): void;
  /**
   * The route to show, as {@link safePath} allows it. Give it to the router, never to `location`. Replace the frame's
   * history entry, and answer with a routeChange that says what is shown now, even if it is the same.
   */
  onNavigate(path: string): void;
  onRefreshBalance(): void;
}

export interface FrameSettings {
  /** The origins whose pages may embed the sportsbook: the brand's `allowed_origins`. "any" is for development. */
  readonly allowedOrigins: readonly string[] | "any";
  /**
   * From {@link takeLaunchToken}. With a token the sportsbook was opened by a launch_url, so there is no page to talk
   * to.
   */
  readonly token?: string | null;
}

export interface PageConnection<Session> {
  /**
   * Resolves when options and session are known. "page": the parent page has the library. "alone": the sportsbook was
   * opened directly, or in a page without the library, which sent nothing for 2 s after the document loaded. If such a
   * page sends something later, the handlers are still called.
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
   * Call it when a request made with `expired` was answered 401. It asks the merchant for a new token and signs in.
   * Resolves to the session for repeating the request, or to undefined: the player is a visitor from now on. All calls
   * for one session share one question to the merchant. The new session may belong to another player who logged in
   * meanwhile. Repeat a request that moves money only for the same player.
   */
  renew(expired: Session): Promise<Session | undefined>;
  /** Removes the listeners and timers. May be called again. */
  close(): void;
}

/**
 * Removes the `jwt` of a launch_url from the page's address and history and returns it. null: there is none, as in a
 * page that SBRenderer opened. Call it before anything else, because an address is copied, logged and sent as a
 * referrer.
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

/** When the page sent nothing for this long after the document loaded, it is taken for a page without the library. */
const ALONE_AFTER_MS = 2_000;
/** Half of what the page accepts per second, so that any interval of a second stays below that limit. */
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
    if (document.readyState === "complete") wait();
    else addEventListener("load", wait, { signal });
  }

  #goAlone(token: string | null): void {
    void this.#keeper.give(token).then(() => this.#start("alone"));
  }

  #receive(event: MessageEvent): void {
    const { origin, source } = event;
    if (source !== parent || (this.#page === undefined ? !this.#allows(origin) : origin !== this.#page)) return;
    const message = readEnvelope(event.data);
    // Whatever it says: the page learns from the answer which version this is.
    if (isOtherVersion(event.data)) tell(origin, "handshake", "ready");
    if (message?.kind === "handshake" && message.name === "hello") this.#greet(origin, message.id);
    if (this.#page === undefined) return;
    if (message?.kind === "command" && message.name === "options") this.#change(message.payload);
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
    this.#page = origin;
    tell(origin, "handshake", "ready", { id, payload: { capabilities: COMMANDS } satisfies Handshakes["ready"] });
    this.#pump();
  }

  #change(payload: unknown): void {
    if (typeof payload !== "object" || payload === null) return;
    const { token, lang, themeName, layout, oddsFormat, path, hideBalance } = payload as Record<string, unknown>;
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

  /** Asks the page for a token. A page that does not reply within its own deadline and 2 s more is taken as gone. */
  #ask(answer: (token: string | null) => void): void {
    if (this.#page === undefined) return answer(null);
    this.#forgetQuestion();
    const id = String(++this.#questions);
    this.#question = { id, answer, deadline: setTimeout(() => answer(null), RENEWAL_DEADLINE_MS + ALONE_AFTER_MS) };
    // Sent before waiting events, because a session is more urgent than they are.
    tell(this.#page, "event", "tokenExpired" satisfies keyof Events, { id });
  }

  #hear(payload: unknown): void {
    const { token, wait } = (payload ?? {}) as { token?: unknown; wait?: unknown };
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
