import test from "ava";
import { Stage } from "../../testbed/browser/library-stage.ts";

let stage: Stage;

test.before(async () => {
  stage = await Stage.open();
});
test.after.always(() => stage?.close());

test.serial(
  "initialize adds an iframe that fills the target; its address contains neither the token nor the page's address",
  async (t) => {
    const visit = await stage.visit();
    await visit.initialize({ token: "jwt-mount", lang: "en-US" });
    await visit.started();
    const iframe = visit.page.locator("#target > iframe");
    t.deepEqual(
      await iframe.evaluate((node) =>
        Object.fromEntries(
          [...node.attributes].filter(({ name }) => name !== "style").map(({ name, value }) => [name, value]),
        ),
      ),
      {
        sandbox: "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox",
        allow: "autoplay; fullscreen",
        referrerpolicy: "strict-origin",
        title: "Sportsbook",
        src: `${stage.sportsbook}/en/?brand=luna`,
      },
    );
    t.deepEqual(await iframe.boundingBox(), await visit.page.locator("#target").boundingBox());
    t.true(
      stage.requests.includes(`GET /en/?brand=luna referer=${stage.merchant}/`),
      "the origin alone is the referrer",
    );
    t.false(stage.requests.some((request) => request.includes("jwt-mount")));
    await visit.close();
  },
);

test.serial("the sportsbook gets options at the start and later, without a reload", async (t) => {
  const visit = await stage.visit();
  await visit.initialize({
    lang: "es",
    themeName: "gold-navy",
    layout: "tile",
    oddsFormat: "american",
    hideBalance: true,
    path: "/football/live?day=1#top",
  });
  const frame = await visit.started();
  t.is(frame.url(), `${stage.sportsbook}/es/?brand=luna#/football/live?day=1#top`);
  t.deepEqual(await frame.evaluate(() => window.sportsbook.calls), [
    ["options", { lang: "es", themeName: "gold-navy", layout: "tile", oddsFormat: "american", hideBalance: true }],
    ["navigate", "/football/live?day=1#top"],
    ["session", null],
    ["started", "page"],
  ]);
  await visit.page.evaluate(() =>
    window.renderer.updateOptions({ lang: "pt-BR", themeName: "lilac-light", hideBalance: false }),
  );
  await visit.untilAsked("options", {
    lang: "pt",
    themeName: "lilac-light",
    layout: "tile",
    oddsFormat: "american",
    hideBalance: false,
  });
  await visit.page.evaluate(() =>
    window.renderer.updateOptions({ layout: "classic", oddsFormat: "fractional", path: "/tennis" }),
  );
  await visit.untilAsked("options", {
    lang: "pt",
    themeName: "lilac-light",
    layout: "classic",
    oddsFormat: "fractional",
    hideBalance: false,
  });
  await visit.page.evaluate(() => window.renderer.navigate("/tennis"));
  await visit.page.evaluate(() => window.renderer.refreshBalance());
  await visit.untilAsked("refreshBalance", undefined);
  t.deepEqual(await visit.asked("navigate"), ["/football/live?day=1#top", "/tennis", "/tennis"]);
  t.is(stage.requests.filter((request) => request.startsWith("GET /es/?brand=luna")).length, 1);
  await visit.close();
});

test.serial("the brand decides options that the page does not set", async (t) => {
  const visit = await stage.visit();
  await visit.initialize();
  await visit.started();
  t.deepEqual(await visit.asked("options"), []);
  t.true((await visit.sportsbook()).url().endsWith("/?brand=luna"));
  await visit.close();
});

