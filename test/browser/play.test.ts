import test from "ava";
import { type Casino, openCasino, Tab } from "./casino.ts";

const SPINS_MAX = 40;
let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

const brl = (text: string): number => Number(text.replaceAll(/[^\d,]/g, "").replace(",", "."));

test.serial(
  "a new player logs in, launches a slot and spins; each bet and win reaches the wallet and changes the balance",
  async (t) => {
    const tab = await Tab.open(casino);
    await tab.logIn("Ana", "BRL");
    t.is(brl(await tab.balance()), 500);
    await tab.play("Neon Sevens");
    await tab.spinButton.waitFor();
    t.is(
      (await tab.callback(({ action }) => action === "balance")).verdict,
      "Accepted",
      "the game asks for the balance as it opens",
    );

    let shown = await tab.callbacks();
    for (let spins = 0; spins < SPINS_MAX && !shown.some(({ action }) => action === "win"); spins++) {
      await tab.spin();
      shown = await tab.callbacks();
    }
    // The list shows a callback a moment after the game. So the last win may come only now.
    await tab.untilBalance((await tab.game.locator("#balance").textContent()) ?? "");
    shown = await tab.callbacks();
    const bets = shown.filter(({ action }) => action === "bet");
    const wins = shown.filter(({ action }) => action === "win");
    t.true(bets.length > 0 && wins.length > 0, "some bets, and a win");
    t.true(shown.every(({ signed, verdict }) => signed && verdict === "Accepted"));
    const sum = (list: typeof shown) => list.reduce((total, { amount }) => total + Math.round((amount ?? 0) * 100), 0);
    t.is(
      Math.round(brl(await tab.balance()) * 100),
      50_000 - sum(bets) + sum(wins),
      "the balance is what the list adds up to",
    );
    t.is(await tab.game.locator("#balance").textContent(), await tab.balance(), "the game shows the same balance");
    await tab.close();
  },
);

test.serial("with motion allowed the reels turn, and stand still when the next spin is possible", async (t) => {
  const tab = await Tab.open(casino, { motion: true });
  await tab.logIn("Bruno", "BRL");
  await tab.play("Carnival Beats");
  // The page watches from before the spin, so that no turn is missed.
  const strip = tab.game.locator(".strip").first();
  await strip.evaluate((element) => {
    const look = (): void => {
      if (element.getAnimations().length > 0) Object.assign(window, { hasTurned: true });
      requestAnimationFrame(look);
    };
    look();
  });
  await tab.spin();
  t.true(await strip.evaluate(() => "hasTurned" in window));
  t.is(await strip.evaluate((element) => element.getAnimations().length), 0);
  t.is(await tab.game.locator(".strip img").count(), 5 * 5, "three rows and one above and below, on five reels");
  await tab.close();
});

test.serial("a live table accepts chips until its time is over, spins the wheel, and pays", async (t) => {
  const tab = await Tab.open(casino);
  await tab.logIn("Ana", "USD");
  // The table with the longest betting phases. At the beginning of a phase there is enough time for all chips.
  await tab.play("Midnight Roulette");
  await tab.game
    .locator(".clock strong")
    .filter({ hasText: /Place your bets: (2[0-5]|19) s/ })
    .waitFor();
  // One of these three chips always wins.
  for (const spot of ["red", "black", "0"]) {
    await tab.game.locator(`[data-spot="${spot}"]`).click();
    await tab.game.locator(`[data-spot="${spot}"] .stake.placed`).waitFor();
  }
  await tab.game.getByRole("button", { name: "Odd" }).click();
  await tab.game.locator('[data-spot="odd"] .stake').waitFor();
  await tab.game.getByRole("button", { name: "Take the last chip back" }).click();
  t.is((await tab.callback(({ action }) => action === "refund")).verdict, "Accepted", "a chip taken back is a refund");
  await tab.game.locator(".fell").waitFor();
  await tab.game.locator(".clock p").filter({ hasText: "You win $" }).waitFor();
  const win = await tab.callback(({ action }) => action === "win");
  t.is(win.verdict, "Accepted");
  t.is((await tab.callbacks()).filter(({ action }) => action === "bet").length, 4);
  await tab.close();
});

