import type { CheckedOptions, MountPoint } from "./check-options.ts";
import type { SBRendererCallbacks } from "./options.ts";
import { pageRoute, setPageRoute } from "./page-route.ts";
import { safePath } from "./path.ts";
import {
  type Commands,
  type Envelope,
  EVENTS_PER_SECOND_MAX,
  type Handshakes,
  HELLO_FOR_MS,
  HELLO_INTERVAL_MS,
  NAMESPACE,
  type Replies,
  readEnvelope,
  VERSION,
} from "./protocol.ts";
import { readEvent } from "./read-event.ts";
import { type Renewal, startRenewal } from "./renewal.ts";
import { LIBRARY_VERSION } from "./version.ts";
import { warn } from "./warn.ts";

const SENT_OPTIONS = [
  "token",
  "lang",
  "themeName",
  "layout",
  "oddsFormat",
  "path",
  "hideBalance",
] as const satisfies (keyof Commands["options"])[];

/** The page's half of the protocol, for one iframe from its creation to its removal. */
export class Mount {
  readonly #origin: string;
  readonly #iframe = document.createElement("iframe");
  readonly #killed = new AbortController();
  /**
   * The options in effect. `path` follows the sportsbook's route and `token` the renewals, so that a frame that loads
   * again continues there.
   */
  readonly #options: CheckedOptions;
  /**
   * The last token that the merchant gave as an option. Frameworks repeat the same token often, so only another one is
   * a login or logout.
   */
  #given: string | null;
  /** Counts the iframe's loads. A ready for the hello of an older load is ignored. */
  #load = 0;
  #hellos: ReturnType<typeof setInterval> | undefined;
  /** The commands that the loaded frame understands; undefined before its ready. */
  #capabilities: readonly unknown[] | undefined;
  /** Whether refreshBalance was called before the ready. */
  #balanceIsStale = false;
  /** The route that the sportsbook last said it shows. */
  #route: string | undefined;
  #renewal: Renewal | undefined;
  /** Ids of this load's tokenExpired events that the renewal will answer. */
  #asking: string[] = [];
  /** Whether the last renewal brought the token that had just expired. */
  #sameAgain = false;
  #second = 0;
  #messagesThisSecond = 0;

