/**
 * The sportsbook's half of the protocol: runs in the page that SBRenderer puts into its iframe. It finds out who the parent page is, keeps the
 * player's session, and carries options in and events out.
 *
 * ```ts
 * const page = connectToPage<Session>({ signIn, onSession, onOptions, onNavigate, onRefreshBalance }, { allowedOrigins, token: takeLaunchToken() });
 * await page.started;                    // options and session are known: show something
 * page.send("appInitialized");
 * // on a 401 of a request made with `session`:
 * const renewed = await page.renew(session);   // undefined: go on as a visitor
 * ```
 */
import { safePath } from "./path.ts";
import {
  type Commands,
  type Envelope,
  EVENTS_PER_SECOND_MAX,
  type Events,
  type Handshakes,
  LANGUAGES,
  LAYOUTS,
  NAMESPACE,
  ODDS_FORMATS,
  RENEWAL_DEADLINE_MS,
  readEnvelope,
  THEMES,
  TOKEN_CHARS_MAX,
  VERSION,
} from "./protocol.ts";
import { SessionKeeper } from "./session-keeper.ts";

/** What the page may choose. Only what is forced on this page is there; the rest is the brand's (oddsFormat: decimal). */
export type FrameOptions = Pick<Commands["options"], "lang" | "themeName" | "layout" | "oddsFormat">;

/** What the sportsbook does. `Session` is whatever it knows a session by (an object or a string); it is compared by identity. */
export interface FrameHandlers<Session> {
  /**
   * Exchanges a launch jwt. Answers the session, or undefined when the jwt is refused (used, expired, foreign); the merchant is then asked for another.
   * A rejection counts as refused. Never called twice at once.
   */
  signIn(token: string): Promise<Session | undefined>;
  /** The session that counts from now on; undefined: a visitor. Called when it changes, and once before `started`. */
  onSession(session: Session | undefined): void;
  /** Called with everything that was ever forced, on each change and once before `started` when there is anything. */
  onOptions(options: FrameOptions): void;
  /** A route that {@link safePath} allows, for the router: never assign it to `location`. */
  onNavigate(path: string): void;
  onRefreshBalance(): void;
}

export interface FrameSettings {
  /** The origins whose pages may speak to us: the brand's `allowed_origins`. "any" is for development. */
  readonly allowedOrigins: readonly string[] | "any";
  /** Of {@link takeLaunchToken}: we were opened by a launch_url, so there is nobody to wait for, to tell or to ask. */
  readonly token?: string | null;
}

export interface PageConnection<Session> {
  /**
   * Options and session are known. "page": the library is there. "alone": opened directly, or framed by a page without the library (nothing was heard for
   * 2 s after the document loaded; if it speaks later, handlers are called all the same).
   */
  readonly started: Promise<"page" | "alone">;
  /** undefined: a visitor. */
  readonly session: Session | undefined;
  /** Tells the page. Waits for the handshake when it must, at most 50 a second; without a page nothing happens. */
  send<Name extends Exclude<keyof Events, "tokenExpired">>(name: Name, ...payload: Events[Name] extends undefined ? [] : [Events[Name]]): void;
  /**
   * A request made with `expired` was answered 401: asks the merchant for a new token and signs in. Answers the session to repeat the request with, or
   * undefined (a visitor from now on). Any number of calls for one session are one question to the merchant, late ones too.
   * It may be another player's session, who logged in meanwhile: repeat nothing that moves money unless it is the same player's.
   */
  renew(expired: Session): Promise<Session | undefined>;
  /** Removes the listeners and timers. Twice is fine. */
  close(): void;
}

/**
 * The `jwt` of a launch_url, taken out of the page's address and history at once; null when there is none, as in a page that SBRenderer opened.
 * Call it before anything else: an address is copied, logged and sent as a referrer.
 */
export function takeLaunchToken(): string | null {
  const url = new URL(location.href);
  const token = url.searchParams.get("jwt");
  if (token === null) return null;
  url.searchParams.delete("jwt");
  history.replaceState(history.state, "", url);
  return token || null;
}

/** Listens for the page at once; call it as early as there are handlers. */
export function connectToPage<Session>(handlers: FrameHandlers<Session>, settings: FrameSettings): PageConnection<Session> {
  return new Connection(handlers, settings);
}

/** How long after the document loaded a page without the library is told from a slow one. */
const ALONE_AFTER_MS = 2_000;
/** Half of what the page takes, so that no second holds more than that, wherever it begins. */
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
  /** The page's origin, from its first hello on. */
  #page: string | undefined;
  #options: FrameOptions = {};
  /** Events that wait for the handshake or for their turn. */
  #waiting: Outgoing[] = [];
  #sentThisSecond = 0;
  #second: Timer;
  #questions = 0;
  #question: { readonly id: string; readonly answer: (token: string | null) => void; readonly deadline: Timer } | undefined;

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
    if (message?.kind === "handshake" && message.name === "hello") this.#greet(origin, message.id);
    if (this.#page === undefined) return;
    if (message?.kind === "command" && message.name === "options") this.#change(message.payload);
    if (message?.kind === "command" && message.name === "refreshBalance") this.#handlers.onRefreshBalance();
    if (message?.kind === "reply" && message.id === this.#question?.id) this.#hear(message.payload);
  }

  /** A sandboxed page's origin is the text "null", which nothing can be sent to. */
  #allows(origin: string): boolean {
    return origin !== "null" && (this.#settings.allowedOrigins === "any" || this.#settings.allowedOrigins.includes(origin));
  }

  #greet(origin: string, id: string | undefined): void {
    this.#page = origin;
    this.#post({ kind: "handshake", name: "ready", ...(id !== undefined && { id }), payload: { capabilities: COMMANDS } satisfies Handshakes["ready"] });
    this.#pump();
  }

  #change(payload: unknown): void {
    if (typeof payload !== "object" || payload === null) return;
    const { token, lang, themeName, layout, oddsFormat, path } = payload as Record<string, unknown>;
    const chosen = {
      ...(isOneOf(LANGUAGES, lang) && { lang }),
      ...(isOneOf(THEMES, themeName) && { themeName }),
      ...(isOneOf(LAYOUTS, layout) && { layout }),
      ...(isOneOf(ODDS_FORMATS, oddsFormat) && { oddsFormat }),
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

  /** Asks the page for a token. A page that doesn't even reply within its own deadline and a bit is gone. */
  #ask(answer: (token: string | null) => void): void {
    if (this.#page === undefined) return answer(null);
    this.#forgetQuestion();
    const id = String(++this.#questions);
    this.#question = { id, answer, deadline: setTimeout(() => answer(null), RENEWAL_DEADLINE_MS + ALONE_AFTER_MS) };
    // Past what waits: a session is more urgent than a notice.
    this.#post({ kind: "event", name: "tokenExpired" satisfies keyof Events, id });
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
      this.#post({ kind: "event", ...next });
    }
  }

  #post(message: Omit<Envelope, "ns" | "v">): void {
    if (this.#page !== undefined) parent.postMessage({ ns: NAMESPACE, v: VERSION, ...message } satisfies Envelope, this.#page);
  }
}

type Timer = ReturnType<typeof setTimeout> | undefined;

function isOneOf<T extends string>(known: readonly T[], value: unknown): value is T {
  return (known as readonly unknown[]).includes(value);
}
