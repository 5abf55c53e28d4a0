/** The games behind connectors: the simulated Hub88 and Evolution, real connectors, and Backstage with each call in three steps. */
import test, { type ExecutionContext } from "ava";
import { accessible } from "../accessible.ts";
import { type Casino, openCasino, Tab } from "../casino.ts";
import { fits } from "../fits.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

/** The texts of the three steps of the newest call whose title has this text. */
async function steps(tab: Tab, title: string): Promise<readonly string[]> {
  const call = tab.game.locator(".call", { has: tab.page.locator("b", { hasText: title }) }).first();
  await call.waitFor();
  return call.locator(".translation section").allTextContents();
}

async function fitsEverywhere(t: ExecutionContext, tab: Tab, where: string): Promise<void> {
  for (const width of [390, 768, 1280]) {
    await tab.page.setViewportSize({ width, height: 900 });
    for (const frame of tab.page.frames()) {
      await fits(t, frame, `${where} at ${width} px`);
      await accessible(t, frame, `${where} at ${width} px`);
    }
  }
}

test.serial("a slot of Hub88 plays by Hub88's own API, and shows what became of each call", async (t) => {
  const tab = await Tab.open(casino);
  await tab.logIn("Ana", "BRL");
  await tab.page.getByRole("heading", { name: "Through connectors" }).waitFor();
  t.is(await tab.page.getByText("Hub88 (simulated)").count(), 2);
  await tab.play("Harbor Lights");
  await tab.spinButton.waitFor();
  await tab.spin();
  const bet = await tab.callback(({ action }) => action === "bet");
  const [upstream = "", connector = "", wallet = ""] = await steps(tab, "POST /transaction/bet");
  t.regex(upstream, /x-hub88-signature[A-Za-z0-9+/=]{300,}/);
  t.regex(upstream, /"amount":100000,/);
  t.regex(upstream, /"status":"RS_OK"/);
  t.regex(connector, /PlaceBet.*"amount_minor":"100".*TRANSACTION_STATUS_SUCCESS/);
  t.notRegex(connector, /"session_id":"[^"]{8,}"/, "a session id is not shown whole");
  t.true(wallet.includes(`"tx_id":"${bet.tx}"`));
  t.regex(wallet, /"ok":true/);
  // A lost round ends its bet with a win of 0, which the wallet never sees.
  const [win = "", paid = ""] = await steps(tab, "POST /transaction/win");
  t.regex(win, /"reference_transaction_uuid":"bet-/);
  t.regex(paid, /PayWin/);
  await fitsEverywhere(t, tab, "a slot of Hub88");

  await tab.page.setViewportSize({ width: 1280, height: 900 });
  await tab.game.getByRole("button", { name: "Repeat last request" }).click();
  await tab.game.locator(".said").filter({ hasText: "SUCCESS" }).waitFor();
  await tab.game.getByRole("button", { name: "Same id, other amount" }).click();
  await tab.game.locator(".said").filter({ hasText: "RS_ERROR_DUPLICATE_TRANSACTION" }).waitFor();
  await tab.close();
});

test.serial("a table of Evolution rotates its sid, takes a chip, gives one back, and settles each bet", async (t) => {
  const tab = await Tab.open(casino);
  await tab.logIn("Ana", "CLP");
  await tab.play("Andromeda Roulette");
  await tab.game
    .locator(".clock strong")
    .filter({ hasText: /Place your bets: 1\d|20/ })
    .waitFor();
  const [checked = ""] = await steps(tab, "POST /one/check");
  t.regex(checked, /"sid":"[\w-]{32}"/);
  for (const spot of ["red", "black", "0"]) {
    await tab.game.locator(`[data-spot="${spot}"]`).click();
    await tab.game.locator(`[data-spot="${spot}"] .stake.placed`).waitFor();
  }
  const [debit = "", placed = ""] = await steps(tab, "POST /one/debit");
  t.regex(debit, /"amount":200[,}]/, "pesos have no decimals");
  t.regex(placed, /"amount_minor":"200"/);
  await tab.game.getByRole("button", { name: "Odd" }).click();
  await tab.game.locator('[data-spot="odd"] .stake').waitFor();
  await tab.game.getByRole("button", { name: "Take the last chip back" }).click();
  t.is((await tab.callback(({ action }) => action === "refund")).verdict, "Accepted");
  t.regex((await steps(tab, "POST /one/cancel"))[1] ?? "", /Reverse/);
  await tab.game.locator(".clock p").filter({ hasText: "You win $" }).waitFor();
  t.is((await tab.callback(({ action }) => action === "win")).verdict, "Accepted");
  const [, settled = ""] = await steps(tab, "POST /one/credit");
  t.regex(settled, /"settles":true/);
  await fitsEverywhere(t, tab, "a table of Evolution");
  await tab.close();
});

test.serial("a silent wallet makes a bet of Hub88 unclear: the player has it given back by a rollback", async (t) => {
  const tab = await Tab.open(casino);
  await tab.logIn("Bruno", "USD");
  await tab.play("Jungle Drums");
  await tab.spinButton.waitFor();
  await tab.setWallet("Silent");
  await tab.spinButton.click();
  await tab.game.getByText("Your casino has not answered").waitFor();
  t.regex((await steps(tab, "POST /transaction/bet"))[0] ?? "", /RS_ERROR_UNKNOWN/);
  await tab.setWallet("Healthy");
  await tab.game.getByRole("button", { name: "Give it back" }).click();
  const [rollback = "", reversed = ""] = await steps(tab, "POST /transaction/rollback");
  t.regex(rollback, /RS_OK/);
  t.regex(reversed, /Reverse/);
  await tab.close();
});
