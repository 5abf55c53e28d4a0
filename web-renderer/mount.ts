import { type CheckedOptions, isFunction, type MountPoint, SENT } from "./check-options.ts";
import { createElement } from "./dom.ts";
import type { SBRendererErrorCode } from "./options.ts";
import { pageRoute, setPageRoute } from "./page-route.ts";
import { safePath } from "./path.ts";
import { placeholder } from "./placeholder.ts";
import {
  type Commands,
  type Envelope,
  EVENTS_PER_SECOND_MAX,
  type Handshakes,
  HELLO_PAUSE_MS,
  HELLO_PAUSES_BELOW_MS,
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
 * Mounts the iframe, and implements the page's part of the protocol. The functions share variables instead of private
 * fields of a class, because such fields need more bytes in the script.
 *
 * @param options - the current options. This function updates `path` with the sportsbook's route and `token` with each
 * renewal, so that a frame that loads again continues with them.
 */
export function mount({ target, brandId, url }: MountPoint, options: CheckedOptions): Mount {
  const { origin } = new URL(url);
  const iframe = createElement("iframe");
  const killed = new AbortController();
  /**
   * The last token that the merchant gave as an option. Frameworks often repeat the same token, so only a different
   * token is a login or logout.
   */
  let given = (options.token ??= null);
  /** The number of the iframe's loads. */
  let loads = 0;
  /** The id of the hellos since the last load, or "" when one was answered. Answers with another id are ignored. */
  let greeting = "";
  /** The commands that the loaded frame supports; undefined before the first `ready`. */
  let capabilities: readonly unknown[] | undefined;
  /** The options that changed while the page greets the frame. */
  let held: CheckedOptions = {};
  /** Ends the wait for the sportsbook's answer. undefined: there is no wait. */
  let deadline: ReturnType<typeof setTimeout> | undefined;
  /** The error code if no answer has come when the wait ends. */
  let silence: SBRendererErrorCode = "UNREACHABLE";
  /** The element that is shown instead of the iframe. */
  let fallback: Element | undefined;
  /** Whether refreshBalance was called before a ready. */
  let isBalanceStale = false;
  /** The route of the sportsbook's last routeChange. */
  let route: string | undefined;
  let renewal: Renewal | undefined;
  /** The ids of this document's tokenExpired events to which the page replies after the renewal. */
  let asking: string[] = [];
  /** Whether the last renewal returned the token that had just expired. */
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

  /** Sends nothing while the page greets the frame, because another document may be in it. */
  function command<Name extends keyof Commands>(name: Name, payload?: Commands[Name]): void {
    if (!greeting && capabilities?.includes(name)) post("command", name, payload);
  }

  function sendOptions(changed: CheckedOptions): void {
    const sent = Object.entries(changed).filter(([name]) => name in SENT);
    if (greeting) Object.assign(held, changed);
    if (sent[0]) command("options", Object.fromEntries(sent));
  }

  /** Calls the merchant's callback with this name. If it throws, or its promise rejects, logs the error. */
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
    post("handshake", "hello", { version: LIBRARY_VERSION }, greeting);
  }

  function wait(): void {
    deadline ??= setTimeout(() => fail(silence), SILENCE_MS);
  }

  /**
   * Begins a handshake. Called on each load of the iframe, because every load may bring another page. Chromium also
   * reports a load after some steps back and forward that leave the frame's document as it is.
   */
  async function greet(): Promise<void> {
    const id = (greeting = `${++loads}`);
    silence = "NO_ANSWER";
    wait();
    for (let pause = HELLO_PAUSE_MS; pause < HELLO_PAUSES_BELOW_MS; pause += HELLO_PAUSE_MS) {
      hello();
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (greeting !== id || killed.signal.aborted) return;
      // If no page comes from the address, or the browser may not show it, the browser shows its own error page, and
      // writes a warning for each hello to that page. So the first hello is repeated only if the address answers a
      // request, and the pauses become longer.
      if (pause === HELLO_PAUSE_MS && !(await fetch(iframe.src, { mode: "no-cors" }).catch(() => undefined))) {
        silence = "UNREACHABLE";
        return;
      }
    }
  }

  /** Ends the wait, removes the fallback and shows the iframe. */
  function show(): void {
    clearTimeout(deadline);
    deadline = undefined;
    iframe.style.background = "";
    iframe.style.display = "block";
    fallback?.remove();
  }

  function fail(code: SBRendererErrorCode): void {
    if (!deadline) return;
    show();
    const error = { code, message: `${code}: no sportsbook from ${origin}` };
    warn(error.message);
    call("onError", error);
    const element = isFunction(options.fallback) ? call("fallback", error) : options.fallback;
    if (!(element instanceof Element)) return;
    fallback = element;
    iframe.style.display = "none";
    iframe.after(element);
  }

  /** Handles an answer to the hello. `same`: the document was there before the load, and still has its options. */
  function start(name: string, payload: unknown): void {
    if (name === "ready") {
      const { capabilities: given } = Object(payload) as Partial<Handshakes["ready"]>;
      capabilities = Array.isArray(given) ? given : [];
      held = { ...options };
      asking = [];
    } else if (name !== "same" || !capabilities) return;
    show();
    greeting = "";
    sendOptions(held);
    held = {};
    if (isBalanceStale) refreshBalance();
  }

  // Handles the messages of the sportsbook.

  function receive({ source, origin: from, data }: MessageEvent): void {
    // `source` and contentWindow are both null when the iframe is no longer in the document.
    if (!source || source !== iframe.contentWindow || from !== origin) return;
    const now = (performance.now() / 1_000) | 0;
    if (now !== second) messagesThisSecond = 0;
    second = now;
    if (++messagesThisSecond > EVENTS_PER_SECOND_MAX) return;
    const message = readEnvelope(data);
    if (!message) {
      if (isOtherVersion(data)) fail("VERSION_MISMATCH");
      return;
    }
    const { kind, name, id, payload } = message;
    // Also while the page greets the frame again, because its document may be the same.
    if (kind === "event" && capabilities) hear(name, payload, id);
    // A `here` that comes before the load event is ignored, because the load event starts the handshake.
    if (!greeting) return;
    if (name === "here") hello();
    if (id !== greeting) return;
    if (kind === "handshake") start(name, payload);
    if (kind === "refusal" && /^\w{1,64}$/.test(name)) fail(name);
  }

  function hear(name: string, payload: unknown, id: string | undefined): void {
    const event = readEvent(name, payload);
    if (!event) return;
    if (options.debug) console.log("[SBRenderer]", name, ...event.args);
    if (event.name === "tokenExpired") {
      if (id !== undefined) expire(id);
    } else if (event.name !== "routeChange" || arrive(event.args[0])) call(callbackOf(name), ...event.args);
  }

  /** Stores the route that the sportsbook shows. Returns whether the route has changed. */
  function arrive(shown: string): boolean {
    const isNew = shown !== route;
    route = options.path = shown;
    if (options.syncPath !== false)
      try {
        setPageRoute(shown);
      } catch (error) {
        // Browsers refuse too many changes of the address in a short time.
        warn(`sb-path not set: ${error}`);
      }
    return isNew;
  }

  /** Follows the player's steps back and forward in the page's history. An address without sb-path is the start page. */
  function follow(): void {
    const { path: shown = "/", syncPath } = options;
    const path = safePath(pageRoute() ?? "/");
    // A wrong sb-path changes nothing. The sportsbook answers with the route that it shows, and this route replaces the
    // wrong sb-path.
    if (syncPath !== false && path !== shown) sendOptions({ path: (options.path = path ?? shown) });
  }

  function expire(id: string): void {
    renewal ??= startRenewal(options, renewed);
    if (renewal.notified) post("reply", "tokenExpired", { wait: true }, id);
    else asking.push(id);
  }

  function renewed(token: string | null): void {
    const isSame = !!token && token === options.token;
    options.token = isSame && isSameAgain ? null : token;
    isSameAgain = isSame;
    renewal = undefined;
    // `asking` is empty when another document was loaded meanwhile, or when the merchant was only notified.
    if (!asking[0]) sendOptions({ token: options.token });
    for (const id of asking.splice(0)) post("reply", "tokenExpired", { token: options.token }, id);
  }

  // Applies new options of the merchant's page.

  function update(changed: CheckedOptions): void {
    const { token } = changed;
    delete changed.token;
    Object.assign(options, changed);
    if (token !== undefined && token !== given) {
      given = token;
      // A framework may pass the token of a renewal as an option again. This token is in use already.
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
    isBalanceStale = !!greeting || !capabilities;
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
    // The route stands in the address too, so that the sportsbook does not first draw its start page.
    src: `${url}${options.lang ? `/${options.lang}` : ""}/?brand=${encodeURIComponent(brandId)}${options.path ? `#${options.path}` : ""}`,
  });
  // The style is set as a property, because a Content-Security-Policy without unsafe-inline allows this.
  iframe.style.cssText = `display:block;width:100%;height:100%;border:0;background:${placeholder(options.themeName)}`;
  const { signal } = killed;
  iframe.addEventListener("load", greet, { signal });
  addEventListener("message", receive, { signal });
  addEventListener("popstate", follow, { signal });
  addEventListener(
    "securitypolicyviolation",
    ({ effectiveDirective, blockedURI }) => {
      if (effectiveDirective !== "frame-src" || !blockedURI.startsWith(origin)) return;
      // From now on, a load event is for the browser's own error page.
      killed.abort();
      fail("BLOCKED_BY_POLICY");
    },
    { signal },
  );
  target.append(iframe);
  wait();
  return { update, refreshBalance, kill };
}
