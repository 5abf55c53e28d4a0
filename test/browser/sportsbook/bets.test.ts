/** Bets in the frame: from the betslip to the wallet, and back to the player. */
import test from "ava";
import { type Casino, openCasino } from "../casino.ts";
import { type Placed, Sportsbook } from "../sportsbook-page.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

async function finish(event: string, home: number, away: number): Promise<unknown> {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ event, home, away }),
  };
  return (await fetch(`${casino.sportsbook}/control/finish`, init)).json();
}

for (const { currency, amount, stake, wire, match } of [
  { currency: "BRL", amount: "12,50", stake: 1_250, wire: 12.5, match: "copa-austral-1" },
  { currency: "CLP", amount: "2001", stake: 2_001, wire: 2_001, match: "copa-austral-2" },
]) {
  test.serial(
    `in ${currency} a bet in the frame is debited, the page gets its amount in minor units, and its win is credited`,
    async (t) => {
      const book = await Sportsbook.open(casino, "Ana", currency);
      await book.odds(`${match}:result:0:home`).click();
      t.deepEqual(await book.heard("onBetslipChanged"), [{ count: 1 }]);
      await book.stake(amount);
      const promised = await book.promised();
      const odds = Number(await book.odds(`${match}:result:0:home`).locator(".price").textContent());
      await book.place.click();
      await book.frame.getByText("Bet placed").first().waitFor();

      const [placed] = await book.heard<Placed>("onBetPlaced");
      const bet = await book.tab.callback(({ action }) => action === "bet");
      t.like(bet, { verdict: "Accepted", amount: wire, signed: true });
      t.is(placed?.stake, stake);
      t.is(bet.tx, `SPORTSBOOK:bet-${placed?.betIds[0]}`);
      t.is(
        await book.frame.locator("#balance").textContent(),
        await book.tab.balance(),
        "both show the wallet's balance",
      );

      t.deepEqual(await finish(match, 3, 0), { finished: true });
      const win = await book.tab.callback(({ action }) => action === "win");
      const scale = currency === "CLP" ? 1 : 100;
      const paid = Math.floor((stake * Math.round(odds * 100)) / 100);
      t.like(win, { verdict: "Accepted", amount: paid / scale });
      await book.heard<{ amount: number; currency: string }>(
        "onBalanceChange",
        ([change]) => change?.currency === currency && change.amount > paid,
      );
      await book.frame
        .locator("#balance")
        .filter({ hasText: await book.tab.balance() })
        .waitFor();

      await book.frame.getByRole("link", { name: "My bets" }).first().click();
      await book.heard("onRouteChange", ([path]) => path === "/bets");
      await book.frame.getByRole("radio", { name: /Settled/ }).check();
      const card = book.frame.locator(`[data-bet="${placed?.betIds[0]}"][data-status="won"]`);
      await card.waitFor();
      t.true((await card.textContent())?.includes(promised), "what the betslip promised is what was paid");
      await book.tab.close();
    },
  );
}

test.serial(
  "an accumulator is one bet; a void bet returns its stake as a win, and a lost bet pays nothing",
  async (t) => {
    const book = await Sportsbook.open(casino, "Bruno", "USD");
    for (const id of ["coast-premier-1:result:0:home", "liga-andina-1:result:0:away"]) await book.odds(id).click();
    t.true(await book.frame.getByRole("radio", { name: "Accumulator" }).isChecked());
    await book.stake("10");
    await book.place.click();
    const [accumulator] = await book.heard<Placed>("onBetPlaced");
    t.is(accumulator?.betIds.length, 1);

    await book.frame.getByRole("button", { name: "Done" }).click();
    await book.tab.page.getByRole("textbox", { name: "Route" }).fill("/event/coast-premier-1");
    await book.tab.page.getByRole("button", { name: "navigate" }).click();
    await book.odds("coast-premier-1:draw_no_bet:0:home").click();
    await book.stake("20");
    await book.place.click();
    const [single] = await book.heard<Placed>("onBetPlaced", ([placed]) => placed?.stake === 2_000);

    await finish("coast-premier-1", 1, 1);
    t.like(await book.tab.callback(({ action }) => action === "win"), { verdict: "Accepted", amount: 20 });
    await finish("liga-andina-1", 0, 1);
    await book.frame.getByRole("link", { name: "My bets" }).first().click();
    await book.frame.getByRole("radio", { name: /Settled/ }).check();
    await book.frame.locator(`[data-bet="${single?.betIds[0]}"][data-status="void"]`).waitFor();
    await book.frame.locator(`[data-bet="${accumulator?.betIds[0]}"][data-status="lost"]`).waitFor();
    t.deepEqual(
      (await book.tab.callbacks()).map(({ action }) => action).filter((action) => action !== "balance"),
      ["win", "bet", "bet"],
    );
    await book.tab.close();
  },
);

