/** The sportsbook in the merchant's page, and a panel to call every method of the library and watch every callback. */
import type { SBRenderer, SBRendererCallbacks } from "../../../web-renderer/sb-renderer.ts";
import { ApiError, api, make } from "../../design/dom.ts";
import { icon } from "../../design/icons.ts";
import type { EmbeddedSportsbook } from "../sportsbook.ts";
import { failed } from "./failed.ts";
import { language, words } from "./language.ts";
import { MethodPanel } from "./method-panel.ts";

/** The site's functions for the sportsbook's events. */
export interface SiteHooks {
  openLogin(): void;
  deposit(): void;
}

/** The mounted sportsbook. The site calls its methods when something outside the sportsbook changes. */
export interface MountedSportsbook {
  /** The player logged in or out. The same iframe continues with another token. */
  playerChanged(loggedIn: boolean): void;
  /** Money was deposited or withdrawn on the site. */
  refreshBalance(): void;
  kill(): void;
}

/** On a phone only the site's bar shows the balance and the deposit button, and not the sportsbook. */
const PHONE = window.matchMedia("(width < 40rem)");

let loading: Promise<typeof SBRenderer> | undefined;

/** Loads the script once and checks its hash. After a failure the next call tries again. */
function loadLibrary({ script_url, integrity }: EmbeddedSportsbook): Promise<typeof SBRenderer> {
  loading ??= new Promise<typeof SBRenderer>((resolve, reject) => {
    const script = make("script", { src: script_url, integrity, crossorigin: "anonymous" });
    script.addEventListener("load", () => resolve((window as unknown as { SBRenderer: typeof SBRenderer }).SBRenderer));
    script.addEventListener("error", () =>
      reject(new ApiError("LIBRARY_NOT_LOADED", "The script could not be loaded, or is not what its hash says.", 0)),
    );
    document.head.append(script);
  });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/** Launches the sportsbook on the server and returns the jwt. */
const launchToken = async (): Promise<string> =>
  (await api<{ token: string }>("/api/sportsbook/token", { lang: language })).token;

/** Shows the sportsbook. undefined: the sportsbook can't be shown, and the page shows a notice. */
export async function showSportsbook(
  view: HTMLElement,
  loggedIn: boolean,
  hooks: SiteHooks,
  stillHere: () => boolean,
): Promise<MountedSportsbook | undefined> {
  const target = make("div", { class: "screen sportsbook" });
  const waiting = make(
    "div",
    { class: "notice", role: "status" },
    make("div", { class: "spinner" }),
    make("strong", {}, words.openingSportsbook),
  );
  target.append(waiting);
  const bar = make(
    "div",
    { class: "table-bar" },
    make("a", { class: "button small", href: "#/" }, icon("back"), words.lobby),
    make("h1", {}, words.sportsbook),
  );
  view.replaceChildren(bar, target);
  try {
    const embedded = await api<EmbeddedSportsbook>("/api/sportsbook");
    const [Library, token] = await Promise.all([loadLibrary(embedded), loggedIn ? launchToken() : null]);
    if (!stillHere()) return undefined;
    waiting.remove();
    const renderer = new Library();
    const panel = new MethodPanel(renderer, launchToken);
    const callbacks: Required<Omit<SBRendererCallbacks, "onSessionRefresh">> = {
      onAppInitialized: () => panel.heard("onAppInitialized"),
      onError: (error) => panel.heard("onError", error),
      onLogin: () => {
        panel.heard("onLogin");
        hooks.openLogin();
      },
      onRegister: () => {
        panel.heard("onRegister");
        hooks.openLogin();
      },
      onRecharge: () => {
        panel.heard("onRecharge");
        hooks.deposit();
      },
      onRouteChange: (path) => panel.heard("onRouteChange", path),
      onTokenExpired: () => {
        panel.heard("onTokenExpired");
        return launchToken();
      },
      onBetslipChanged: (betslip) => panel.heard("onBetslipChanged", betslip),
      onBetPlaced: (bet) => panel.heard("onBetPlaced", bet),
      onBalanceChange: (balance) => panel.heard("onBalanceChange", balance),
    };
    panel.initialize = (withToken) => {
      renderer.initialize({
        target,
        brand_id: embedded.brand_id,
        token: withToken,
        hideBalance: PHONE.matches,
        ...callbacks,
        fallback: ({ code, message }) =>
          failed(
            // Elsewhere on this page it is this site's own server that is unreachable.
            new ApiError(code === "UNREACHABLE" ? "SPORTSBOOK_UNREACHABLE" : code, message, 0),
            () => panel.initializeAgain(),
          ),
      });
      // The library's own title is English.
      target.querySelector("iframe")?.setAttribute("title", words.sportsbook);
    };
    panel.initialize(token);
    const killed = new AbortController();
    PHONE.addEventListener("change", () => panel.hideBalance(PHONE.matches), { signal: killed.signal });
    view.append(panel.element);
    return {
      playerChanged: (isLoggedIn) => {
        if (isLoggedIn) void panel.logIn();
        else panel.logOut();
      },
      refreshBalance: () => panel.refreshBalance(),
      kill: () => {
        killed.abort();
        renderer.kill();
      },
    };
  } catch (error) {
    if (stillHere()) target.replaceChildren(failed(error, () => void showSportsbook(view, loggedIn, hooks, stillHere)));
    return undefined;
  }
}