test.serial("calls before the sportsbook is ready wait, and the last value of each option is used", async (t) => {
  const visit = await stage.visit();
  await visit.page.evaluate(() => {
    const renderer = new window.SBRenderer();
    window.renderer = renderer;
    renderer.initialize({
      target: document.getElementById("target") as HTMLElement,
      brand_id: "luna",
      token: "jwt-first",
      layout: "tile",
    });
    renderer.updateOptions({ token: "jwt-second", layout: "classic" });
    renderer.refreshBalance();
    renderer.navigate("/a");
    renderer.updateOptions({ layout: "sidebar", themeName: "red-navy", token: "jwt-third" });
    renderer.navigate("/b");
  });
  await visit.started();
  await visit.untilAsked("refreshBalance", undefined);
  t.deepEqual(await visit.asked("options"), [{ themeName: "red-navy", layout: "sidebar" }]);
  t.deepEqual(await visit.asked("navigate"), ["/b"]);
  t.deepEqual(await visit.asked("signIn"), ["jwt-third"]);
  await visit.close();
});

test.serial("a wrong option is ignored, and a warning on the console names it", async (t) => {
  const visit = await stage.visit();
  await visit.initialize({
    lang: "fr",
    themeName: "mint",
    layout: 7,
    oddsFormat: null,
    token: 12,
    syncPath: "yes",
    hideBalance: "yes",
    path: "//evil.example",
    onLogin: "x",
    themename: "red-navy",
  });
  await visit.started();
  const ignored = () => visit.console.flatMap((line) => /option (\S+) ignored/.exec(line)?.[1] ?? []).sort();
  t.deepEqual(
    ignored(),
    [
      "hideBalance",
      "lang",
      "layout",
      "oddsFormat",
      "onLogin",
      "path",
      "syncPath",
      "themeName",
      "themename",
      "token",
    ].sort(),
  );
  t.deepEqual(await visit.asked("options"), []);
  t.deepEqual(await visit.asked("session"), [null]);
  visit.console.length = 0;
  await visit.page.evaluate((evil) => {
    const wrong = { target: document.body, brand_id: "other", url: evil, lang: "de-DE", layout: "tile" } as object;
    window.renderer.updateOptions(wrong);
  }, stage.evil);
  await visit.untilAsked("options", { layout: "tile" });
  // The console already has a warning for lang.
  t.deepEqual(ignored(), ["brand_id", "target", "url"]);
  t.is(await visit.page.locator("#target > iframe").count(), 1);
  await visit.close();
});

test.serial("initialize throws one error that names all wrong options, and the present sportsbook stays", async (t) => {
  const visit = await stage.visit();
  await visit.initialize();
  await visit.started();
  const messages = await visit.page.evaluate(() =>
    [
      { target: "#target", brand_id: 7, url: "javascript:alert(1)" },
      { target: document.getElementById("target"), brand_id: "luna", url: "/sports" },
      { target: document.getElementById("target"), brand_id: "luna", url: "https://sb.example/?brand=x" },
      { target: document.getElementById("target"), brand_id: "luna", url: "https://user:pw@sb.example" },
      { target: null, brand_id: "" },
    ].map((options) => {
      try {
        window.renderer.initialize(options as never);
        return "no error";
      } catch (error) {
        return `${error}`;
      }
    }),
  );
  const url = "url must be http(s) without query";
  const rest = "target must be an HTMLElement; brand_id must be a brand's id";
  t.deepEqual(
    messages,
    [`${rest}; ${url}`, url, url, url, rest].map((text) => `TypeError: [SBRenderer] ${text}`),
  );
  t.is(await visit.page.locator("#target > iframe").count(), 1);
  await visit.close();
});

test.serial(
  "the console has a warning about an invisible target and about a sportsbook on the page's own origin",
  async (t) => {
    const visit = await stage.visit();
    await visit.page.evaluate(() => {
      const renderer = new window.SBRenderer();
      const flat = document.body.appendChild(document.createElement("div"));
      renderer.initialize({ target: flat, brand_id: "luna" });
      // Each warning appears only once.
      renderer.initialize({ target: flat, brand_id: "luna" });
      renderer.initialize({
        target: document.createElement("div"),
        brand_id: "luna",
        url: `${location.origin}/sports/`,
      });
      renderer.kill();
      renderer.navigate("/x");
    });
    t.deepEqual(visit.console, [
      "warning: [SBRenderer] target has no height or is detached",
      "warning: [SBRenderer] url has the page's own origin",
      "warning: [SBRenderer] initialize first",
    ]);
    await visit.close();
  },
);

