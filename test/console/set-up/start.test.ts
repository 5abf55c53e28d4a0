import test from "ava";
import type { Page } from "playwright-core";
import { launchChromium } from "../../../testbed/browser/chromium.ts";
import { startSandbox } from "../../../testbed/stage/sandbox.ts";

test("npm start prints the console's address and a viewer's key, which work at once, and its robots fill Today", async (t) => {
  t.timeout(300_000);
  const sandbox = await startSandbox({});
  t.teardown(() => sandbox.close());
  const browser = await launchChromium();
  t.teardown(() => browser.close());
  const printed = (name: string): string => new RegExp(`${name} +(\\S+)`).exec(sandbox.printed)?.[1] ?? "";
  const page = await browser.newPage({ locale: "en-GB" });
  page.setDefaultTimeout(60_000);
  await page.goto(printed("Back office"));
  await page.getByLabel("Admin key").fill(printed("Back office key"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Viewer", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Merchants" }).click();
  await page.getByRole("link", { name: "casa-luna-brl" }).waitFor();

  const site = await browser.newPage({ locale: "en-GB" });
  site.setDefaultTimeout(60_000);
  await site.goto(sandbox.url);
  await site.getByRole("button", { name: "Play 1000 rounds" }).click();
  // The robots play at a limited rate, so the test waits for only a part of the rounds.
  await site.getByText(/^([6-9]\d|1\d\d) of 1000 rounds/).waitFor({ timeout: 150_000 });
  t.true(await site.getByRole("button", { name: "Play 1000 rounds" }).isDisabled());
  await page.getByRole("link", { name: "Today" }).click();
  const bets = page.getByRole("table", { name: "GGR of today by currency" }).locator("tbody tr td:nth-child(2)");
  await bets.first().waitFor();
  const withBets = async () => (await bets.allInnerTexts()).filter((text) => Number(text) > 0).length;
  for (let tries = 0; tries < 200 && (await withBets()) < 7; tries++) {
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.waitForTimeout(500);
  }
  t.is(await withBets(), 7, "every currency has bets");
  t.is(await bets.count(), 7);
});

test("the preview of a brand is the sportsbook itself, in the looks that are chosen and not saved yet", async (t) => {
  t.timeout(180_000);
  const sandbox = await startSandbox({});
  t.teardown(() => sandbox.close());
  const browser = await launchChromium();
  t.teardown(() => browser.close());
  const origin = new URL(/Back office +(\S+)\n/.exec(sandbox.printed)?.[1] ?? "").origin;
  const page: Page = await browser.newPage({ locale: "en-GB", viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on("console", (line) => line.type() === "error" && complaints.push(line.text()));
  const session = await page.request.post(`${origin}/console/session`, {
    data: { key: sandbox.adminKey },
    headers: { origin },
  });
  t.is(session.status(), 200);
  await page.goto(`${origin}/console/#/brand?code=casa-luna`);
  const shown = (looks: string) => page.frameLocator(".preview iframe").locator(`html${looks}`).waitFor();
  await shown('[data-theme="lilac-plum"][data-layout="sidebar"][lang="en"]');
  await page.locator("main").getByLabel("Theme").selectOption("gold-navy");
  await page.getByLabel("Layout").selectOption("tile");
  await page.locator("main").getByLabel("Language").selectOption("es");
  await shown('[data-theme="gold-navy"][data-layout="tile"][lang="es"]');
  t.false(page.url().includes("sb-path"), "the sportsbook's route is not in the console's address");
  t.deepEqual(complaints, [], "the policy allows the preview");

  // A new brand, which the sportsbook does not know yet.
  await page.goto(`${origin}/console/#/brand`);
  await page.locator("main").getByLabel("Theme").selectOption("red-navy");
  await shown('[data-theme="red-navy"]');

  // A brand that does not allow the back office's page.
  await page.goto(`${origin}/console/#/brand?code=casa-luna`);
  await page.getByLabel("Pages that may show the sportsbook").fill("https://shop.example");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The change is stored").waitFor();
  // The sportsbook keeps a brand for some seconds.
  for (;;) {
    const { headers } = await page.request
      .fetch(`${sandbox.sportsbook}/?brand=casa-luna`)
      .then((reply) => ({ headers: reply.headers() }));
    if (!(headers["content-security-policy"] ?? "").includes(origin)) break;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  await page.reload();
  await page.getByText("The sportsbook can't be shown").waitFor();
  await page.getByRole("button", { name: "Add this page" }).click();
  t.true((await page.getByLabel("Pages that may show the sportsbook").inputValue()).includes(origin));
});
