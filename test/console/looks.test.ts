/** Each page fits and is accessible, in both looks, from narrow to wide windows. */
import test from "ava";
import { accessible } from "../browser/accessible.ts";
import { fits } from "../browser/fits.ts";
import { PAGES } from "./pages.ts";
import { type Console, FileScope, MERCHANT, openConsole } from "./stage.ts";

const scope = new FileScope();
let stage: Console;

test.before(async () => {
  stage = await openConsole(scope);
  const { world } = stage;
  const sessionId = await world.session();
  await world.request("bet", { sessionId, txId: "b1" });
  await world.request("win", { sessionId, txId: "w1" });
  world.wallet.setFault({ kind: "http_500" });
  await world.request("bet", { sessionId, txId: "unknown" });
  world.wallet.setFault({ kind: "none" });
  await stage.age("unknown");
});
test.after.always(scope.end);

for (const colorScheme of ["dark", "light"] as const)
  for (const width of [360, 1280, 1920])
    test.serial(`at ${width} px in the ${colorScheme} look every page fits and is accessible`, async (t) => {
      t.timeout(300_000);
      const options = { colorScheme, viewport: { width, height: 900 } };
      const out = await stage.tab(t, options);
      await out.goto(`${stage.origin}/console/`);
      await out.getByLabel("Admin key").waitFor();
      await fits(t, out.mainFrame(), "sign-in");
      await accessible(t, out.mainFrame(), "sign-in");
      const page = await stage.page(t, "owner", "", options);
      await page.locator("h1").waitFor();
      for (const { address, ready } of PAGES) {
        await page.goto(`${stage.origin}/console/#/${address}`);
        await page.getByText(ready).first().waitFor();
        await fits(t, page.mainFrame(), address);
        await accessible(t, page.mainFrame(), address);
      }
      if (width === 360) {
        // The menu opens where the reader is, and the next page begins at its top.
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
        t.true((await page.evaluate(() => scrollY)) > 0, "the page is longer than the window");
        await page.getByRole("button", { name: "Menu" }).click();
        const reports = page.getByRole("link", { name: "Reports" });
        await reports.waitFor();
        const box = await reports.boundingBox();
        t.true(box !== null && box.y >= 0 && box.y + box.height <= 900, JSON.stringify(box));
        await accessible(t, page.mainFrame(), "menu");
        await reports.focus();
        await page.keyboard.press("Escape");
        await reports.waitFor({ state: "hidden" });
        const menu = page.getByRole("button", { name: "Menu", expanded: false });
        t.true(await menu.evaluate((button) => button === document.activeElement), "the focus is on the menu's button");
        await page.keyboard.press("Enter");
        await reports.click();
        await page.getByRole("heading", { name: "Reports" }).waitFor();
        t.is(await page.evaluate(() => scrollY), 0);
        t.false(await reports.isVisible(), "the menu is closed");
      }
      await page.goto(`${stage.origin}/console/#/transaction?merchant=${MERCHANT}&tx=ACME%3Aunknown`);
      await page.getByRole("button", { name: "Close by hand" }).click();
      await page.getByRole("dialog").waitFor();
      await fits(t, page.mainFrame(), "dialog");
      await accessible(t, page.mainFrame(), "dialog");
    });
