/** The sandbox's sportsbook in a bare page of the merchant's, with the library's options and callbacks. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test from "ava";
import type { Page } from "playwright-core";
import type { SBRenderer, SBRendererOptions } from "../../web-renderer/sb-renderer.ts";
import { type Casino, openCasino } from "./casino.ts";

declare global {
  interface Window {
    /** The library's instance in the bare page. */
    embedded: SBRenderer;
    /** The arguments of the calls of onRouteChange and onError. */
    routes: string[];
    errors: string[];
  }
}

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

/** A page of the merchant's origin that contains only the library, and the jwt of a launch. */
async function barePage(origin = casino.url): Promise<{ page: Page; token: string }> {
  const context = await casino.browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
  const login = { merchant: "casa-luna-brl", player: "ana-brl" };
  await context.request.post(`${casino.url}/api/login`, { data: login });
  const reply = await context.request.post(`${casino.url}/api/sportsbook/token`, { data: {} });
  const { token } = (await reply.json()) as { token: string };
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(new URL("/bare", origin).href);
  await load(page);
  return { page, token };
}

/** Loads the library into an answer of the site that is not a page. The result has the site's origin and policy. */
async function load(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.body.innerHTML = '<div id="target"></div>';
    (document.getElementById("target") as HTMLElement).style.height = "90vh";
    window.routes = [];
    window.errors = [];
  });
  await page.addScriptTag({ url: `${casino.sportsbook}/sb-renderer.min.js` });
}

const initialize = (page: Page, options: Partial<Omit<SBRendererOptions, "target" | "fallback">>): Promise<void> =>
  page.evaluate((options) => {
    window.embedded ??= new window.SBRenderer();
    const target = document.getElementById("target") as HTMLElement;
    window.embedded.initialize({
      target,
      brand_id: "casa-luna",
      onRouteChange: (path) => window.routes.push(path),
      onError: ({ code }) => window.errors.push(code),
      ...options,
    });
  }, options);

test.serial(
  "with hideBalance the header has no balance and no deposit button, until the page changes the option",
  async (t) => {
    const { page, token } = await barePage();
    await initialize(page, { token, lang: "en", hideBalance: true });
    const frame = page.frameLocator("iframe");
    const banner = frame.getByRole("banner");
    const deposit = banner.getByRole("button", { name: "Deposit" });
    // The player's own bets show that the session is known.
    await frame.getByRole("link", { name: "My bets" }).first().click();
    await frame.getByText("No open bets").waitFor();
    t.is(await banner.locator("output").count(), 0);
    t.is(await deposit.count(), 0);
    t.is(await banner.getByRole("button", { name: "Log in" }).count(), 0);

    await page.evaluate(() => window.embedded.updateOptions({ hideBalance: false }));
    await deposit.waitFor();
    await banner.locator("output").filter({ hasText: /\d/ }).waitFor();
    await page.evaluate(() => window.embedded.updateOptions({ hideBalance: true }));
    await deposit.waitFor({ state: "detached" });

    // A player who cannot pay a betslip can still open the deposit from there.
    await frame.getByRole("link", { name: "Sports" }).first().click();
    await frame.locator('main .odds[data-id="liga-do-sol-1:result:0:home"]').first().click();
    await frame.locator("#slip input[data-input]").last().fill("99999");
    await frame.locator("#slip").getByRole("button", { name: "Deposit" }).waitFor();
    await page.context().close();
  },
);

/** For each route, an element that only this page of the sportsbook has. */
const SHOWN = {
  "/": 'main .odds[data-id^="liga-do-sol"]',
  "/live": '.pages a[data-path="/live"][aria-current="page"]',
  "/bets": '.pages a[data-path="/bets"][aria-current="page"]',
  "/event/liga-do-sol-1": '[data-page="event"] main .odds[data-id^="liga-do-sol-1"]',
} as const;

test.serial(
  "the route, sb-path and onRouteChange agree, whether the player or the page changes the route",
  async (t) => {
    const { page } = await barePage();
    const frame = page.frameLocator("iframe");
    let calls: string[] = [];
    /** Asserts that frame, address and callback agree on this route, and that the callback was called once more. */
    const at = async (route: keyof typeof SHOWN, how: string): Promise<void> => {
      await page.waitForFunction(([route, count]) => window.routes.length > count && window.routes.at(-1) === route, [
        route,
        calls.length,
      ] as const);
      await frame.locator(SHOWN[route]).first().waitFor();
      t.is(await page.evaluate(() => new URLSearchParams(location.search).get("sb-path") ?? "/"), route, how);
      calls = [...calls, route];
      t.deepEqual(await page.evaluate(() => window.routes), calls, how);
    };
    const entries = () => page.evaluate(() => history.length);
    // Playwright's own goBack and goForward wait for a load, which a change inside the frame does not always report.
    const travel = (by: number): Promise<void> => page.evaluate((entries) => history.go(entries), by);

    await initialize(page, { lang: "en" });
    await at("/", "the start");
    t.false(page.url().includes("sb-path"), "the start page needs no parameter");
    const before = await entries();

    await frame.locator('.pages a[data-path="/live"]').click();
    await at("/live", "a link in the frame");
    t.is(await entries(), before + 1, "a link makes an entry");
    await frame.locator('.pages a[data-path="/bets"]').click();
    await at("/bets", "another link");
    t.is(await entries(), before + 2);

    await travel(-1);
    await at("/live", "back");
    await travel(-1);
    await at("/", "back to the start");
    await travel(1);
    await at("/live", "forward");

    await page.evaluate(() => window.embedded.navigate("/event/liga-do-sol-1"));
    await at("/event/liga-do-sol-1", "navigate");
    t.is(await entries(), before + 2, "navigate makes no entry");
    await travel(1);
    await at("/bets", "forward, over the replaced entry");
    await travel(-1);
    await at("/event/liga-do-sol-1", "back to what navigate opened");
    await page.evaluate(() => window.embedded.updateOptions({ path: "/live" }));
    await at("/live", "the option path");

    await page.evaluate(() => {
      history.pushState(null, "", location.href);
      window.embedded.navigate("/bets");
    });
    await at("/bets", "navigate in an entry of the page's own");
    await travel(-1);
    await at("/live", "back to the entry before");

    await page.reload();
    await load(page);
    calls = [];
    await initialize(page, { lang: "en" });
    await at("/live", "a reload");

    await page.goto(`${casino.url}/bare?sb-path=/bets`);
    await load(page);
    calls = [];
    await initialize(page, { lang: "en" });
    await at("/bets", "a deep link");
    await page.context().close();
  },
);

