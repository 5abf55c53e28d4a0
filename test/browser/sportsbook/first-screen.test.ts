/** The page before and while its script begins. */
import test from "ava";
import { type Casino, openCasino } from "../casino.ts";
import { fits } from "../fits.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

test.serial("without its script the page shows the first matches, in its language and its fonts", async (t) => {
  const page = await casino.browser.newPage({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await page.goto(`${casino.sportsbook}/es/?brand=casa-luna`);
  await page.locator("main article.event").first().waitFor();
  t.true((await page.locator("main .section-title").first().textContent())?.startsWith("En vivo ahora"));
  t.is(await page.locator("html").getAttribute("lang"), "es");
  t.true((await page.locator("main .odds").count()) >= 10);
  t.true(await page.locator("#app").evaluate((app) => (app as HTMLElement).inert));
  await fits(t, page.mainFrame(), "the first screen");
  const widths = await page
    .locator(".hero")
    .evaluate((hero) => [...hero.children].map((part) => part.getBoundingClientRect().width / hero.clientWidth));
  t.true(
    widths.length >= 4 && Math.min(...widths) > 0.8,
    `the parts of the featured match are in one column: ${widths}`,
  );
  const fonts = await page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family);
  });
  t.deepEqual(fonts.toSorted(), ["Figtree", "Outfit"]);
  await page.close();
});

test.serial("the page's script keeps the elements that the server drew, and lets the player click", async (t) => {
  const page = await casino.browser.newPage({ timezoneId: "America/Sao_Paulo" });
  const drawn: string[] = [];
  await page.exposeFunction("drawnByScript", (html: string) => drawn.push(html));
  await page.addInitScript(() => {
    // The script runs after the document was parsed, so what is added from then on was added by it.
    document.addEventListener("readystatechange", () => {
      if (document.readyState !== "interactive") return;
      const hero = document.querySelector(".hero");
      new MutationObserver((changes) => {
        if (hero?.isConnected !== true) void (window as unknown as Reporting).drawnByScript("another hero");
        for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
          if (node instanceof Element && !node.matches("article, section, .card"))
            void (window as unknown as Reporting).drawnByScript(node.outerHTML.slice(0, 200));
      }).observe(document.body, { childList: true, subtree: true });
    });
  });
  await page.goto(`${casino.sportsbook}/en/?brand=casa-luna`);
  await page.locator("main article.event").nth(30).waitFor();
  t.deepEqual(drawn, []);
  t.false(await page.locator("#app").evaluate((app) => (app as HTMLElement).inert));
  t.regex((await page.locator("main .later time").first().textContent()) ?? "", / \d{1,2}:\d\d/);
  await page.locator("main .odds:enabled").first().click();
  await page.locator("#slip .line").waitFor();
  await page.close();
});

test.serial("a page that is opened at another route shows nothing of the start page", async (t) => {
  const page = await casino.browser.newPage();
  let mayRun = Promise.withResolvers<void>();
  await page.route(/\/[0-9a-f]{20}\.js$/, async (route) => {
    await mayRun.promise;
    await route.continue();
  });
  const open = async (route: string) => {
    mayRun = Promise.withResolvers<void>();
    await page.goto("about:blank");
    await page.goto(`${casino.sportsbook}/en/?brand=casa-luna#${route}`, { waitUntil: "domcontentloaded" });
    t.true((await page.locator("#app article.event").count()) > 0, "the server has drawn the start page");
    return page.locator("#app *").filter({ visible: true }).count();
  };
  await open("/");
  await page.locator("main article.event").first().waitFor();
  for (const [route, content] of [
    ["/bets", "main .notice"],
    ["/event/liga-do-sol-1", "main .markets"],
  ] as const) {
    t.is(await open(route), 0, route);
    mayRun.resolve();
    await page.locator(content).waitFor();
    t.is(await page.locator("#app article.event").count(), 0, route);
  }
  await page.close();
});

test.serial("a page without a first screen hides nothing that its script draws", async (t) => {
  const page = await casino.browser.newPage();
  await page.goto(`${casino.sportsbook}/?brand=nobody`);
  await page.locator("main .notice").waitFor();
  t.is(await page.locator("html").getAttribute("class"), "");
  await page.close();
});

interface Reporting {
  drawnByScript(html: string): Promise<void>;
}
