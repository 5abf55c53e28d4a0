/** What the merchant's site does for the sportsbook: another language, and a sportsbook that is not there. */
import test from "ava";
import { type Casino, openCasino } from "../casino.ts";
import { Sportsbook } from "../sportsbook-page.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

test.serial("an open slip stays when the site's language changes, and a placed one does not come back", async (t) => {
  const book = await Sportsbook.open(casino, "Ana", "BRL");
  const { page } = book.tab;
  await book.odds("copa-austral-1:result:0:home").click();
  await book.odds("liga-do-sol-1:result:0:home").click();
  await book.stake("12,50");
  const lines = book.frame.locator("#slip .line");
  const names = await lines.locator("small").allTextContents();
  t.is(names.length, 2);
  await Promise.all([page.waitForEvent("load"), page.locator("#language select").selectOption("pt")]);
  await book.frame.getByRole("heading", { name: "Cupom" }).waitFor();
  await lines.nth(1).waitFor();
  t.deepEqual(
    await lines.locator("small").allTextContents(),
    names.map((name) => name.replace(" v ", " x ")),
  );
  t.is(await book.frame.locator("#slip input[data-input]").last().inputValue(), "12,50");
  t.deepEqual(await book.heard("onBetslipChanged"), [{ count: 2 }]);

  await book.frame.getByRole("button", { name: "Apostar" }).click();
  await book.frame.getByText("Aposta realizada").first().waitFor();
  await page.reload();
  await book.heard("onAppInitialized");
  await book.frame.locator("#slip .slip-empty").waitFor();
  await book.tab.close();
});

test.serial("if the sportsbook can't be reached, the site says so, and the player can try again", async (t) => {
  const book = await Sportsbook.open(casino, "Ana", "MXN");
  const { page } = book.tab;
  await page.context().route(/\?brand=/, (route) => route.abort());
  await page.reload();
  await page.getByText("The sportsbook does not answer. Is it running?").waitFor();
  t.deepEqual(
    (await book.heard<{ code: string }>("onError")).map(({ code }) => code),
    ["UNREACHABLE"],
  );
  await page.context().unroute(/\?brand=/);
  await page.getByRole("button", { name: "Try again" }).click();
  await book.frame.locator("#balance").filter({ hasNotText: "…" }).waitFor();
  t.is(await page.getByText("The sportsbook does not answer.").count(), 0);
  await book.tab.close();
});
