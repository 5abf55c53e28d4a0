/** The elements that a phone's small screen must show without scrolling, and must not show twice. */
import test, { type ExecutionContext } from "ava";
import type { Locator } from "playwright-core";
import { accessible } from "./accessible.ts";
import { type Casino, openCasino, Tab } from "./casino.ts";
import { fits } from "./fits.ts";

/** Phones with players. The player with the widest balance has the smallest phone. */
const PHONES = [
  { width: 390, height: 844, player: "Ana", currency: "BRL" },
  { width: 360, height: 780, player: "Bruno", currency: "COP" },
] as const;
type Phone = (typeof PHONES)[number];

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

async function box(of: Locator): Promise<{ left: number; right: number; top: number; bottom: number }> {
  const found = await of.boundingBox();
  if (found === null) throw new Error("it is not on the screen");
  return { left: found.x, right: found.x + found.width, top: found.y, bottom: found.y + found.height };
}

/** The top edge of the sheet of callbacks, which covers the screen below it. */
const sheet = async (tab: Tab): Promise<number> => (await box(tab.page.locator(".sheet-toggle"))).top;

/** Asserts that the whole element is visible: above the sheet and inside the window. */
async function inSight(t: ExecutionContext, tab: Tab, what: Locator, name: string): Promise<void> {
  const { left, right, top, bottom } = await box(what);
  t.true(top >= 0 && bottom <= (await sheet(tab)), `${name}: ${top} to ${bottom}`);
  t.true(left >= 0 && right <= (tab.page.viewportSize()?.width ?? 0), `${name}: ${left} to ${right}`);
}

async function look(t: ExecutionContext, tab: Tab, where: string): Promise<void> {
  for (const frame of tab.page.frames()) {
    await fits(t, frame, where);
    await accessible(t, frame, where);
  }
}

/** A phone whose player is logged in. */
async function open({ width, height, player, currency }: Phone): Promise<Tab> {
  const tab = await Tab.open(casino, { width, height });
  await tab.logIn(player, currency);
  return tab;
}

for (const phone of PHONES) {
  const { width, height, player, currency } = phone;
  const size = `${width}x${height}`;

  test.serial(
    `at ${size} only the site's bar shows balance and deposit button, and in a wide window the sportsbook has a deposit button, too`,
    async (t) => {
      const tab = await open(phone);
      await tab.page.goto(`${casino.url}#/sportsbook`);
      const { game, page } = tab;
      await game.locator("main .odds").first().waitFor();
      // The page with the player's own bets shows that the sportsbook has the player's session.
      await game.getByRole("link", { name: "My bets" }).filter({ visible: true }).click();
      await game.getByText("No open bets").waitFor();
      const deposits = await Promise.all(
        [page, game].map((where) => where.getByRole("button", { name: "Deposit" }).filter({ visible: true }).count()),
      );
      t.deepEqual(deposits, [1, 0]);
      t.is(await game.locator("#balance").count(), 0);
      t.true(await page.locator("#balance").isVisible());
      const bar = await box(page.locator("header.top"));
      t.true(bar.bottom - bar.top < 80, "the bar is one line");
      const frame = await box(page.locator("iframe"));
      t.is(Math.round(frame.top), Math.round(bar.bottom), "nothing between the bar and the frame");
      t.true((await box(game.getByRole("main"))).top < bar.bottom + 100, "nor a second bar in the frame");
      await inSight(t, tab, game.locator("nav.bottom"), "the sportsbook's bar at the bottom");
      await look(t, tab, "sportsbook");

      await page.setViewportSize({ width: 1280, height: 900 });
      await game.getByRole("banner").getByRole("button", { name: "Deposit" }).waitFor();
      await page.setViewportSize({ width, height });
      await game.getByRole("banner").getByRole("button", { name: "Deposit" }).waitFor({ state: "detached" });
      await page.getByRole("link", { name: "Casa Luna" }).click();
      await page.getByRole("button", { name: "Log out" }).waitFor();
      await tab.close();
    },
  );

  test.serial(
    `at ${size} the roulette's chips are visible at once, and stay visible while the board scrolls`,
    async (t) => {
      const tab = await open(phone);
      await tab.play("Roulette Copacabana");
      const chips = tab.game.locator(".chip");
      const last = tab.game.locator('[data-spot="column3"]');
      await last.waitFor();
      const allInSight = async (where: string): Promise<void> => {
        t.is(await chips.count(), 6);
        for (const chip of await chips.all()) await inSight(t, tab, chip, `a chip ${where}`);
        await inSight(t, tab, tab.game.getByRole("button", { name: "Take the last chip back" }), "the button");
      };
      await allInSight("at first");
      await inSight(t, tab, tab.game.locator('[data-spot="1"]'), "and so is the first row of numbers");
      await look(t, tab, "table");

      // At least 10 s of the betting phase are left.
      await tab.game
        .locator(".clock strong")
        .filter({ hasText: /Place your bets: \d\d s/ })
        .waitFor({ state: "attached" });
      await chips.last().click();
      await last.click();
      const bet = await tab.callback(({ action }) => action === "bet");
      t.like(bet, { verdict: "Accepted", amount: { BRL: 50, COP: 50_000 }[currency] }, player);
      await inSight(t, tab, last, "the last place on the board");
      await allInSight("at the end of the board");
      await tab.close();
    },
  );
}
