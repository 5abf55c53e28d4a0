/** The games of the sandbox that say what their money is for, and when a round ends: as players, wallet and support see it. */
import test, { type ExecutionContext } from "ava";
import { accessible } from "../accessible.ts";
import { type Casino, openCasino, Tab } from "../casino.ts";
import { fits } from "../fits.ts";

const FEATURES_MAX = 20;
const SPINS_MAX = 40;
let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

/** The bodies of the bets and wins that the list of callbacks shows, newest first. */
const bodies = async (tab: Tab): Promise<Record<string, unknown>[]> =>
  (
    await tab.page
      .locator(".event")
      .evaluateAll((events) =>
        events.map(
          (event) =>
            [...event.querySelectorAll("dt")].find((term) => term.textContent === "body")?.nextElementSibling
              ?.textContent ?? "{}",
        ),
      )
  ).map((text) => JSON.parse(text) as Record<string, unknown>);

/** Waits until a callback has these fields, and returns its body. */
async function callback(tab: Tab, fields: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  for (let waited = 0; waited < 60_000; waited += 100) {
    const found = (await bodies(tab)).find((body) =>
      Object.entries(fields).every(([key, value]) => body[key] === value),
    );
    if (found !== undefined) return found;
    await tab.page.waitForTimeout(100);
  }
  throw new Error(`no callback has ${JSON.stringify(fields)}: ${JSON.stringify(await bodies(tab))}`);
}

/** The line of a transaction's ids on the wallet's page. */
async function told(tab: Tab, txId: unknown, currency: string): Promise<string> {
  const page = await tab.page.context().newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(casino.wallet);
  await page.locator("[data-player]").first().waitFor();
  await page.getByLabel("Currency").selectOption(currency);
  const text = (await page.locator(`[data-tx="${txId}"] .ids`).textContent()) ?? "";
  await page.close();
  return text;
}

async function playSlot(player: string, currency: string): Promise<Tab> {
  const tab = await Tab.open(casino);
  await tab.logIn(player, currency);
  await tab.play("Neon Sevens");
  await tab.spinButton.waitFor();
  return tab;
}

/** Presses a button of Backstage, which is open, and waits for the game's message. */
async function press(tab: Tab, name: string, message: string | RegExp): Promise<void> {
  await tab.game.getByRole("button", { name, exact: true }).click();
  await tab.game.locator(".said").filter({ hasText: message }).waitFor();
}

const openBackstage = (tab: Tab): Promise<void> => tab.game.getByRole("button", { name: "Backstage" }).click();

async function look(t: ExecutionContext, tab: Tab, where: string): Promise<void> {
  for (const width of [390, 1280]) {
    await tab.page.setViewportSize({ width, height: 844 });
    const frame = tab.page.frames().at(-1) ?? tab.page.mainFrame();
    await fits(t, frame, `${where} at ${width} px`);
    await accessible(t, frame, `${where} at ${width} px`);
  }
}

test.serial(
  "a player tips the dealer of a live table: a bet of the kind tip, which the wallet's page shows",
  async (t) => {
    const tab = await Tab.open(casino);
    await tab.logIn("Ana", "BRL");
    await tab.play("Roulette Copacabana");
    await tab.game.getByRole("radio", { name: /^R\$\s5,00$/ }).check();
    await tab.game.getByRole("button", { name: /^Tip the dealer R\$\s5,00$/ }).click();
    await tab.game.getByText(/^The dealer thanks you for R\$\s5,00\.$/).waitFor();
    const tip = await callback(tab, { action: "bet", kind: "tip" });
    t.is(tip.amount, 5);
    t.is(tip.round_ended, undefined, "a table's provider ends no rounds");
    t.regex(await told(tab, tip.tx_id, "BRL"), /· Tip ·/);
    await look(t, tab, "table");
    await tab.close();
  },
);