test.serial(
  "a player with Chilean pesos sees a balance without decimals, and a bet of 200 pesos is 200 in the callback",
  async (t) => {
    const tab = await Tab.open(casino);
    await tab.logIn("Ana", "CLP");
    t.is(await tab.balance(), "$90.000");
    await tab.play("Andes Gold");
    await tab.spinButton.waitFor();
    await tab.spin();
    const bet = await tab.callback(({ action }) => action === "bet");
    t.deepEqual([bet.verdict, bet.amount], ["Accepted", 200]);
    await tab.close();
  },
);

test.serial("a demo works without the wallet", async (t) => {
  const tab = await Tab.open(casino);
  await tab.logIn("Carla", "MXN");
  await tab.page.getByRole("button", { name: "Demo of Orbit Wilds" }).click();
  await tab.spinButton.waitFor();
  await tab.spin();
  t.true(await tab.page.getByText("For fun, no wallet").isVisible());
  t.deepEqual(await tab.callbacks(), []);
  await tab.close();
});

test.serial("a player without money and a blocked player get a message", async (t) => {
  for (const [player, error, words] of [
    ["Carla", "INSUFFICIENT_FUNDS", /Not enough money/],
    ["Diego", "PLAYER_BLOCKED", /does not take your bets/],
  ] as const) {
    const tab = await Tab.open(casino);
    await tab.logIn(player, "PEN");
    await tab.play("Deep Pearl");
    await tab.spinButton.waitFor();
    await tab.game.getByRole("radio").last().check();
    await tab.spin();
    t.is((await tab.callback(({ action }) => action === "bet")).verdict, error);
    await tab.game.locator(".winnings p").filter({ hasText: words }).waitFor();
    await tab.close();
  }
});

test.serial("if a game can't be opened, the page shows this and a link to the lobby", async (t) => {
  const tab = await Tab.open(casino);
  await tab.logIn("Ana", "ARS");
  await tab.page.goto(`${casino.url}#/play/AURORA/no-such-game`);
  await tab.page.getByText("There is no such game").waitFor();
  await tab.page.getByRole("button", { name: "Try again" }).waitFor();
  await tab.page.getByRole("link", { name: "Lobby" }).click();
  await tab.page.getByRole("button", { name: "Play Neon Sevens" }).waitFor();
  await tab.page.getByRole("button", { name: "Log out" }).click();
  await tab.page.getByRole("button", { name: "Enter the casino" }).waitFor();
  t.true(await tab.page.locator("#happened").isHidden(), "and nothing of the player stays on the screen");
  await tab.close();
});

test.serial("a player can log in, launch a slot and bet with the keyboard alone", async (t) => {
  const tab = await Tab.open(casino);
  const { keyboard } = tab.page;
  /** Presses Tab until the focus is on an element whose name matches, in the page or in the game. */
  const tabTo = async (name: RegExp): Promise<void> => {
    for (let presses = 0; presses < 80; presses++) {
      await keyboard.press("Tab");
      const frame = tab.page.frames().at(-1) ?? tab.page.mainFrame();
      const focused = async (where: typeof frame) =>
        where.evaluate(() => {
          const element = document.activeElement;
          return element === null || element === document.body
            ? ""
            : (element.getAttribute("aria-label") ??
                element.closest("label")?.textContent ??
                element.textContent ??
                "");
        });
      if (
        name.test(await focused(tab.page.mainFrame())) ||
        (frame !== tab.page.mainFrame() && name.test(await focused(frame)))
      )
        return;
    }
    t.fail(`the focus never came to ${name}`);
  };
  await tabTo(/^BRL$/);
  await keyboard.press("ArrowRight");
  await tabTo(/^A?Ana/);
  await keyboard.press("ArrowDown");
  await tabTo(/Enter the casino/);
  await keyboard.press("Enter");
  await tab.page.getByRole("button", { name: "Play Neon Sevens" }).waitFor();
  t.is(await tab.page.locator("#who").textContent(), "Bruno");
  t.is(await tab.page.locator("#who-note").textContent(), "casa-luna-mxn");
  await tabTo(/^Play Neon Sevens$/);
  await keyboard.press("Enter");
  await tab.spinButton.waitFor();
  await tabTo(/^Spin$/);
  await keyboard.press("Space");
  t.is((await tab.callback(({ action }) => action === "bet")).verdict, "Accepted");
  await tab.close();
});
