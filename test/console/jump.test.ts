/** Ctrl+K: a dialog that leads to pages, merchants, transactions, rounds and players. */

import test from "ava";
import { accessible } from "../browser/accessible.ts";
import { fits } from "../browser/fits.ts";
import { type Console, FileScope, openConsole } from "./stage.ts";

const scope = new FileScope();
let stage: Console;

test.before(async () => {
  stage = await openConsole(scope);
  const { world } = stage;
  await world.request("bet", { sessionId: await world.session(), txId: "Bet-4711", roundId: "round-9" });
});
test.after.always(scope.end);

test.serial("Ctrl+K leads to a page by a part of its name, and Enter opens the first place", async (t) => {
  const page = await stage.page(t, "support", "today");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Go to a page or a record" });
  await dialog.waitFor();
  await page.keyboard.type("wallet h");
  await dialog.getByRole("link", { name: "Wallet health" }).waitFor();
  t.regex(await dialog.getByRole("link").first().innerText(), /^Wallet health\s+Page$/);
  await accessible(t, page.mainFrame(), "the dialog of places");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Wallet health" }).waitFor();
  t.is(await dialog.count(), 0);
});

test.serial(
  "a merchant is found by a part of its code, and a transaction, a round or a player by the beginning",
  async (t) => {
    const page = await stage.page(t, "support", "rounds");
    await page.getByRole("button", { name: "Go to" }).click();
    const dialog = page.getByRole("dialog");
    const box = dialog.getByRole("searchbox");
    await box.fill("CLP");
    await dialog.getByRole("link", { name: "shop-clp" }).waitFor();
    await box.fill("bet-47");
    await dialog.getByRole("link", { name: "Bet-4711" }).click();
    await page.waitForURL(/#\/transactions\?q=/);
    await page.getByRole("link", { name: "ACME:Bet-4711" }).first().waitFor();
    await page.keyboard.press("Control+k");
    await box.fill("round-9");
    await dialog.getByRole("link", { name: "ACME:Bet-4711 Round" }).waitFor();
    await page.keyboard.press("ArrowDown");
    t.is(await page.evaluate(() => document.activeElement?.textContent?.trim()), "ACME:Bet-4711 Round");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 2, name: "What happened" }).waitFor();
  },
);

test.serial("a viewer finds pages and merchants, and no player's transaction is asked for", async (t) => {
  const page = await stage.page(t, "viewer", "today");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("searchbox").fill("bet-47");
  await dialog.getByText("Nothing fits").waitFor();
  await page.waitForTimeout(500);
  t.deepEqual(
    asked.filter((url) => url.endsWith("SearchTransactions")),
    [],
  );
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

for (const [lang, name, width] of [
  ["pt", "saude", 390],
  ["es", "salud", 390],
  ["en", "health", 1920],
] as const)
  test.serial(`in ${lang} a page is found without its accents, and the dialog fits into ${width} px`, async (t) => {
    const page = await stage.page(t, "owner", "nowhere", { viewport: { width, height: 844 } });
    await page.goto(`${stage.origin}/console/?lang=${lang}#/today`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("searchbox").fill(name);
    await dialog.getByRole("link").first().waitFor();
    await fits(t, page.mainFrame(), lang);
    await accessible(t, page.mainFrame(), lang);
  });
