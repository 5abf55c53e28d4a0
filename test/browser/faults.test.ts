import test from "ava";
import { type Casino, openCasino, Tab } from "./casino.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

/** Opens a slot for a player, after the wallet's fault was set. */
async function playSlot(player: string, currency: string): Promise<Tab> {
  const tab = await Tab.open(casino);
  await tab.logIn(player, currency);
  await tab.play("Treasure Cove");
  await tab.spinButton.waitFor();
  await tab.callback(({ action }) => action === "balance");
  return tab;
}

const decision = (tab: Tab) => tab.game.getByRole("alertdialog", { name: "Your casino has not answered" });
/** Waits for this message of the game. */
const untilSaid = (tab: Tab, text: string | RegExp): Promise<void> =>
  tab.game.locator(".winnings p").filter({ hasText: text }).waitFor();

/** Opens Backstage. Returns a function that presses one of its buttons and returns the game's message. */
async function backstage(tab: Tab): Promise<(button: string) => Promise<string>> {
  await tab.game.getByRole("button", { name: "Backstage" }).click();
  const said = tab.game.locator(".said");
  return async (name) => {
    await tab.game.getByRole("button", { name, exact: true }).click();
    await tab.game.getByRole("button", { name, exact: true, disabled: false }).waitFor();
    await said.filter({ hasNotText: "Asking the service" }).waitFor();
    return (await said.textContent()) ?? "";
  };
}

/** The newest call in Backstage's list, as text. */
const newestCall = async (tab: Tab): Promise<string> => (await tab.game.locator(".call").first().textContent()) ?? "";

test.serial("if the wallet is slow, the round waits for its answer and then runs", async (t) => {
  const tab = await playSlot("Ana", "BRL");
  await tab.setWallet("Slow");
  await tab.spin();
  t.is((await tab.callback(({ action }) => action === "bet")).verdict, "Accepted, slowly");
  t.is(await decision(tab).count(), 0);
  await tab.close();
});

for (const [label, currency] of [
  ["Error 500", "MXN"],
  ["Web page", "ARS"],
  ["Garbage", "COP"],
] as const) {
  test.serial(
    `after the wallet's fault "${label}" the bet stays pending and the round does not start; a repeat of the bet succeeds`,
    async (t) => {
      const tab = await playSlot("Ana", currency);
      await tab.setWallet(label);
      await tab.spin();
      await decision(tab).waitFor();
      const first = await tab.callback(({ action }) => action === "bet");
      t.deepEqual([first.verdict, first.attempt], ["Unusable answer", 1]);
      t.regex(first.why, /stays pending and the round does not start/);
      await tab.setWallet("Healthy");
      await tab.game.getByRole("button", { name: "Ask again" }).click();
      const second = await tab.callback(({ tx, attempt }) => tx === first.tx && attempt === 2);
      t.is(second.verdict, "Accepted");
      await tab.close();
    },
  );
}

test.serial(
  "with a silent wallet, the button that gives the bet back sends a refund, which the service repeats",
  async (t) => {
    const tab = await playSlot("Bruno", "CLP");
    await tab.setWallet("Silent");
    await tab.spin();
    await decision(tab).waitFor();
    const bet = await tab.callback(({ action }) => action === "bet");
    t.is(bet.verdict, "No answer");
    await tab.setWallet("Healthy");
    await tab.game.getByRole("button", { name: "Give it back" }).click();
    const refund = await tab.callback(({ action }) => action === "refund");
    t.is(refund.verdict, "TRANSACTION_NOT_FOUND");
    t.regex(refund.why, /asks again after a quiet period/);
    await tab.callback(({ tx, attempt }) => tx === refund.tx && attempt === 2);
    await untilSaid(tab, "refund is on its way");
    t.is(await tab.balance(), "$4.500.000", "no money moved");
    await tab.close();
  },
);

test.serial("if the wallet's reply is lost, a repeat of the bet does not move the money again", async (t) => {
  const tab = await playSlot("Bruno", "BRL");
  await tab.setWallet("Reply lost");
  await tab.spin();
  await decision(tab).waitFor();
  const first = await tab.callback(({ action }) => action === "bet");
  t.deepEqual([first.verdict, await tab.balance()], ["No answer", "R$\u00a024.999,00"]);
  await tab.setWallet("Healthy");
  await tab.game.getByRole("button", { name: "Ask again" }).click();
  const second = await tab.callback(({ tx, attempt }) => tx === first.tx && attempt === 2);
  t.regex(second.why, /the money moved once/);
  await tab.close();
});

test.serial("if the wallet rejects a bet, the game shows that the casino refused it", async (t) => {
  const tab = await playSlot("Ana", "PEN");
  await tab.setWallet("Rejected");
  await tab.spin();
  t.is((await tab.callback(({ action }) => action === "bet")).verdict, "REJECTED");
  await untilSaid(tab, /^Your casino refused the bet\.$/);
  await tab.close();
});

