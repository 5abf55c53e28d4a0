import test from "ava";
import { launchChromium } from "../../testbed/browser/chromium.ts";
import { startSandbox } from "../../testbed/stage/sandbox.ts";

test("npm start prints the console's address and a viewer's key, which work at once, and its robots fill Today", async (t) => {
  t.timeout(180_000);
  const sandbox = await startSandbox({});
  t.teardown(() => sandbox.close());
  const browser = await launchChromium();
  t.teardown(() => browser.close());
  const printed = (name: string): string => new RegExp(`${name} +(\\S+)`).exec(sandbox.printed)?.[1] ?? "";
  const page = await browser.newPage({ locale: "en-GB" });
  page.setDefaultTimeout(30_000);
  await page.goto(printed("Back office"));
  await page.getByLabel("Admin key").fill(printed("Back office key"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Viewer", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Merchants" }).click();
  await page.getByRole("link", { name: "casa-luna-brl" }).waitFor();

  const site = await browser.newPage({ locale: "en-GB" });
  site.setDefaultTimeout(30_000);
  await site.goto(sandbox.url);
  await site.getByRole("button", { name: "Play 1000 rounds" }).click();
  // The robots play at a limited rate, so the test waits for only a part of the rounds.
  await site.getByText(/^([6-9]\d|1\d\d) of 1000 rounds/).waitFor({ timeout: 60_000 });
  t.true(await site.getByRole("button", { name: "Play 1000 rounds" }).isDisabled());
  await page.getByRole("link", { name: "Today" }).click();
  const bets = page.getByRole("table", { name: "GGR of today by currency" }).locator("tbody tr td:nth-child(2)");
  await bets.first().waitFor();
  const sums = async () => (await bets.allInnerTexts()).map(Number);
  for (let tries = 0; tries < 100 && (await sums()).some((sum) => sum === 0); tries++) {
    await page.getByRole("button", { name: "Read again" }).click();
    await page.waitForTimeout(500);
  }
  t.deepEqual(
    (await sums()).map((sum) => sum > 0),
    new Array<boolean>(7).fill(true),
    "every currency has bets",
  );
});
