/** The sandbox's sportsbook in a bare page of the merchant's, with the library's options and callbacks. */
import test from "ava";
import type { Page } from "playwright-core";
import type { SBRenderer, SBRendererOptions } from "../../web-renderer/sb-renderer.ts";
import { type Casino, openCasino } from "./casino.ts";

declare global {
  interface Window {
    /** The library's instance in the bare page. */
    embedded: SBRenderer;
  }
}

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

/** A page of the merchant's origin that is empty but for the library, with the jwt of a launch. */
async function barePage(): Promise<{ page: Page; token: string }> {
  const context = await casino.browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
  const login = { merchant: "casa-luna-brl", player: "ana-brl" };
  await context.request.post(`${casino.url}/api/login`, { data: login });
  const reply = await context.request.post(`${casino.url}/api/sportsbook/token`, { data: {} });
  const { token } = (await reply.json()) as { token: string };
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  // An answer that is no page of the site has the site's origin and policy, and no script.
  await page.goto(`${casino.url}/bare`);
  await page.evaluate(() => {
    document.body.innerHTML = '<div id="target"></div>';
    (document.getElementById("target") as HTMLElement).style.height = "90vh";
  });
  await page.addScriptTag({ url: `${casino.sportsbook}/sb-renderer.min.js` });
  return { page, token };
}

const initialize = (page: Page, options: Omit<SBRendererOptions, "target" | "brand_id">): Promise<void> =>
  page.evaluate((options) => {
    window.embedded ??= new window.SBRenderer();
    const target = document.getElementById("target") as HTMLElement;
    window.embedded.initialize({ target, brand_id: "casa-luna", ...options });
  }, options);

test.serial(
  "with hideBalance the header has no balance and no deposit button, until the page wants them",
  async (t) => {
    const { page, token } = await barePage();
    await initialize(page, { token, lang: "en", hideBalance: true });
    const frame = page.frameLocator("iframe");
    const banner = frame.getByRole("banner");
    const deposit = banner.getByRole("button", { name: "Deposit" });
    // The player's own bets show that the session is known.
    await frame.getByRole("link", { name: "My bets" }).first().click();
    await frame.getByText("No open bets").waitFor();
    t.is(await banner.locator("output").count(), 0);
    t.is(await deposit.count(), 0);
    t.is(await banner.getByRole("button", { name: "Log in" }).count(), 0);

    await page.evaluate(() => window.embedded.updateOptions({ hideBalance: false }));
    await deposit.waitFor();
    await banner.locator("output").filter({ hasText: /\d/ }).waitFor();
    await page.evaluate(() => window.embedded.updateOptions({ hideBalance: true }));
    await deposit.waitFor({ state: "detached" });

    // Who cannot pay a betslip still gets to the deposit from there.
    await frame.getByRole("link", { name: "Sports" }).first().click();
    await frame.locator('main .odds[data-id="liga-do-sol-1:result:0:home"]').first().click();
    await frame.locator("#slip input[data-input]").last().fill("99999");
    await frame.locator("#slip").getByRole("button", { name: "Deposit" }).waitFor();
    await page.context().close();
  },
);
