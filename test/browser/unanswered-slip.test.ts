/**
 * The texts of the sportsbook's page about a slip whose bet the wallet did not answer. The page never states an outcome
 * that is not known.
 */
import test from "ava";
import { type Casino, openCasino } from "./casino.ts";
import { Sportsbook } from "./sportsbook-page.ts";

let casino: Casino;

test.before(async () => {
  // The refund of a bet that the wallet never got is not final before this time is over.
  casino = await openCasino({ REFUND_QUIET_PERIOD_MS: "2000" });
});
test.after.always(() => casino?.close());

/** The maximum wait for a refund, because the pauses between the service's attempts grow. */
const RESENT_MS = 90_000;
const UNKNOWN = "Your wallet did not answer. All money that was taken is being returned.";
const RETURNED = "The bet was not taken. Everything that was taken for it is back in your wallet.";

for (const [i, fault] of ["Error 500", "Applied, then 500"].entries())
  test.serial(
    `after the wallet's fault "${fault}" the slip shows that its money is being returned, and then that it has been returned`,
    async (t) => {
      const book = await Sportsbook.open(casino, "Ana", "BRL");
      const opening = await book.tab.balance();
      await book.odds(`copa-austral-${i + 1}:result:0:home`).click();
      await book.stake("10");
      await book.tab.setWallet(fault);
      await book.place.click();
      await book.frame.locator("#slip").getByText(UNKNOWN).waitFor();
      t.is(await book.frame.getByText("your money was not used").count(), 0);
      await book.tab.setWallet("Healthy");
      await book.frame.locator("#slip").getByText(RETURNED).waitFor({ timeout: RESENT_MS });
      await book.tab.untilBalance(opening);
      t.is(await book.tab.balance(), opening);
      await book.frame.locator("#balance").filter({ hasText: opening }).waitFor();
      t.is(await book.frame.locator("#balance").textContent(), opening);
      await book.tab.close();
    },
  );

test.serial("My bets shows a bet whose money is being returned first as open, and then as not accepted", async (t) => {
  const book = await Sportsbook.open(casino, "Ana", "MXN");
  await book.odds("copa-austral-1:result:0:home").click();
  await book.stake("10");
  await book.tab.setWallet("Applied, then 500");
  await book.place.click();
  await book.frame.locator("#slip").getByText(UNKNOWN).waitFor();
  await book.frame.getByRole("link", { name: "My bets" }).first().click();
  const bet = book.frame.locator(".bet").first();
  await bet.locator(".status").getByText("Being returned").waitFor();
  await book.tab.setWallet("Healthy");
  await bet.waitFor({ state: "detached", timeout: RESENT_MS });
  await book.frame.locator('input[name="bets"][value="settled"]').check();
  await bet.locator(".status").getByText("Not taken").waitFor();
  t.is(await bet.locator(".problem").textContent(), RETURNED);
  await book.tab.close();
});