test.serial(
  "without syncPath the address does not change, and back and forward still navigate the sportsbook",
  async (t) => {
    const { page } = await barePage();
    const frame = page.frameLocator("iframe");
    const at = async (...routes: (keyof typeof SHOWN)[]): Promise<void> => {
      await page.waitForFunction((count) => window.routes.length === count, routes.length);
      t.deepEqual(await page.evaluate(() => window.routes), routes);
      await frame
        .locator(SHOWN[routes.at(-1) ?? "/"])
        .first()
        .waitFor();
    };
    await initialize(page, { lang: "en", syncPath: false });
    await at("/");
    await frame.locator('.pages a[data-path="/live"]').click();
    await at("/", "/live");
    const seen: (keyof typeof SHOWN)[] = ["/", "/live"];
    for (let i = 0; i < 10; i++)
      for (const [by, to] of [
        [-1, "/"],
        [1, "/live"],
      ] as const) {
        await page.evaluate((entries) => history.go(entries), by);
        seen.push(to);
        await at(...seen);
      }
    t.is(page.url(), `${casino.url}/bare`);
    await page.context().close();
  },
);

test.serial("a load event without another document leaves the route as it is, and loses no event", async (t) => {
  const { page } = await barePage();
  const frame = page.frameLocator("iframe");
  await initialize(page, { lang: "en", syncPath: false });
  await frame.locator('.pages a[data-path="/bets"]').click();
  await page.waitForFunction(() => window.routes.at(-1) === "/bets");
  // Chromium reports such a load after some steps back and forward. The page then greets the frame again. The player
  // changes the route just before the frame answers (with `capture`), and just after its answer.
  for (const [path, capture] of [
    ["/live", true],
    ["/", false],
  ] as const) {
    await frame.locator("body").evaluate(
      (body, [to, isFirst]) => {
        const click = ({ data }: MessageEvent): void => {
          if (data.name !== "hello") return;
          removeEventListener("message", click, isFirst);
          body.querySelector<HTMLElement>(`.pages a[data-path="${to}"]`)?.click();
        };
        addEventListener("message", click, isFirst);
      },
      [path, capture] as const,
    );
    await page.evaluate(() => document.querySelector("iframe")?.dispatchEvent(new Event("load")));
    await page.waitForFunction((to) => window.routes.at(-1) === to, path);
  }
  // An answer of the page to the second handshake would have arrived.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  t.deepEqual(await page.evaluate(() => window.routes), ["/", "/bets", "/live", "/"]);
  t.true(await frame.locator(SHOWN["/"]).first().isVisible());
  await page.context().close();
});

test.serial(
  "onError gets BRAND_UNKNOWN for an unknown brand, and ORIGIN_NOT_ALLOWED on a site that does not belong to the brand",
  async (t) => {
    const { page } = await barePage();
    await initialize(page, { brand_id: "nobody" });
    await page.waitForFunction(() => window.errors.length > 0);
    t.deepEqual(await page.evaluate(() => window.errors), ["BRAND_UNKNOWN"]);
    await initialize(page, {});
    await page.frameLocator("iframe").locator(SHOWN["/"]).first().waitFor();
    await page.context().close();

    const { page: other } = await barePage(casino.url.replace("localhost", "127.0.0.1"));
    await initialize(other, {});
    await other.waitForFunction(() => window.errors.length > 0);
    t.deepEqual(await other.evaluate(() => window.errors), ["ORIGIN_NOT_ALLOWED"]);
    await other.context().close();
  },
);

test.serial("a page with Cross-Origin-Embedder-Policy can embed the sportsbook", async (t) => {
  // A brand without allowed origins. In development any page may frame it.
  const [, internal = ""] = /Connect and \/metrics (\S+)/.exec(casino.printed) ?? [];
  const created = await fetch(`${internal}/aggregator.admin.v1.BrandAdminService/CreateBrand`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${casino.adminKey}` },
    body: JSON.stringify({ code: "open-brand", name: "Open", theme: "navy-light" }),
  });
  t.is(created.status, 200, await created.text());
  const site = createServer((_, response) => {
    const isolation = { "cross-origin-embedder-policy": "require-corp", "cross-origin-opener-policy": "same-origin" };
    response
      .writeHead(200, { "content-type": "text/html", ...isolation })
      .end("<!doctype html><title>Isolated</title>");
  });
  await once(site.listen(0, "127.0.0.1"), "listening");
  const page = await casino.browser.newPage();
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
  await load(page);
  t.true(await page.evaluate(() => crossOriginIsolated));
  await initialize(page, { brand_id: "open-brand", lang: "en" });
  await page.frameLocator("iframe").locator(SHOWN["/"]).first().waitFor();
  t.deepEqual(await page.evaluate(() => window.errors), []);
  await page.close();
  site.closeAllConnections();
  site.close();
});
