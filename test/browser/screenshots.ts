/**
 * `npm run screenshots`: writes the README's three pictures to docs/pictures/. The sandbox runs on free ports, with the
 * same matches each time. Prints the size of each picture, and exits with 1 if a picture is too large for the README.
 */
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type Casino, openCasino, Tab } from "./casino.ts";

const FOLDER = "docs/pictures";
const BYTES_MAX = 200_000;
const SIZE = { width: 1440, height: 900 };

const casino = await openCasino();
mkdirSync(FOLDER, { recursive: true });
try {
  await merchantsPage(casino);
  await sportsbook(casino);
  await referencePage(casino);
} finally {
  await casino.close();
}

async function write(page: Page, name: string): Promise<void> {
  const path = join(FOLDER, `${name}.jpg`);
  await page.screenshot({ path, type: "jpeg", quality: 80 });
  const bytes = statSync(path).size;
  console.log(`${path}  ${Math.round(bytes / 1_000)} kB`);
  if (bytes > BYTES_MAX) process.exitCode = 1;
}

/**
 * The picture of a slot in the merchant's page, after a few rounds. Beside it are the callbacks that reached the
 * wallet.
 */
async function merchantsPage(casino: Casino): Promise<void> {
  const tab = await Tab.open(casino, SIZE);
  await tab.logIn("Ana", "BRL");
  await tab.play("Neon Sevens");
  await tab.spinButton.waitFor();
  for (let rounds = 0; rounds < 40; rounds++) {
    await tab.spin();
    const shown = await tab.callbacks();
    if (rounds >= 4 && shown.slice(0, 2).some(({ action }) => action === "win")) break;
  }
  await write(tab.page, "merchant");
  await tab.close();
}

/** The sportsbook in the merchant's page, with two selections in the betslip. */
async function sportsbook(casino: Casino): Promise<void> {
  const tab = await Tab.open(casino, SIZE);
  await tab.logIn("Ana", "BRL");
  await tab.page.goto(`${casino.url}#/sportsbook`);
  const odds = tab.game.locator("main .odds");
  await odds.first().waitFor();
  await odds.nth(0).click();
  await odds.nth(8).click();
  await tab.game.locator("#slip input[data-input]").last().fill("10");
  await write(tab.page, "sportsbook");
  await tab.close();
}

/** The beginning of the API reference, with the credentials of the sandbox's merchant, and the first operations. */
async function referencePage(casino: Casino): Promise<void> {
  const context = await casino.browser.newContext({ viewport: SIZE, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(casino.reference);
  await page.locator(".operation").first().waitFor();
  await write(page, "reference");
  await context.close();
}
