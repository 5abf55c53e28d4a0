import { type CheckedOptions, type MountPoint, SENT } from "./check-options.ts";
import type { SBRendererErrorCode } from "./options.ts";
import { pageRoute, setPageRoute } from "./page-route.ts";
import { safePath } from "./path.ts";
import { placeholder } from "./placeholder.ts";
import {
  type Commands,
  type Envelope,
  EVENTS_PER_SECOND_MAX,
  type Handshakes,
  HELLO_FOR_MS,
  HELLO_INTERVAL_MS,
  isOtherVersion,
  NAMESPACE,
  type Replies,
  readEnvelope,
  SILENCE_MS,
  VERSION,
} from "./protocol.ts";
import { callbackOf, readEvent } from "./read-event.ts";
import { type Renewal, startRenewal } from "./renewal.ts";
import { LIBRARY_VERSION } from "./version.ts";
import { logFailure, warn } from "./warn.ts";

/** One iframe from its creation to its removal. */
export interface Mount {
  update(changed: CheckedOptions): void;
  refreshBalance(): void;
  kill(): void;
}

/**
 * Mounts the iframe, and speaks the page's half of the protocol with it. Functions that share variables, because each
 * private field of a class takes more bytes of the script.
 *
 * @param options - the options in effect from now on. `path` follows the sportsbook's route and `token` the renewals, so
 * that a frame that loads again continues there.
 */
