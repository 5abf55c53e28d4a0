/** The core of the browser library in Firefox: handshake, options, callbacks, routes, sessions, errors. */
import { existsSync } from "node:fs";
import test from "ava";
import { FIREFOX, Firefox } from "../../testbed/browser/firefox.ts";
import { merchantPage, Stage } from "../../testbed/browser/library-stage.ts";
import type { SBRendererLiveOptions } from "../../web-renderer/sb-renderer.ts";

const inFirefox = existsSync(FIREFOX) ? test.serial : test.serial.skip;

let stage: Stage;
let firefox: Firefox;

test.before(async () => {
  if (!existsSync(FIREFOX)) return;
  stage = await Stage.open();
  firefox = await Firefox.open();
});
test.after.always(async () => {
  await firefox?.close();
  await stage?.close();
});

/** Opens a page of the merchant and mounts the sportsbook, with callbacks that record each call. */
async function mount(options: Record<string, unknown>, path = "/"): Promise<void> {
  await firefox.goto(stage.merchant + path);
  firefox.console.length = 0;
  await firefox.evaluate((options) => {
    const note =
      (name: string) =>
      (...args: unknown[]): void =>
        void window.called.push([name, ...args]);
    window.called = [];
    window.callbacks = Object.fromEntries(
      ["onAppInitialized", "onError", "onLogin", "onRouteChange", "onBetPlaced"].map((name) => [name, note(name)]),
    ) as SBRendererLiveOptions;
    window.renderer = new window.SBRenderer();
    window.renderer.initialize({
      target: document.getElementById("target") as HTMLElement,
      brand_id: "luna",
      onTokenExpired: () => "jwt-firefox-renewed",
      ...window.callbacks,
      ...options,
    });
  }, options);
}

/** Waits until `done` is true in the page or in the frame. */
async function until(done: () => boolean, where: "page" | "iframe" = "page"): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 50) {
    if (await firefox.evaluate(done, undefined, where).catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`not in time: ${done}; the console has ${firefox.console.join("\n")}`);
}

const started = () => until(() => window.sportsbook?.calls.some(([name]) => name === "started"), "iframe");
const calls = () => firefox.evaluate(() => window.sportsbook.calls, undefined, "iframe");
const called = () => firefox.evaluate(() => window.called);

inFirefox(
  "in Firefox the sportsbook gets the options, the page gets the events, and an expired session is renewed",
  async (t) => {
    await mount({ token: "jwt-firefox", lang: "es", themeName: "gold-navy", hideBalance: true });
    await started();
    t.deepEqual(await calls(), [
      ["options", { lang: "es", themeName: "gold-navy", hideBalance: true }],
      ["signIn", "jwt-firefox"],
      ["session", "session of jwt-firefox"],
      ["started", "page"],
    ]);
    stage.expireSessions();
    t.is(await firefox.evaluate(() => window.sportsbook.balance(), undefined, "iframe"), "97.50");
    await firefox.evaluate(
      () => window.sportsbook.page.send("betPlaced", { betIds: ["r-1"], stake: 500 }),
      undefined,
      "iframe",
    );
    await until(() => window.called.some(([name]) => name === "onBetPlaced"));
    t.deepEqual(await called(), [["onAppInitialized"], ["onBetPlaced", { betIds: ["r-1"], stake: 500 }]]);
    await firefox.evaluate(() => window.renderer.updateOptions({ token: null, layout: "tile" }));
    await until(() => window.sportsbook.page.session === undefined, "iframe");
    t.deepEqual(firefox.console, []);
  },
);

inFirefox(
  "in Firefox sb-path and onRouteChange follow the route after a deep link, a change in the frame, navigate and a step back",
  async (t) => {
    await mount({}, "/?sb-path=/start");
    await started();
    await firefox.evaluate(() => window.sportsbook.page.send("routeChange", { path: "/bets" }), undefined, "iframe");
    await until(() => location.search === "?sb-path=/bets");
    await firefox.evaluate(() => {
      history.pushState(null, "", location.href);
      window.renderer.navigate("/live");
    });
    await until(() => location.search === "?sb-path=/live");
    await firefox.evaluate(() => history.back());
    await until(() => location.search === "?sb-path=/bets" && window.called.length === 5);
    t.deepEqual(
      (await called()).filter(([name]) => name === "onRouteChange").map(([, path]) => path),
      ["/start", "/bets", "/live", "/bets"],
    );
  },
);

inFirefox(
  "in Firefox onError reports a policy, a refusal and, after 10 s, a closed port, and no line is logged twice",
  async (t) => {
    const error = async (): Promise<unknown> => {
      await until(() => window.called.some(([name]) => name === "onError"));
      t.deepEqual(firefox.console, [...new Set(firefox.console)]);
      return (await called())[0]?.[1];
    };
    const policy = { "content-security-policy": "frame-src 'self'" };
    stage.shown.set("merchant /closed", { html: merchantPage(stage.sportsbook), headers: policy });
    await mount({}, "/closed");
    t.like(await error(), { code: "BLOCKED_BY_POLICY" });
    stage.shown.set("sportsbook /refusing/", {
      html: `<!doctype html><script type="module">import { refuse } from "/web-renderer/frame.ts"; refuse("BRAND_UNKNOWN");</script>`,
    });
    await mount({ url: `${stage.sportsbook}/refusing` });
    t.like(await error(), { code: "BRAND_UNKNOWN" });
    // Port 1 of this machine is closed.
    const began = Date.now();
    await mount({ url: "http://127.0.0.1:1" });
    t.like(await error(), { code: "UNREACHABLE" });
    t.true(Date.now() - began >= 9_900);
  },
);
