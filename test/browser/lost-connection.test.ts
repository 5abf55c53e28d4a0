/** The behaviour of the sportsbook's page without a connection, and without a balance. */
import test from "ava";
import { type Casino, openCasino } from "./casino.ts";
import { fits } from "./fits.ts";
import { Sportsbook } from "./sportsbook-page.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

test.serial(
  "without a connection, the odds are locked and no bet can be placed; when the connection is back, the page reads the odds anew",
  async (t) => {
    const book = await Sportsbook.open(casino, "Ana", "BRL");
    const chosen = book.odds("copa-austral-1:result:0:home");
    const other = book.odds("copa-austral-1:result:0:away");
    await chosen.click();
    await book.stake("10");
    const context = book.tab.page.context();
    await context.setOffline(true);
    await book.frame.getByText("Odds are locked until the connection is back.").waitFor();
    t.true(await other.isDisabled());
    t.true(await book.place.isDisabled());
    await context.setOffline(false);
    await book.frame.getByText("Odds are locked until the connection is back.").waitFor({ state: "detached" });
    t.false(await other.isDisabled());
    await book.place.click();
    await book.frame.getByText("Bet placed").first().waitFor();
    await book.tab.close();
  },
);

test.serial(
  "a balance that cannot be read is requested at growing intervals, and the player can try again",
  async (t) => {
    const book = await Sportsbook.open(casino, "Ana", "MXN");
    let asked = 0;
    await book.tab.page.context().route("**/api/balance", (route) => {
      asked += 1;
      return route.fulfill({ status: 503, json: { error: { code: "WALLET_UNAVAILABLE", message: "busy" } } });
    });
    const began = performance.now();
    await book.tab.page.reload();
    const again = book.frame.getByRole("button", { name: "Try again" });
    await again.waitFor();
    while (asked < 4) await book.tab.page.waitForTimeout(50);
    // The shortest pauses are 0.75 s, 1.5 s and 3 s.
    const took = performance.now() - began;
    t.true(took >= 5_250, `4 questions in ${took} ms`);
    await book.tab.page.setViewportSize({ width: 360, height: 740 });
    await fits(t, book.inner(), "the sportsbook without a balance");
    // On a phone only the site's bar shows the balance. On a wide screen the sportsbook shows it, too.
    await book.tab.page.setViewportSize({ width: 1440, height: 900 });
    await again.waitFor();
    const question = book.tab.page.waitForRequest("**/api/balance");
    await again.click();
    await question;
    await book.tab.page.context().unroute("**/api/balance");
    await again.waitFor({ state: "detached" });
    await book.frame.locator("#balance").filter({ hasText: /\d/ }).waitFor();
    await book.tab.close();
  },
);