test.serial("a provider that makes mistakes moves no money twice", async (t) => {
  const tab = await playSlot("Ana", "USD");
  const opening = await tab.balance();
  const misbehave = await backstage(tab);
  const times = async (action: string) =>
    (await tab.callbacks()).filter((callback) => callback.action === action).length;

  t.regex(await misbehave("Win before bet"), /Win: SUCCESS .* bet: SUCCESS/);
  for (const moved of ["win", "bet"]) await tab.callback(({ action }) => action === moved);
  t.is(await tab.balance(), opening, "a win and a bet of the same amount");
  t.regex(await misbehave("Repeat last request"), /SUCCESS/);
  t.regex(await misbehave("Same id, other amount"), /TRANSACTION_MISMATCH/);
  t.is(await times("bet"), 1, "neither reached the wallet");
  t.regex(await misbehave("Refund last bet"), /SUCCESS/);
  t.regex(await misbehave("Roll back last win"), /SUCCESS/);
  for (const moved of ["refund", "rollback"]) await tab.callback(({ action }) => action === moved);
  t.is(await tab.balance(), opening, "and both taken back");

  await misbehave("Lose a reply");
  const [earlier] = (await tab.callbacks()).filter(({ action }) => action === "bet");
  await tab.spin();
  await tab.callback(({ action, tx }) => action === "bet" && tx !== earlier?.tx);
  t.is(await times("bet"), 2, "one bet, though it was asked for twice");
  const calls = await tab.game.locator(".call").allTextContents();
  const bets = calls.filter((call) => call.startsWith("PlaceBet")).slice(0, 2);
  t.true(bets[0]?.includes("SUCCESS"), bets.join("\n"));
  await tab.close();
});

test.serial("the refund of an unknown bet reaches the wallet, and the bet is refused if it comes later", async (t) => {
  const tab = await playSlot("Bruno", "MXN");
  const opening = await tab.balance();
  const misbehave = await backstage(tab);
  t.is(await misbehave("Bet after its refund"), "There is no refund yet: refund a bet first.");

  t.regex(await misbehave("Refund an unknown bet"), /never sent: FAILED \(TRANSACTION_NOT_FOUND\) .* no money moved/);
  const refund = await tab.callback(({ action }) => action === "refund");
  t.is(refund.verdict, "TRANSACTION_NOT_FOUND");
  const call = await newestCall(tab);
  t.regex(call, /^RefundBet .*TRANSACTION_NOT_FOUND.*of bet-/);
  const bet = /of (bet-[\w-]+)/.exec(call)?.[1] ?? "";

  t.regex(await misbehave("Bet after its refund"), /TRANSACTION_REVERSED .* did not call the wallet/);
  const late = await newestCall(tab);
  t.true(late.startsWith("PlaceBet") && late.includes("TRANSACTION_REVERSED") && late.includes(bet), late);

  // A bet that the wallet had applied is refused in the same way after its refund.
  await tab.spin();
  await tab.callback(({ action }) => action === "bet");
  t.regex(await misbehave("Refund last bet"), /SUCCESS/);
  await tab.callback(({ action, verdict }) => action === "refund" && verdict === "Accepted");
  t.regex(await misbehave("Bet after its refund"), /TRANSACTION_REVERSED/);
  const bets = (await tab.callbacks()).filter(({ action }) => action === "bet");
  t.is(bets.length, 1, "the wallet got the bet of the spin alone");
  const won = (await tab.callbacks()).some(({ action }) => action === "win");
  if (!won) t.is(await tab.balance(), opening);
  await tab.close();
});

test.serial(
  "if the wallet does not answer the refund of an unknown bet, the refund is sent again, and the bet is refused at once",
  async (t) => {
    const tab = await playSlot("Ana", "CLP");
    const misbehave = await backstage(tab);
    await tab.setWallet("Error 500");
    t.regex(await misbehave("Refund an unknown bet"), /PENDING .* sends the refund again/);
    const refund = await tab.callback(({ action }) => action === "refund");
    t.regex(await misbehave("Bet after its refund"), /TRANSACTION_REVERSED/);
    await tab.setWallet("Healthy");
    const last = await tab.callback(({ tx, verdict }) => tx === refund.tx && verdict === "TRANSACTION_NOT_FOUND");
    t.true(last.attempt > 1);
    t.false((await tab.callbacks()).some(({ action }) => action === "bet"));
    await tab.close();
  },
);

test.serial("the service sends a win without an answer again until the wallet accepts it", async (t) => {
  const tab = await playSlot("Bruno", "COP");
  await tab.game.getByRole("button", { name: "Backstage" }).click();
  await tab.setWallet("Error 500");
  await tab.game.getByRole("button", { name: "Win before bet" }).click();
  const first = await tab.callback(({ action }) => action === "win");
  t.regex(first.why, /sends it again in about 1 s/);
  await tab.callback(({ tx, attempt }) => tx === first.tx && attempt === 2);
  await tab.setWallet("Healthy");
  const taken = await tab.callback(({ tx, verdict }) => tx === first.tx && verdict === "Accepted");
  t.true(taken.attempt > 2);
  await tab.close();
});