test.serial(
  "every callback is called with the values that the sportsbook sends, even if the page sets the callback later",
  async (t) => {
    const visit = await stage.visit();
    await visit.initialize();
    const frame = await visit.started();
    await frame.evaluate(() => {
      const { page } = window.sportsbook;
      page.send("login");
      page.send("register");
      page.send("recharge");
      page.send("routeChange", { path: "/live" });
      page.send("betslipChanged", { count: 2 });
      page.send("betPlaced", { betIds: ["r-1", "r-2"], stake: 1550 });
      page.send("balanceChange", { amount: 98450, currency: "BRL" });
    });
    await visit.untilCalled("onBalanceChange");
    t.deepEqual(await visit.page.evaluate(() => window.called), [
      ["onAppInitialized"],
      ["onLogin"],
      ["onRegister"],
      ["onRecharge"],
      ["onRouteChange", "/live"],
      ["onBetslipChanged", { count: 2 }],
      ["onBetPlaced", { betIds: ["r-1", "r-2"], stake: 1550 }],
      ["onBalanceChange", { amount: 98450, currency: "BRL" }],
    ]);
    await visit.page.evaluate(() =>
      window.renderer.updateOptions({ onLogin: () => void window.called.push(["the new onLogin"]) }),
    );
    await frame.evaluate(() => window.sportsbook.page.send("login"));
    await visit.untilCalled("the new onLogin");
    t.is((await visit.called("onLogin")).length, 1);
    await visit.close();
  },
);

test.serial("an error of a callback is logged and stops nothing else", async (t) => {
  const visit = await stage.visit();
  await visit.page.evaluate(() => {
    const onLogin = (): void => {
      throw new Error("thrown in onLogin");
    };
    const onRegister = async (): Promise<void> => {
      throw new Error("rejected in onRegister");
    };
    Object.assign(window.callbacks, { onLogin, onRegister });
    window.renderer = new window.SBRenderer();
    window.renderer.initialize({
      target: document.getElementById("target") as HTMLElement,
      brand_id: "luna",
      ...window.callbacks,
    });
  });
  const frame = await visit.started();
  await frame.evaluate(() => {
    window.sportsbook.page.send("login");
    window.sportsbook.page.send("register");
    window.sportsbook.page.send("recharge");
  });
  await visit.untilCalled("onRecharge");
  await visit.untilConsole("rejected in onRegister");
  t.deepEqual(
    visit.console.map((line) => line.split("\n")[0]),
    [
      "error: [SBRenderer] onLogin failed Error: thrown in onLogin",
      "error: [SBRenderer] onRegister failed Error: rejected in onRegister",
    ],
  );
  await visit.close();
});

test.serial("debug logs the sportsbook's messages, but never a token", async (t) => {
  const visit = await stage.visit();
  await visit.page.evaluate(() => (window.callbacks.onTokenExpired = () => "jwt-debug-secret-2"));
  await visit.initialize({ debug: true, token: "jwt-debug-secret" });
  await visit.page.evaluate(() => window.renderer.updateOptions({ onTokenExpired: () => "jwt-debug-secret-2" }));
  const frame = await visit.started();
  await frame.evaluate(() => window.sportsbook.page.send("betslipChanged", { count: 3 }));
  await visit.untilConsole("betslipChanged");
  stage.expireSessions();
  t.is(await frame.evaluate(() => window.sportsbook.balance()), "97.50");
  t.true(visit.console.some((line) => line.includes("tokenExpired")));
  t.false(visit.console.some((line) => line.includes("secret")));
  const { storage, entries } = await visit.page.evaluate(() => ({
    storage: { ...localStorage, ...sessionStorage, cookie: document.cookie, address: location.href },
    entries: performance.getEntries().map(({ name }) => name),
  }));
  t.false(JSON.stringify([storage, entries]).includes("secret"));
  await visit.close();
});