test.serial(
  "a player with too little money deposits on the merchant's page, and the sportsbook shows the new balance; a blocked player gets a message",
  async (t) => {
    const poor = await Sportsbook.open(casino, "Carla", "BRL");
    await poor.odds("liga-do-sol-1:result:0:home").click();
    await poor.stake("50");
    await poor.frame.getByText("Your balance does not cover this stake.").waitFor();
    t.true(await poor.place.isDisabled());
    await poor.frame.locator("#slip").getByRole("button", { name: "Deposit" }).click();
    await poor.heard("onRecharge");
    await poor.heard<{ amount: number }>("onBalanceChange", ([change]) => change?.amount === 50_500);
    await poor.place.click();
    await poor.heard<Placed>("onBetPlaced", ([placed]) => placed?.stake === 5_000);
    await poor.tab.close();

    const blocked = await Sportsbook.open(casino, "Diego", "BRL");
    await blocked.odds("liga-do-sol-1:result:0:home").click();
    await blocked.stake("5");
    await blocked.place.click();
    await blocked.frame.getByText("Your account does not take bets at the moment.").waitFor();
    t.is(await blocked.count("onBetPlaced"), 0);
    t.is((await blocked.tab.callback(({ action }) => action === "bet")).verdict, "PLAYER_BLOCKED");
    await blocked.tab.close();
  },
);

test.serial(
  "if the wallet's reply is lost the slip fails, the page shows this, and the stake is refunded",
  async (t) => {
    const book = await Sportsbook.open(casino, "Bruno", "COP");
    const before = await book.tab.balance();
    await book.odds("liga-andina-3:result:0:home").click();
    await book.stake("7000");
    await book.tab.setWallet("Reply lost");
    await book.place.click();
    t.is((await book.tab.callback(({ action }) => action === "bet")).verdict, "No answer");
    t.not(await book.tab.balance(), before, "the money has moved");
    await book.tab.setWallet("Healthy");
    t.is(
      (await book.tab.callback(({ action, verdict }) => action === "refund" && verdict === "Accepted")).amount,
      7_000,
    );
    await book.frame.getByText("The bet was not taken").waitFor();
    await book.frame.locator("#balance").filter({ hasText: before }).waitFor();
    t.is(await book.tab.balance(), before);
    t.is(await book.count("onBetPlaced"), 0);
    await book.tab.close();
  },
);

test.serial(
  "if the reply to a slip is lost, the page sends the same slip again, even after the odds have changed, so it is placed once",
  async (t) => {
    const book = await Sportsbook.open(casino, "Ana", "ARS");
    const { page } = book.tab;
    const places: { slip_id: string; bets: { stake_minor: number }[] }[] = [];
    let replies = "lost";
    await page.route("**/api/place", async (route) => {
      places.push(route.request().postDataJSON());
      const response = await route.fetch();
      return replies === "lost" ? route.abort() : route.fulfill({ response });
    });
    const selection = "liga-do-sol-2:result:0:away";
    const odds = Math.round(100 * Number(await book.odds(selection).locator(".price").textContent()));
    await book.odds(selection).click();
    await book.stake("500");
    await book.place.click();
    await book.frame.getByText("nobody knows whether the bet was placed").waitFor();
    await page.request.post(`${casino.sportsbook}/control/odds`, { data: { selection, odds: odds - 1 } });
    await book.frame.getByRole("button", { name: "Accept new odds" }).click();
    replies = "told";
    await book.place.click();
    await book.frame.getByText("Bet placed").first().waitFor();
    t.is(places.length, 2);
    t.deepEqual(places[1], places[0]);
    await book.frame.getByRole("button", { name: "Done" }).click();
    t.is(await book.frame.locator("#slip .line").count(), 0, "the selection was placed");

    // The first slip was never placed, and its repeat is refused. Then the current content of the betslip is placed.
    places.length = 0;
    await page.unroute("**/api/place");
    await page.route("**/api/place", (route) => {
      places.push(route.request().postDataJSON());
      if (places.length === 1)
        return route.fulfill({ status: 500, json: { error: { code: "INTERNAL_ERROR", message: "" } } });
      if (places.length === 2)
        return route.fulfill({ status: 409, json: { error: { code: "ODDS_CHANGED", message: "" } } });
      return route.continue();
    });
    await book.odds("liga-do-sol-4:result:0:home").click();
    await book.stake("500");
    await book.place.click();
    await book.frame.getByText("nobody knows whether the bet was placed").waitFor();
    await book.stake("700");
    await book.place.click();
    await book.heard<Placed>("onBetPlaced", ([placed]) => placed?.stake === 70_000);
    t.deepEqual(places[1], places[0]);
    t.is(places[2]?.bets[0]?.stake_minor, 70_000);
    t.not(places[2]?.slip_id, places[0]?.slip_id);
    t.is((await book.tab.callbacks()).filter(({ action }) => action === "bet").length, 2);
    await book.tab.close();
  },
);