  constructor({ target, brandId, url }: MountPoint, options: CheckedOptions) {
    this.#origin = new URL(url).origin;
    this.#options = options;
    this.#given = options.token ?? null;
    if (this.#origin === location.origin)
      warn("url has the page's own origin: the iframe's sandbox holds nothing there");
    const iframe = this.#iframe;
    // Without allow-top-navigation, so that the sportsbook can't navigate the page away.
    iframe.setAttribute(
      "sandbox",
      "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox",
    );
    iframe.allow = "autoplay; fullscreen";
    iframe.referrerPolicy = "strict-origin";
    iframe.title = "Sportsbook";
    // Set as properties, which a Content-Security-Policy without unsafe-inline allows.
    Object.assign(iframe.style, { display: "block", width: "100%", height: "100%", border: "0" });
    iframe.src = `${url}${options.lang === undefined ? "" : `/${options.lang}`}/?brand=${encodeURIComponent(brandId)}`;
    const { signal } = this.#killed;
    iframe.addEventListener("load", () => this.#greet(), { signal });
    addEventListener("message", (event) => this.#receive(event), { signal });
    addEventListener("popstate", () => this.#follow(), { signal });
    target.append(iframe);
  }

  update(changed: CheckedOptions): void {
    const { token } = changed;
    delete changed.token;
    Object.assign(this.#options, changed);
    if (token !== undefined && token !== this.#given) {
      this.#given = token;
      // If a renewal's token comes back as an option, it is in effect already.
      if (token !== this.#options.token) {
        this.#renewal?.cancel();
        this.#renewal = undefined;
        this.#asking = [];
        this.#options.token = changed.token = token;
      }
    }
    this.#sendOptions(changed);
  }

  refreshBalance(): void {
    this.#balanceIsStale = this.#capabilities === undefined;
    this.#command("refreshBalance");
  }

  kill(): void {
    this.#killed.abort();
    clearInterval(this.#hellos);
    this.#renewal?.cancel();
    this.#iframe.remove();
  }

  /** Begins a handshake. Called on each load of the iframe, because every load may bring another page. */
  #greet(): void {
    clearInterval(this.#hellos);
    this.#capabilities = undefined;
    this.#asking = [];
    const id = String(++this.#load);
    let left = HELLO_FOR_MS / HELLO_INTERVAL_MS;
    const hello = (): void => {
      if (left-- > 0)
        return this.#post({
          kind: "handshake",
          name: "hello",
          id,
          payload: { version: LIBRARY_VERSION } satisfies Handshakes["hello"],
        });
      clearInterval(this.#hellos);
      warn(`no sportsbook answers at ${this.#origin}: is it there, and is this page's origin allowed for the brand?`);
    };
    this.#hellos = setInterval(hello, HELLO_INTERVAL_MS);
    hello();
  }

  #receive({ source, origin, data }: MessageEvent): void {
    // Both are null once the iframe is out of the document.
    if (source === null || source !== this.#iframe.contentWindow || origin !== this.#origin || this.#tooMany()) return;
    const message = readEnvelope(data);
    if (message === undefined) return;
    const { kind, name, id, payload } = message;
    if (kind === "handshake" && name === "ready" && id === String(this.#load)) this.#start(payload);
    if (kind === "event" && this.#capabilities !== undefined) this.#hear(name, payload, id);
  }

  #tooMany(): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) this.#messagesThisSecond = 0;
    this.#second = second;
    return ++this.#messagesThisSecond > EVENTS_PER_SECOND_MAX;
  }

  #start(payload: unknown): void {
    if (this.#capabilities !== undefined) return;
    clearInterval(this.#hellos);
    const { capabilities } = (payload ?? {}) as Partial<Handshakes["ready"]>;
    this.#capabilities = Array.isArray(capabilities) ? capabilities : [];
    this.#sendOptions({ ...this.#options, token: this.#options.token ?? null });
    if (this.#balanceIsStale) this.refreshBalance();
  }

  #hear(name: string, payload: unknown, id: string | undefined): void {
    const event = readEvent(name, payload);
    if (event === undefined) return;
    if (this.#options.debug) console.log("[SBRenderer]", name, ...event.args);
    if (event.name === "tokenExpired") return id === undefined ? undefined : this.#expire(id);
    if (event.name === "routeChange" && !this.#arrive(event.args[0])) return;
    const callback = this.#options[`on${name.charAt(0).toUpperCase()}${name.slice(1)}` as keyof SBRendererCallbacks] as
      | ((...args: unknown[]) => unknown)
      | undefined;
    const failed = (error: unknown): void => console.error(`[SBRenderer] the callback of ${name} failed`, error);
    try {
      Promise.resolve(callback?.(...event.args)).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  /** The sportsbook shows this route. Returns whether it is another one than it showed before. */
  #arrive(route: string): boolean {
    const isNew = route !== this.#route;
    this.#route = this.#options.path = route;
    if (this.#options.syncPath !== false)
      try {
        setPageRoute(route);
      } catch (error) {
        // Browsers refuse to change the address too often.
        warn("sb-path could not be set", error);
      }
    return isNew;
  }

  /** Follows the player's steps back and forward in the page's history. An address without sb-path is the start page. */
  #follow(): void {
    const { path: shown = "/", syncPath } = this.#options;
    const path = safePath(pageRoute() ?? "/");
    // A wrong sb-path leads nowhere. The sportsbook answers with the route that it shows, which then replaces it.
    if (syncPath !== false && path !== shown) this.update({ path: path ?? shown });
  }

  #expire(id: string): void {
    this.#renewal ??= startRenewal(this.#options, (token) => this.#renewed(token));
    if (this.#renewal.notified) this.#reply(id, { wait: true });
    else this.#asking.push(id);
  }

  #renewed(token: string | null): void {
    const same = token !== null && token === this.#options.token;
    const answer = same && this.#sameAgain ? null : token;
    this.#sameAgain = same;
    this.#options.token = answer;
    this.#renewal = undefined;
    // No event waits for a reply when the frame loaded again meanwhile, or when the merchant was only notified.
    if (this.#asking.length === 0) this.#sendOptions({ token: answer });
    for (const id of this.#asking.splice(0)) this.#reply(id, { token: answer });
  }

  #reply(id: string, payload: Replies["tokenExpired"]): void {
    this.#post({ kind: "reply", name: "tokenExpired", id, payload });
  }

  #sendOptions(options: CheckedOptions): void {
    const given = SENT_OPTIONS.filter((name) => options[name] !== undefined);
    if (given.length > 0) this.#command("options", Object.fromEntries(given.map((name) => [name, options[name]])));
  }

  #command<Name extends keyof Commands>(name: Name, payload?: Commands[Name]): void {
    if (this.#capabilities?.includes(name)) this.#post({ kind: "command", name, payload });
  }

  #post(message: Omit<Envelope, "ns" | "v">): void {
    this.#iframe.contentWindow?.postMessage({ ns: NAMESPACE, v: VERSION, ...message } satisfies Envelope, this.#origin);
  }
}
