/** Themes, layouts, languages and widths. */
import test from "ava";
import { page as textOf } from "../../docs/markdown.ts";
import { accessible } from "../accessible.ts";
import { type Casino, openCasino } from "../casino.ts";
import { fits } from "../fits.ts";
import { Sportsbook } from "../sportsbook-page.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

test.serial(
  "theme, layout, language and odds change without a reload; kill removes the frame, and a new initialize shows it again",
  async (t) => {
    const book = await Sportsbook.open(casino, "Ana", "MXN");
    const look = () =>
      book.frame
        .locator("html")
        .evaluate((html) => ["data-theme", "data-layout", "lang"].map((name) => html.getAttribute(name)));
    t.deepEqual(await look(), ["lilac-plum", "sidebar", "en"], "the brand's, in the launch's language");
    const price = book.odds("liga-do-sol-1:result:0:home").locator(".price");
    const decimal = Number(await price.textContent());
    for (const [label, value] of [
      ["Theme", "navy-light"],
      ["Layout", "classic"],
      ["Language", "es"],
      ["Odds", "american"],
    ] as const) {
      await book.tab.page.getByLabel(label, { exact: true }).selectOption(value);
    }
    await book.frame.getByRole("link", { name: "Mis apuestas" }).first().waitFor();
    t.deepEqual(await look(), ["navy-light", "classic", "es"]);
    const american = decimal >= 2 ? `+${Math.round(decimal * 100 - 100)}` : `-${Math.round(100 / (decimal - 1))}`;
    await price.filter({ hasText: american }).waitFor();
    t.is(await price.textContent(), american);
    await book.tab.page.getByRole("button", { name: "kill" }).click();
    await book.tab.page.locator("iframe").waitFor({ state: "detached" });
    await book.tab.page.getByRole("button", { name: "initialize" }).click();
    await book.frame.locator("#balance").waitFor();
    await book.tab.close();
  },
);

test.serial("every page fits and is accessible, in each layout, wide and at 360 px", async (t) => {
  const book = await Sportsbook.open(casino, "Ana", "COP");
  const look = async (path: string, until: string, where: string) => {
    await book.inner().evaluate((to) => (location.hash = to), path);
    await book.frame.locator(until).first().waitFor();
    await fits(t, book.inner(), `${where}: ${path}`);
    await accessible(t, book.inner(), `${where}: ${path}`);
  };
  for (const id of ["liga-do-sol-4:result:0:home", "liga-andina-4:result:0:away"]) await book.odds(id).click();
  for (const [layout, theme, wide, narrow] of [
    ["sidebar", "mint-carbon", "/", "/league/liga-do-sol"],
    ["classic", "coral-light", "/league/liga-andina", "/bets"],
    ["tile", "canary-plum", "/live", "/event/liga-do-sol-4"],
  ] as const) {
    await book.tab.page.getByLabel("Layout", { exact: true }).selectOption(layout);
    await book.tab.page.getByLabel("Theme", { exact: true }).selectOption(theme);
    await book.frame.locator(`html[data-layout="${layout}"][data-theme="${theme}"]`).waitFor();
    // Do not check colours during a transition between themes.
    await book.inner().waitForFunction(() => !document.getAnimations().some((one) => one instanceof CSSTransition));
    await book.tab.page.setViewportSize({ width: 1800, height: 1000 });
    await look(wide, "main .odds", `${layout}, wide`);
    await book.tab.page.setViewportSize({ width: 360, height: 1000 });
    await look(narrow, "main .odds, main .notice", `${layout} at 360 px`);
    await book.frame.getByRole("button", { name: /^\d? ?Betslip/ }).click();
    await book.frame.locator("#slip.open").waitFor();
    await accessible(t, book.inner(), `${layout}: the betslip's sheet`);
    await book.frame.locator("#slip .close").click();
  }
  await accessible(t, book.tab.page.mainFrame(), "the merchant's page");
  await fits(t, book.tab.page.mainFrame(), "the merchant's page");
  await book.tab.close();
});

test.serial("the sidebar is beside the matches from 768 px on, also in the sandbox at 1280 px", async (t) => {
  const book = await Sportsbook.open(casino, "Ana", "BRL");
  const { page } = book.tab;
  for (const [width, isBeside] of [
    [1920, true],
    [1280, true],
    [1024, true],
    [700, false],
  ] as const)
    for (const layout of ["sidebar", "classic"]) {
      await page.setViewportSize({ width, height: 900 });
      await page.getByLabel("Layout", { exact: true }).selectOption(layout);
      await book.frame.locator(`html[data-layout="${layout}"]`).waitFor();
      const [sports, main] = await Promise.all([
        book.frame.locator(".sports").boundingBox(),
        book.frame.locator("main").boundingBox(),
      ]);
      if (sports === null || main === null) return t.fail("not shown");
      t.is(sports.x + sports.width <= main.x, isBeside, `${layout} at ${width}`);
      t.true(main.width >= 330, `${layout} at ${width}: the matches have ${main.width} px`);
    }
  await page.close();
});

test.serial("for a visitor, theme, layout, language and odds are those of the brand's present settings", async (t) => {
  const [, internal = ""] = /Connect and \/metrics (\S+)/.exec(casino.printed) ?? [];
  const [, key = ""] = /Admin key +(\S+)/.exec(casino.printed) ?? [];
  t.is(key, casino.adminKey);
  const change = {
    code: "casa-luna",
    theme: "red-navy",
    layout: "tile",
    defaultLanguage: "es-CL",
    settings: { odds: "fractional" },
  };
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const set = await fetch(`${internal}/aggregator.admin.v1.BrandAdminService/SetBrand`, {
    method: "POST",
    headers,
    body: JSON.stringify(change),
  });
  t.is(set.status, 200, await set.text());
  const page = await casino.browser.newPage();
  const html = page.locator('html[data-theme="red-navy"][data-layout="tile"][lang="es"]');
  // A change takes effect within a second, and the sportsbook reads the brand again after two seconds.
  for (let looks = 0; looks < 40 && (await html.count()) === 0; looks++) {
    await page.goto(`${casino.sportsbook}/?brand=casa-luna`);
    await page.locator("main .odds").first().waitFor();
    await page.waitForTimeout(250);
  }
  t.is(await html.count(), 1);
  t.regex((await page.locator("main .price").first().textContent()) ?? "", /^\d+\/\d+$/);
  await page.goto(`${casino.sportsbook}/pt/?brand=casa-luna#/bets`);
  await page.getByRole("heading", { name: "Minhas apostas" }).waitFor();
  await page.close();
});

test("the README shows what npm start prints", (t) => {
  const documented = /^Open http.*?nothing is kept\.$/ms.exec(textOf("README.md"))?.[0] ?? "";
  const plain = (text: string) =>
    text
      .replaceAll(/:\d{4,5}\b/g, ":PORT")
      .replaceAll(/sk_[\w-]{43}/g, "SECRET")
      .replaceAll(/[\w+/-]{43}=?(?=\s)/g, "KEY");
  t.is(plain(/^Open http.*?nothing is kept\.$/ms.exec(casino.printed)?.[0] ?? ""), plain(documented));
});