test.serial(
  "a player buys the feature of a slot, and its win is a win of free rounds that ends the round",
  async (t) => {
    const tab = await playSlot("Ana", "USD");
    const buy = tab.game.getByRole("button", { name: "Buy 5 free rounds for $5.00" });
    let won = false;
    for (let i = 0; i < FEATURES_MAX && !won; i++) {
      await buy.click();
      await tab.game
        .locator(".winnings p")
        .filter({ hasText: /free rounds|No win/ })
        .waitFor();
      await tab.game.locator(".buy:enabled").waitFor();
      won = ((await tab.game.locator(".winnings p").textContent()) ?? "").includes("free rounds");
    }
    t.true(won);
    const win = await callback(tab, { action: "win", kind: "free_rounds", round_ended: true });
    const bet = await callback(tab, { action: "bet", round_id: win.round_id });
    t.is(bet.kind, "feature_buy");
    t.is(bet.amount, 5);
    t.regex(await told(tab, win.tx_id, "USD"), /· Free rounds ·.*· ends its round/);
    t.regex(await told(tab, bet.tx_id, "USD"), /· Feature buy ·/);
    await tab.untilBalance((await tab.game.locator("#balance").textContent()) ?? "");
    await look(t, tab, "slot");
    await tab.close();
  },
);

test.serial(
  "Backstage lets the jackpot fall: the next spin has a win of the kind jackpot, and the one after has none",
  async (t) => {
    const tab = await playSlot("Ana", "MXN");
    await openBackstage(tab);
    await press(tab, "Let the jackpot fall", "falls at the next spin");
    await tab.spin();
    await tab.game.locator(".winnings p").filter({ hasText: "The jackpot falls" }).waitFor();
    const jackpot = await callback(tab, { action: "win", kind: "jackpot" });
    const bet = await callback(tab, { action: "bet", round_id: jackpot.round_id });
    t.is(jackpot.amount, (bet.amount as number) * 200);
    t.is(jackpot.round_ended, undefined, "the round's end comes after its jackpot");
    t.regex(await told(tab, jackpot.tx_id, "MXN"), /· Jackpot ·/);
    await tab.spin();
    await tab.untilBalance((await tab.game.locator("#balance").textContent()) ?? "");
    t.is((await bodies(tab)).filter(({ kind }) => kind === "jackpot").length, 1);
    await look(t, tab, "slot and backstage");
    await tab.close();
  },
);

test.serial(
  "Backstage leaves a round open, and ends it later: the console's page of rounds shows both states",
  async (t) => {
    const tab = await playSlot("Ana", "PEN");
    await openBackstage(tab);
    await press(tab, "End the open round", "No round was left open.");
    // The provider's rounds are open or ended from its first end on.
    await tab.spin();
    await press(tab, "Leave a round open", "The next round stays open");
    await tab.spin();
    const round = String((await bodies(tab)).find(({ action }) => action === "bet")?.round_id);
    const console = await tab.page.context().newPage();
    console.setDefaultTimeout(60_000);
    const backOffice = /Back office +(\S+)\n/.exec(casino.printed)?.[1] ?? "";
    const states = async (state: "open" | "ended") => {
      await console.goto(`${backOffice}#/rounds?merchant=casa-luna-pen&state=${state}`);
      await console.reload();
      return console.getByRole("link", { name: round });
    };
    await console.goto(backOffice);
    await console.getByLabel("Admin key").fill(casino.adminKey);
    await console.getByRole("button", { name: "Sign in" }).click();
    await console.getByRole("navigation").first().waitFor();
    await (await states("open")).waitFor();

    await press(tab, "End the open round", "SUCCESS");
    await (await states("ended")).waitFor();
    await press(tab, "End the open round", "No round was left open.");
    // A round of the next spin ends again by itself.
    for (let i = 0; i < SPINS_MAX && !(await bodies(tab)).some(({ round_ended }) => round_ended === true); i++)
      await tab.spin();
    t.true((await bodies(tab)).some(({ action, round_ended }) => action === "win" && round_ended === true));
    t.false((await bodies(tab)).some((body) => body.round_id === round && body.round_ended === true));
    await tab.close();
  },
);
