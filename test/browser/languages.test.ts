/**
 * The merchant's site and the games in Portuguese and Spanish: no text is in English, and every text fits into its
 * place.
 */
import test, { type ExecutionContext } from "ava";
import type { Frame, Page } from "playwright-core";
import games from "../../sandbox/provider/games.json" with { type: "json" };
import { LEAGUES } from "../../sandbox/sportsbook/model/leagues.ts";
import { englishWords } from "../sandbox/words/glossary.ts";
import { accessible } from "./accessible.ts";
import { type Casino, openCasino } from "./casino.ts";
import { fits } from "./fits.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

/** Proper names, which are the same in every language. */
const NAMES = [...games.map(({ name }) => name), ...LEAGUES.flatMap(({ name, sides }) => [name, ...sides])].toSorted(
  (a, b) => b.length - a.length,
);

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

async function translated(t: ExecutionContext, page: Page, language: string, where: string): Promise<void> {
  for (const frame of page.frames()) {
    t.is(await frame.locator("html").getAttribute("lang"), language, where);
    const texts = await textsOf(frame);
    t.true(texts.length > 5, `${where} has texts`);
    const left = texts
      .map((text) => NAMES.reduce((rest, name) => rest.replaceAll(name, ""), text))
      .flatMap((text) => englishWords(text).map((word) => `${word}: ${text}`));
    t.deepEqual(left, [], `${where}, ${new URL(frame.url()).pathname}`);
    await fits(t, frame, where);
    await accessible(t, frame, where);
  }
}

for (const { language, locale, width, enter } of [
  { language: "pt", locale: "pt-BR", width: 360, enter: "Entrar no cassino" },
  { language: "es", locale: "es-MX", width: 820, enter: "Entrar al casino" },
])
  test.serial(`${language}: the site, a slot, a table and the sportsbook are in the browser's language`, async (t) => {
    const context = await casino.browser.newContext({
      locale,
      viewport: { width, height: 1000 },
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const check = (where: string) => translated(t, page, language, `${language} at ${width} px, ${where}`);
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
    await game.locator("main .odds").first().waitFor();
    await check("sportsbook");
    await context.close();
  });

test.serial("the player can choose another language, and the page remembers this choice", async (t) => {
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
