/** How a player finds matches and markets, and how the page shows times. */
import test from "ava";
import type { Page } from "playwright-core";
import { accessible } from "../accessible.ts";
import { type Casino, openCasino } from "../casino.ts";
import { fits } from "../fits.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

interface Visitor {
  readonly language?: "pt" | "es" | "en";
  readonly path?: string;
  readonly locale?: string;
  readonly timezoneId?: string;
  readonly width?: number;
}

/** The sportsbook as a visitor opens it, without a merchant's page. */
async function visit({ language = "en", path = "/", width = 1440, ...options }: Visitor = {}): Promise<Page> {
  const context = await casino.browser.newContext({
    ...options,
    viewport: { width, height: 900 },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${casino.sportsbook}/${language}/?brand=casa-luna#${path}`);
  await page.locator("main .odds").first().waitFor();
  return page;
}

const check = async (t: Parameters<typeof fits>[0], page: Page, where: string): Promise<void> => {
  await fits(t, page.mainFrame(), where);
  await accessible(t, page.mainFrame(), where);
};

test.serial("the search finds matches by team and by league in all sports, and shows their number", async (t) => {
  const page = await visit({ path: "/sport/tennis" });
  const search = page.getByRole("searchbox", { name: "Search teams and leagues" });
  await search.pressSequentially("atletico");
  await page.getByRole("heading", { name: "Search results" }).waitFor();
  const names = await page.locator("main article.event").allTextContents();
  t.true(names.length > 0 && names.every((name) => name.includes("Atlético")), names.join("\n"));
  t.is(await page.locator(".found").textContent(), `${names.length} ${names.length === 1 ? "match" : "matches"} found`);
  t.true(await search.evaluate((input) => input === document.activeElement), "the player goes on typing");
  await check(t, page, "the results");
  await search.fill("metro bask");
  await page.locator(".found", { hasText: "6 matches found" }).waitFor();
  await search.fill("no such team");
  await page.locator(".found", { hasText: "No match found" }).waitFor();
  t.is(await page.locator("main article.event").count(), 0);
  await check(t, page, "no results");
  await search.fill("");
  await page.getByRole("heading", { name: "Tennis", level: 1 }).waitFor();
  // Enter must not leave the page, and another page begins without the search.
  await search.fill("metro");
  await search.press("Enter");
  await page.locator("main article.event .teams").first().click();
  await page.getByRole("tablist").waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Tennis", level: 1 }).waitFor();
  t.is(await search.inputValue(), "");
  await page.context().close();
});

test.serial("the markets of a match are in tabs, which can be used by keyboard, even at 360 px", async (t) => {
  for (const width of [1440, 360]) {
    const page = await visit({ path: "/event/liga-do-sol-3", width });
    const tab = (name: string) => page.getByRole("tab", { name, exact: true });
    const headings = () => page.getByRole("tabpanel").locator("h2").allTextContents();
    t.deepEqual(await headings(), [
      "Match result",
      "Double chance",
      "Draw no bet",
      "Total goals",
      "Both teams to score",
      "Handicap",
    ]);
    t.is(await tab("All").getAttribute("aria-selected"), "true");
    await tab("All").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await tab("Goals").and(page.locator('[aria-selected="true"]')).waitFor();
    t.true(await tab("Goals").evaluate((element) => element === document.activeElement));
    t.deepEqual(await headings(), ["Total goals", "Both teams to score"]);
    t.deepEqual(await page.getByRole("tabpanel", { name: "Goals" }).locator(".pick").allTextContents(), [
      ...["Over 1.5", "Under 1.5", "Over 2.25", "Under 2.25", "Over 2.5", "Under 2.5", "Over 3.5", "Under 3.5"],
      ...["Yes", "No"],
    ]);
    await check(t, page, `the tabs at ${width} px`);
    await page.keyboard.press("End");
    await tab("Handicaps").and(page.locator('[aria-selected="true"]')).waitFor();
    await page.keyboard.press("ArrowRight");
    await tab("All").and(page.locator('[aria-selected="true"]')).waitFor();
    await page.keyboard.press("Tab");
    t.true(
      await page.evaluate(() => document.activeElement?.closest("[role=tabpanel]") !== null),
      "Tab leads from the chosen tab to the markets",
    );
    await page.context().close();
  }
});

for (const { language, locale, timezoneId, days, total, clocks } of [
  {
    language: "en",
    locale: "en-US",
    timezoneId: "America/New_York",
    days: ["Today", "Tomorrow"],
    total: ["Over 2.5", "Under 2.5"],
    clocks: [/^\d+′$/, /^Q[1-4] \d+:\d\d$/, /^(1st|2nd|3rd|4th|5th) set$/],
  },
  {
    language: "pt",
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    days: ["Hoje", "Amanhã"],
    total: ["Mais de 2,5", "Menos de 2,5"],
    clocks: [/^\d+′$/, /^[1-4]º quarto \d+:\d\d$/, /^[1-5]º set$/],
  },
  {
    language: "es",
    locale: "es-MX",
    timezoneId: "Asia/Tokyo",
    days: ["Hoy", "Mañana"],
    total: ["Más de 2,5", "Menos de 2,5"],
    clocks: [/^\d+′$/, /^[1-4]\.º cuarto \d+:\d\d$/, /^[1-5]\.º set$/],
  },
] as const)
  test.serial(
    `in the language ${language}, clocks, kick-offs and lines are written in the format of this language`,
    async (t) => {
      const page = await visit({ language, locale, timezoneId });
      // The page's script adds most matches after its first frame.
      await page.locator("main article.event").nth(30).waitFor();
      const shown = await page.locator("main .minute > [aria-hidden]").allTextContents();
      t.deepEqual(
        shown.filter((clock) => !clocks.some((pattern) => pattern.test(clock))),
        [],
      );
      for (const pattern of clocks)
        t.true(
          shown.some((clock) => pattern.test(clock)),
          String(pattern),
        );

      const times = await page
        .locator("main time")
        .evaluateAll((all) => all.map((time) => [time.textContent, time.getAttribute("datetime")] as const));
      t.true(times.length > 0);
      const hours = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: timezoneId });
      for (const [text, at] of times) {
        const [day = "", ...time] = (text ?? "").split(" ");
        t.true((days as readonly string[]).includes(day), text ?? "");
        t.is(time.join(" "), hours.format(new Date(at ?? "")));
      }
      await page.locator("main .league-title").first().waitFor();
      await page.goto(`${casino.sportsbook}/${language}/?brand=casa-luna#/event/liga-do-sol-3`);
      const line = page.locator('[data-key="liga-do-sol-3:total:10"] .pick');
      await line.first().waitFor();
      t.deepEqual(await line.allTextContents(), total);
      const mark = language === "en" ? "." : ",";
      for (const odds of await page.locator("main .price").allTextContents())
        t.regex(odds, new RegExp(`^\\d+\\${mark}\\d\\d$`));
      for (const width of [360, 768]) {
        await page.setViewportSize({ width, height: 900 });
        await fits(t, page.mainFrame(), `${language} at ${width} px`);
      }
      await page.context().close();
    },
  );
