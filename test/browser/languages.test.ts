/**
 * The merchant's site, the games and the sportsbook in each language: every text that is shown uses the words of the
 * glossary, and fits at every width.
 */
import test, { type ExecutionContext } from "ava";
import type { Frame, Page } from "playwright-core";
import games from "../../sandbox/provider/games.json" with { type: "json" };
import { LEAGUES } from "../../sandbox/sportsbook/model/leagues.ts";
import foreignGames from "../../sandbox/upstreams/games.json" with { type: "json" };
import type { Language } from "../../web-renderer/protocol.ts";
import { faults } from "../sandbox/words/glossary.ts";
import { accessible } from "./accessible.ts";
import { type Casino, openCasino } from "./casino.ts";
import { fits } from "./fits.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

/** Proper names, which are the same in every language. */
const NAMES = [
  ...[...games, ...foreignGames].map(({ name }) => name),
  ...LEAGUES.flatMap(({ name, sides }) => [name, ...sides]),
].toSorted((a, b) => b.length - a.length);

/** Elements whose text is the same in every language: code, raw data and ids. */
const NOT_READ = "code, dl, script, style, .call small";

/** The texts of the frame, visible or for screen readers. */
const textsOf = (frame: Frame): Promise<string[]> =>
  frame.evaluate((notRead) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: string[] = [document.title];
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      if (parentElement?.closest(notRead) === null) texts.push(textContent ?? "");
    }
    for (const name of ["aria-label", "placeholder", "title", "alt"])
      for (const element of document.querySelectorAll(`[${name}]`))
        if (element.closest(notRead) === null) texts.push(element.getAttribute(name) ?? "");
    return texts.filter((text) => /\p{L}/u.test(text));
  }, NOT_READ);

/** A small phone, the usual phone, a tablet, and two usual screens. */
const WIDTHS = [360, 390, 768, 1280, 1440] as const;

interface Look {
  readonly language: Language;
  /** The width at which axe looks at the page. */
  readonly axeAt: (typeof WIDTHS)[number];
}

async function look(t: ExecutionContext, page: Page, { language, axeAt }: Look, where: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 1000 });
    for (const frame of page.frames()) {
      await fits(t, frame, `${language} at ${width} px, ${where}`);
      if (width === axeAt) await accessible(t, frame, `${language} at ${width} px, ${where}`);
    }
  }
  for (const frame of page.frames()) {
    t.is(await frame.locator("html").getAttribute("lang"), language, where);
    const texts = await textsOf(frame);
    t.true(texts.length > 5, `${where} has texts`);
    const wrong = texts
      .map((text) => NAMES.reduce((rest, name) => rest.replaceAll(name, ""), text))
      .flatMap((text) => faults(language, text, language === "en" ? text : "").map((fault) => `"${text}" ${fault}`));
    t.deepEqual(wrong, [], `${language}, ${where}, ${new URL(frame.url()).pathname}`);
  }
}

for (const { locale, enter, ...looks } of [
  { language: "pt", locale: "pt-BR", axeAt: 360, enter: "Entrar no cassino" },
  { language: "es", locale: "es-MX", axeAt: 768, enter: "Entrar al casino" },
  { language: "en", locale: "en-GB", axeAt: 1440, enter: "Enter the casino" },
] as const)
  test.serial(
    `with a browser in the language ${looks.language}, every page has its texts in this language and fits at each width`,
    async (t) => {
      const context = await casino.browser.newContext({ locale, reducedMotion: "reduce" });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      const check = (where: string) => look(t, page, looks, where);
      await page.goto(casino.url);
      await page.getByRole("button", { name: enter }).waitFor();
      await check("login");
      await page.getByRole("button", { name: enter }).click();
      await page.locator(".card .play").first().waitFor();
      await check("lobby");

      const game = page.frameLocator("iframe");
      await page.goto(`${casino.url}#/play/AURORA/neon-sevens`);
      await game.locator(".spin:enabled").click();
      await game.locator(".spin:enabled").waitFor();
      await page.locator(".event").nth(1).waitFor({ state: "attached" });
      await game.locator("#backstage-toggle").click();
      for (const kind of ["repeat", "win_first"]) {
        const done = page.waitForResponse((response) => response.url().endsWith("/api/misbehave"));
        await game.locator(`[data-kind="${kind}"]`).click();
        await done;
        await game.locator(`[data-kind="${kind}"]:enabled`).waitFor();
      }
      await check("slot and backstage");

      await page.goto(`${casino.url}#/play/PALCO/roulette-copacabana`);
      await game.locator('[data-spot="17"]').waitFor();
      await check("table");

      await page.goto(`${casino.url}#/sportsbook`);
      await game.locator("#app:not([inert]) main .odds:enabled").first().click();
      await check("the sportsbook's board, with a selection");
      await game.getByRole("searchbox").fill("porto");
      await game.locator(".found").filter({ hasText: /\d/ }).waitFor();
      await check("the search");
      for (const [route, until] of [
        ["/live", '.pages a[data-path="/live"][aria-current="page"]'],
        ["/event/liga-do-sol-1", '[data-page="event"] main .odds'],
        ["/bets", '[data-page="bets"]'],
      ] as const) {
        await page
          .frames()
          .at(-1)
          ?.evaluate((to) => (location.hash = to), route);
        await game.locator(until).first().waitFor({ state: "attached" });
        await check(route);
      }
      await page.setViewportSize({ width: 390, height: 844 });
      await game.locator(".bottom button").click();
      await game.locator("#slip.open").waitFor();
      await check("the open slip");
      await context.close();
    },
  );

test.serial("the player can choose another language, and later pages and games have the chosen language", async (t) => {
  const context = await casino.browser.newContext({ locale: "de-DE", reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(casino.url);
  await page.getByRole("button", { name: "Enter the casino" }).waitFor();
  await page.getByLabel("Language of this site").selectOption("es");
  await page.getByRole("button", { name: "Entrar al casino" }).waitFor();
  t.is(await page.locator("html").getAttribute("lang"), "es");
  const again = await context.newPage();
  await again.goto(casino.url);
  await again.getByRole("button", { name: "Entrar al casino" }).click();
  await again.locator(".card .play").first().click();
  await again.frameLocator("iframe").getByRole("button", { name: "Girar" }).waitFor();
  await context.close();
});
