/** The behaviour of the betslip when odds change, for each of the player's habits. */
import test, { type ExecutionContext } from "ava";
import { accessible } from "../accessible.ts";
import { type Casino, openCasino } from "../casino.ts";
import { fits } from "../fits.ts";
import { type Placed, Sportsbook } from "../sportsbook-page.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(casino.sportsbook + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

async function setOdds(t: ExecutionContext, selection: string, odds: number): Promise<void> {
  t.deepEqual(await (await post("/control/odds", { selection, odds })).json(), { set: true });
}

const habit = (book: Sportsbook) => book.frame.getByLabel("When odds change");
const taken = (book: Sportsbook) => book.frame.locator("#slip .line .taken b");
const stake = (book: Sportsbook) => book.frame.locator("#slip input[data-input]");

test.serial(
  "better odds are accepted without a question, the player is asked about worse odds, and the stake does not change",
  async (t) => {
    const id = "liga-do-sol-4:result:0:home";
    await setOdds(t, id, 250);
    const book = await Sportsbook.open(casino, "Ana", "BRL");
    await book.odds(id).filter({ hasText: "2.50" }).click();
    t.is(await habit(book).inputValue(), "better", "for who chose nothing");
    await stake(book).pressSequentially("12,5");

    await setOdds(t, id, 270);
    await taken(book).filter({ hasText: "2.70" }).waitFor();
    await book.frame.getByText("The odds went up. Your betslip has the better odds.").waitFor();
    t.is(await book.frame.locator("#slip .line s").textContent(), "2.50");
    t.is(await stake(book).inputValue(), "12,5");
    t.true(await stake(book).evaluate((input) => input === document.activeElement), "the player goes on typing");
    t.true(await book.place.isEnabled());
    await stake(book).pressSequentially("0");
    t.is(await book.promised(), "R$\u00a033,75");
    await accessible(t, book.inner(), "odds that were accepted");

    await setOdds(t, id, 240);
    await book.frame.getByText("Odds changed", { exact: true }).waitFor();
    t.is(await book.place.count(), 0, "nothing can be placed at worse odds");
    t.is(await stake(book).inputValue(), "12,50");
    await accessible(t, book.inner(), "odds that wait for the player");
    await book.frame.getByRole("button", { name: "Accept new odds" }).click();
    await book.place.click();
    const [placed] = await book.heard<Placed>("onBetPlaced");
    t.is(placed?.stake, 1_250);
    t.regex((await book.frame.locator(".receipt").textContent()) ?? "", /Potential returnR\$\s30,00/);
    await book.tab.close();
  },
);

test.serial("the setting for changes of odds is stored for one player only", async (t) => {
  const id = "liga-do-sol-5:result:0:home";
  await setOdds(t, id, 300);
  const book = await Sportsbook.open(casino, "Bruno", "BRL");
  await book.odds(id).filter({ hasText: "3.00" }).click();
  await book.stake("10");
  await setOdds(t, id, 280);
  await book.frame.getByRole("button", { name: "Accept new odds" }).waitFor();
  await habit(book).selectOption("Accept any odds");
  await book.place.waitFor();
  await book.frame.getByText("Your betslip has the new odds, as you chose.").waitFor();
  await setOdds(t, id, 260);
  await taken(book).filter({ hasText: "2.60" }).waitFor();
  t.is(await stake(book).inputValue(), "10");

  await habit(book).selectOption("Always ask me");
  await setOdds(t, id, 290);
  await book.frame.getByRole("button", { name: "Accept new odds" }).waitFor();

  const chosen = async (player: string) => {
    await book.tab.page.request.post(`${casino.url}/api/login`, {
      data: { merchant: "casa-luna-brl", player: `${player}-brl` },
    });
    await book.tab.page.reload();
    await book.frame.locator("#balance").filter({ hasNotText: "…" }).waitFor();
    const kept = await book.frame.locator("#slip .line").count();
    if (kept === 0) await book.odds(id).click();
    return [await habit(book).inputValue(), kept];
  };
  t.deepEqual(await chosen("bruno"), ["ask", 1], "after a reload, with the open slip");
  t.deepEqual(await chosen("ana"), ["better", 0], "another player in the same browser, without the other's slip");
  t.deepEqual(await chosen("bruno"), ["ask", 0]);
  await book.tab.page.setViewportSize({ width: 360, height: 780 });
  await book.frame
    .getByRole("button", { name: /Betslip/ })
    .first()
    .click();
  await book.frame.locator("#slip.open").waitFor();
  await fits(t, book.inner(), "the habit at 360 px");
  await accessible(t, book.inner(), "the habit at 360 px");
  await book.tab.close();
});

test.serial(
  "a bet is placed at the present odds, if the player's setting accepts the change from the odds that were shown",
  async (t) => {
    const book = await Sportsbook.open(casino, "Ana", "PEN");
    const asked = book.tab.page.waitForRequest((request) => request.headers()["x-sportsbook-session"] !== undefined);
    await book.tab.page.getByRole("button", { name: "refreshBalance" }).click();
    const session = (await asked).headers()["x-sportsbook-session"] ?? "";
    const id = "copa-austral-5:result:0:home";
    await setOdds(t, id, 200);
    let slips = 0;
    const place = async (accept: string, odds: number) => {
      const body = { slip_id: `slip-${++slips}-0`, accept, bets: [{ stake_minor: 100, selections: [{ id, odds }] }] };
      const reply = await post("/api/place", body, { "x-sportsbook-session": session });
      const { bets, error } = (await reply.json()) as {
        bets?: { legs: { odds: number }[] }[];
        error: { code: string };
      };
      return bets?.[0]?.legs[0]?.odds ?? error.code;
    };
    t.deepEqual([await place("better", 190), await place("better", 210)], [200, "ODDS_CHANGED"]);
    t.deepEqual([await place("any", 190), await place("any", 210)], [200, 200]);
    t.deepEqual([await place("ask", 190), await place("ask", 210)], ["ODDS_CHANGED", "ODDS_CHANGED"]);
    t.is(await place("ask", 200), 200);
    t.is(await place("always", 200), "VALIDATION_ERROR");
    await book.tab.close();
  },
);
