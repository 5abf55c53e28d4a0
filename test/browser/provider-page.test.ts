/** The provider's own page: in each of its states, in each language, at each width; and Backstage, which it explains. */
import test, { type ExecutionContext } from "ava";
import type { Page } from "playwright-core";
import { accessible } from "./accessible.ts";
import { type Casino, openCasino, Tab } from "./casino.ts";
import { fits } from "./fits.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

async function visit(width = 1280, locale = "en-US"): Promise<Page> {
  const viewport = { width, height: 900 };
  const context = await casino.browser.newContext({ viewport, reducedMotion: "reduce", locale });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return page;
}

async function look(t: ExecutionContext, page: Page, where: string): Promise<void> {
  await fits(t, page.mainFrame(), where);
  await accessible(t, page.mainFrame(), where);
}

for (const width of [360, 768, 1280, 1440])
  test.serial(
    `at ${width} px the provider's page fits and is accessible while it loads, after a failure and with its games`,
    async (t) => {
      const page = await visit(width);
      let answer: "wait" | "fail" | "none" | "pass" = "wait";
      let release = (): void => {};
      await page.route("**/api/provider", async (route) => {
        if (answer === "wait") await new Promise<void>((resolve) => (release = resolve));
        if (answer === "fail") await route.abort();
        else if (answer === "none") await route.fulfill({ json: { site: null, games: [] } });
        else await route.continue();
      });
      await page.goto(casino.provider);
      await page.getByText("Reading the games").waitFor({ state: "attached" });
      await look(t, page, "loading");

      answer = "fail";
      release();
      await page.getByText("The provider does not answer").waitFor();
      await look(t, page, "failed");

      answer = "none";
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByText("No games yet").waitFor();
      t.is(await page.getByRole("link", { name: "Play at the merchant's site" }).count(), 0);
      await look(t, page, "empty");

      answer = "pass";
      await page.reload();
      await page.locator('[data-game="roulette-copacabana"]').waitFor();
      t.is(await page.locator("[data-game]").count(), 15);
      t.regex(
        (await page.locator('[data-game="neon-sevens"]').textContent()) ?? "",
        /Slot, returns 95\.8\u00a0%AURORA/,
      );
      t.is(await page.getByRole("link", { name: "Play at the merchant's site" }).getAttribute("href"), casino.url);
      await look(t, page, "games");
      await page.context().close();
    },
  );

test.serial("the provider's page explains every button of Backstage with the button's own text", async (t) => {
  const page = await visit();
  await page.goto(casino.provider);
  await page.locator("[data-game]").first().waitFor();
  const explained = await page.locator("#backstage h3").allTextContents();
  const tab = await Tab.open(casino);
  await tab.logIn("Ana", "BRL");
  await tab.play("Neon Sevens");
  await tab.spinButton.waitFor();
  await tab.game.getByRole("button", { name: "Backstage" }).click();
  await tab.game.locator("#backstage .buttons button").first().waitFor();
  t.deepEqual((await tab.game.locator("#backstage .buttons button").allTextContents()).sort(), explained.sort());
  t.is(explained.length, 11);
  await tab.close();
  await page.context().close();
});

test.serial(
  "the provider's page is in the browser's language, or in another language that the reader chooses",
  async (t) => {
    const page = await visit(390, "es-MX");
    await page.goto(casino.provider);
    await page.getByRole("heading", { level: 1, name: "El proveedor de juegos" }).waitFor();
    await page.locator("[data-game]").first().waitFor();
    await look(t, page, "Spanish");
    await page.getByRole("link", { name: "Português" }).click();
    await page.getByRole("heading", { level: 1, name: "O provedor de jogos" }).waitFor();
    t.is(await page.locator("html").getAttribute("lang"), "pt");
    await page.locator("[data-game]").first().waitFor();
    await look(t, page, "Portuguese");
    await page.context().close();
  },
);

test.serial(
  "the provider's page sends requests only to its own host, logs no error and contains no secret",
  async (t) => {
    const page = await visit();
    const hosts = new Set<string>();
    const complaints: string[] = [];
    page.on("request", (request) => hosts.add(new URL(request.url()).host));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(casino.provider);
    await page.locator("[data-game]").first().waitFor();
    t.deepEqual([...hosts], [new URL(casino.provider).host]);
    t.deepEqual(complaints, []);
    const keys = [...casino.printed.matchAll(/(?:AURORA|PALCO) (\S{43})/g)].map(([, key]) => key as string);
    t.is(keys.length, 2);
    const told = `${await page.content()}${await (await fetch(new URL("/api/provider", casino.provider))).text()}`;
    for (const key of keys) t.false(told.includes(key));
    await page.goto(new URL("/play/?game=neon-sevens", casino.provider).href);
    await page.getByText("Open it again from the lobby").waitFor();
    await page.context().close();
  },
);