export function mount({ target, brandId, url }: MountPoint, options: CheckedOptions): Mount {
  const { origin } = new URL(url);
  const iframe = document.createElement("iframe");
  const killed = new AbortController();
  /**
   * The last token that the merchant gave as an option. Frameworks repeat the same token often, so only another one is
   * a login or logout.
   */
  let given = options.token ?? null;
  /** Counts the iframe's loads. A ready for the hello of an older load is ignored. */
  let loads = 0;
  /** The commands that the loaded frame understands; undefined before its ready. */
  let capabilities: readonly unknown[] | undefined;
  /** Ends the wait for the sportsbook's answer. undefined: there is no wait. */
  let deadline: ReturnType<typeof setTimeout> | undefined;
  /** What the silence means when the wait ends. */
  let silence: SBRendererErrorCode = "UNREACHABLE";
  /** What is shown in place of the iframe. */
  let fallback: Element | undefined;
  /** Whether refreshBalance was called before the ready. */
  let isBalanceStale = false;
  /** The route that the sportsbook last said it shows. */
  let route: string | undefined;
  let renewal: Renewal | undefined;
  /** Ids of this load's tokenExpired events that the renewal will answer. */
  let asking: string[] = [];
  /** Whether the last renewal brought the token that had just expired. */
  let isSameAgain = false;
  let second = 0;
  let messagesThisSecond = 0;

  function post(
    kind: Envelope["kind"],
    name: string,
    payload?: Handshakes["hello"] | Commands[keyof Commands] | Replies["tokenExpired"],
    id?: string,
  ): void {
    iframe.contentWindow?.postMessage({ ns: NAMESPACE, v: VERSION, kind, name, payload, id }, origin);
  }

  function command<Name extends keyof Commands>(name: Name, payload?: Commands[Name]): void {
    if (capabilities?.includes(name)) post("command", name, payload);
  }

  function sendOptions(changed: CheckedOptions): void {
    const sent = Object.entries(changed).filter(([name]) => name in SENT);
    if (sent.length > 0) command("options", Object.fromEntries(sent));
  }

  /** Calls the merchant's function of this name. What it throws, or its promise rejects with, is logged. */
  function call(name: keyof CheckedOptions, ...args: unknown[]): unknown {
    const callback = options[name] as ((...args: unknown[]) => unknown) | undefined;
    let result: unknown;
    new Promise((resolve) => {
      result = callback?.(...args);
      resolve(result);
    }).catch((error: unknown) => logFailure(name, error));
    return result;
  }

  // From mounting to the sportsbook's answer.

  function hello(): void {
    post("handshake", "hello", { version: LIBRARY_VERSION }, `${loads}`);
  }

  function wait(): void {
    deadline ??= setTimeout(() => fail(silence), SILENCE_MS);
  }

  /** Begins a handshake. Called on each load of the iframe, because every load may bring another page. */
  async function greet(): Promise<void> {
    const load = ++loads;
    capabilities = undefined;
    asking = [];
    silence = "NO_ANSWER";
    wait();
    for (let left = HELLO_FOR_MS / HELLO_INTERVAL_MS; left > 0; left--) {
      hello();
      await new Promise((resolve) => setTimeout(resolve, HELLO_INTERVAL_MS));
      if (load !== loads || capabilities || killed.signal.aborted) return;
      // A browser shows a page of its own when it gets none, and warns on the console of every hello to that page. So
      // the first hello is repeated only when the address answers.
      if (
        left === HELLO_FOR_MS / HELLO_INTERVAL_MS &&
        !(await fetch(iframe.src, { mode: "no-cors" }).catch(() => undefined))
      ) {
        silence = "UNREACHABLE";
        return;
      }
    }
  }

  /** Ends the wait, and what was shown in the sportsbook's place. */
  function show(): void {
    clearTimeout(deadline);
    deadline = undefined;
    iframe.style.background = "";
    iframe.style.display = "block";
    fallback?.remove();
  }

  function fail(code: SBRendererErrorCode): void {
    if (deadline === undefined) return;
    show();
    const error = { code, message: `${code}: no sportsbook from ${origin}` };
    warn(error.message);
    call("onError", error);
    const element = typeof options.fallback === "function" ? call("fallback", error) : options.fallback;
    if (!(element instanceof Element)) return;
    fallback = element;
    iframe.style.display = "none";
    iframe.after(element);
  }

  function start(payload: unknown): void {
    show();
    const { capabilities: given } = Object(payload) as Partial<Handshakes["ready"]>;
    capabilities = Array.isArray(given) ? given : [];
    sendOptions({ ...options, token: options.token ?? null });
    if (isBalanceStale) refreshBalance();
  }

  // What the sportsbook says.

  function receive({ source, origin: from, data }: MessageEvent): void {
    // Both are null once the iframe is out of the document.
    if (source === null || source !== iframe.contentWindow || from !== origin) return;
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) messagesThisSecond = 0;
    second = now;
    if (++messagesThisSecond > EVENTS_PER_SECOND_MAX) return;
    const message = readEnvelope(data);
    if (message === undefined) {
      if (isOtherVersion(data)) fail("VERSION_MISMATCH");
      return;
    }
    const { kind, name, id, payload } = message;
    if (kind === "event" && capabilities) hear(name, payload, id);
    // The load event greets a page that says so before it.
    if (capabilities || loads === 0) return;
    if (name === "here") hello();
    if (id !== `${loads}`) return;
    if (kind === "handshake" && name === "ready") start(payload);
    if (kind === "refusal" && /^\w{1,64}$/.test(name)) fail(name);
  }

  function hear(name: string, payload: unknown, id: string | undefined): void {
    const event = readEvent(name, payload);
    if (event === undefined) return;
    if (options.debug) console.log("[SBRenderer]", name, ...event.args);
    if (event.name === "tokenExpired") {
      if (id !== undefined) expire(id);
    } else if (event.name !== "routeChange" || arrive(event.args[0])) call(callbackOf(name), ...event.args);
  }

  /** The sportsbook shows this route. Returns whether it is another one than it showed before. */
  function arrive(shown: string): boolean {
    const isNew = shown !== route;
    route = options.path = shown;
    if (options.syncPath !== false)
      try {
        setPageRoute(shown);
      } catch (error) {
        // Browsers refuse to change the address too often.
        warn(`sb-path could not be set: ${error}`);
      }
    return isNew;
  }

  /** Follows the player's steps back and forward in the page's history. An address without sb-path is the start page. */
  function follow(): void {
    const { path: shown = "/", syncPath } = options;
    const path = safePath(pageRoute() ?? "/");
    // A wrong sb-path leads nowhere. The sportsbook answers with the route that it shows, which then replaces it.
    if (syncPath !== false && path !== shown) update({ path: path ?? shown });
  }

  function expire(id: string): void {
    renewal ??= startRenewal(options, renewed);
    if (renewal.notified) post("reply", "tokenExpired", { wait: true }, id);
    else asking.push(id);
  }

  function renewed(token: string | null): void {
    const isSame = token !== null && token === options.token;
    options.token = isSame && isSameAgain ? null : token;
    isSameAgain = isSame;
    renewal = undefined;
    // No event waits for a reply when the frame loaded again meanwhile, or when the merchant was only notified.
    if (asking.length === 0) sendOptions({ token: options.token });
    for (const id of asking.splice(0)) post("reply", "tokenExpired", { token: options.token }, id);
  }

  // What the merchant's page says.

  function update(changed: CheckedOptions): void {
    const { token } = changed;
    delete changed.token;
    Object.assign(options, changed);
    if (token !== undefined && token !== given) {
      given = token;
      // If a renewal's token comes back as an option, it is in effect already.
      if (token !== options.token) {
        renewal?.cancel();
        renewal = undefined;
        asking = [];
        options.token = changed.token = token;
      }
    }
    sendOptions(changed);
  }

  function refreshBalance(): void {
    isBalanceStale = capabilities === undefined;
    command("refreshBalance");
  }

  function kill(): void {
    killed.abort();
    renewal?.cancel();
    show();
    iframe.remove();
  }

  if (origin === location.origin) warn("url has the page's own origin");
  Object.assign(iframe, {
    // Without allow-top-navigation, so that the sportsbook can't navigate the page away.
    sandbox: "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox",
    allow: "autoplay; fullscreen",
    referrerPolicy: "strict-origin",
    title: "Sportsbook",
    src: `${url}${options.lang === undefined ? "" : `/${options.lang}`}/?brand=${encodeURIComponent(brandId)}`,
  });
  // Set as a property, which a Content-Security-Policy without unsafe-inline allows.
  iframe.style.cssText = `display:block;width:100%;height:100%;border:0;background:${placeholder(options.themeName)}`;
  const { signal } = killed;
  iframe.addEventListener("load", greet, { signal });
  addEventListener("message", receive, { signal });
  addEventListener("popstate", follow, { signal });
  addEventListener(
    "securitypolicyviolation",
    ({ effectiveDirective, blockedURI }) => {
      if (effectiveDirective !== "frame-src" || !blockedURI.startsWith(origin)) return;
      // What loads now is the browser's own page.
      killed.abort();
      fail("BLOCKED_BY_POLICY");
    },
    { signal },
  );
  target.append(iframe);
  wait();
  return { update, refreshBalance, kill };
}
