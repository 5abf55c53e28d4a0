/** Today: the figures of the day, how the page refreshes, and what it shows when it cannot. */

import anyTest, { type ExecutionContext } from "ava";
import type { Page } from "playwright-core";
import { dayOf } from "../../console/app/pages/today/figures.ts";
import { SqlWalletMinutes } from "../../src/adapters/sql/reports/wallet-minutes.ts";
import { NEVER } from "../../src/domain/transaction/transaction.ts";
import { BUCKETS, bucketOf } from "../../src/domain/values/latency-histogram.ts";
import { wholeMs } from "../../src/domain/values/whole-ms.ts";
import { SPANS } from "../../src/ports/transactions/wallet-minutes.ts";
import { storedRow, storeRows } from "../../testbed/database/stored-rows.ts";
import { type Console, MERCHANT, openConsole } from "./stage.ts";

const test = anyTest.serial;
const { minute: MINUTE, hour: HOUR } = SPANS;
const EVERY_MS = 15_000;
const RPC = "**/aggregator.admin.v1.ConsoleService/GetToday";

/** The clocks of tabs begin this far behind, because the service refuses a day that has not begun by its own clock. */
const BEHIND_MS = 30 * MINUTE;

/** Today as a viewer sees it, with a clock that the test moves. */
async function openToday(t: ExecutionContext, stage: Console, behindMs = 0): Promise<Page> {
  const page = await stage.page(t, "viewer", "");
  await page.clock.install({ time: Date.now() - behindMs });
  await page.reload();
  await page.getByRole("heading", { level: 2, name: "Merchants" }).waitFor();
  return page;
}

const tile = async (page: Page, name: string): Promise<string> =>
  (
    await page
      .locator(".tiles > div")
      .filter({ has: page.locator("dt").getByText(name, { exact: true }) })
      .locator("dd")
      .innerText()
  ).replaceAll(/\s+/g, " ");
const rowText = async (page: Page, table: string, key: string): Promise<string> =>
  (await page.getByRole("table", { name: table }).locator(`tr[data-key="${key}"]`).innerText()).replaceAll(/\s+/g, " ");

/** A number at the right of its cell begins further left when it gets a digit. The browser counts this, too. */
const DIGITS = 0.001;
/** Adds up how far elements move from now on, as the browser sees it: 0.001 is far less than a line of text. */
const watchShifts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seen = window as unknown as { moved: number };
    seen.moved = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.moved += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift" });
  });
const moved = (page: Page): Promise<number> => page.evaluate(() => (window as unknown as { moved: number }).moved);
const places = (page: Page): Promise<number[]> =>
  page
    .locator(":is(h2, .tiles > div, table, figure, tbody th):not(details *, .pending *)")
    .evaluateAll((all) => all.flatMap((one) => [one.getBoundingClientRect().x, one.getBoundingClientRect().y]));

/** Bets of the last minutes, a week-old hour, and a wallet in trouble, as the service writes them. */
async function fill({ world: { database } }: Console): Promise<void> {
  const merchant = await database.knex("merchants").where({ code: MERCHANT }).first("id");
  const game = await database.knex("games").first("id", "provider_id");
  const merchantId = Number(merchant.id);
  const ids = { merchantId, providerId: Number(game.provider_id), gameId: Number(game.id) };
  const now = Date.now();
  const bets = Array.from({ length: 30 }, (_, n) =>
    storedRow({ ...ids, txId: `ACME:m${n}`, createdAt: now - n * 10_000, playerId: `p${n % 3}` }),
  );
  const stuck = storedRow({
    ...ids,
    txId: "ACME:stuck",
    createdAt: now - 2 * HOUR,
    action: "win",
    status: "pending",
    amountMinor: 1_234n,
  });
  await storeRows(database, [...bets, stuck]);
  // The service sends this win again tomorrow.
  await database
    .knex("tx")
    .where({ tx_id: "ACME:stuck" })
    .update({ next_at: now + 24 * HOUR });
  const day = dayOf(now);
  await database.knex("ggr_hour").insert([
    {
      merchant_id: merchantId,
      hour: day - (day % HOUR) - 7 * 24 * HOUR,
      provider_id: 1,
      type: 1,
      action: 1,
      tx_count: 3,
      sum_minor: 700,
    },
  ]);
  const calls = [5, 0, 5, 0, 0, 0];
  await new SqlWalletMinutes(database).store("x", [
    {
      merchantId,
      at: wholeMs(now - (now % MINUTE) - MINUTE),
      span: MINUTE,
      calls,
      balanceCalls: 0,
      durations: new Array<number>(BUCKETS).fill(0),
      permitsHeld: 1,
      permits: 64,
      breakerPermits: null,
    },
    {
      merchantId: Number((await database.knex("merchants").where({ code: "shop-clp" }).first("id")).id),
      at: wholeMs(now - (now % MINUTE) - MINUTE),
      span: MINUTE,
      calls: [4, 0, 0, 0, 0, 0],
      balanceCalls: 0,
      durations: new Array<number>(BUCKETS).fill(0).fill(4, bucketOf(2_000), bucketOf(2_000) + 1),
      permitsHeld: 1,
      permits: 64,
      breakerPermits: null,
    },
  ]);
}

test("Today shows a day without play, then revenue, play, pending money and a wallet in trouble, and nothing moves", async (t) => {
  const stage = await openConsole(t);
  const page = await openToday(t, stage);
  t.is(await tile(page, "Bets a minute"), "0 in the last whole minute");
  t.is(await tile(page, "Owed to players"), "0 Nothing is owed");
  t.is(await tile(page, "Pending"), "0 0 for over 10 min");
  t.is(await tile(page, "Wallets in trouble"), "0 Failing: 0, slow: 0 Merchants: 2");
  t.regex(await rowText(page, "GGR of today by currency", "BRL"), /^BRL 0 BRL 0\.00 BRL 0\.00 BRL 0\.00 –$/);
  t.regex(await rowText(page, "Merchants", MERCHANT), /^shop-brl No calls 0 0 0 0 –$/);
  await page.getByText("Nothing is pending.").waitFor();
  t.is(await page.getByRole("table", { name: "Pending by age" }).count(), 0);
  const before = await places(page);
  await watchShifts(page);

  const sessionId = await stage.world.session();
  await stage.world.request("bet", { sessionId, txId: "b1", amountMinor: 900n });
  await stage.world.request("win", { sessionId, txId: "w1", amountMinor: 300n });
  // Bets and wallet calls are those of the last whole minute, so this minute must not end before the page is read.
  while (Date.now() % MINUTE > 40_000) await new Promise((resolve) => setTimeout(resolve, 200));
  await fill(stage);
  const earned = () => rowText(page, "GGR of today by currency", "BRL");
  // The page may have read the bet and the win by itself before the other rows were stored.
  const isRead = async () => /^BRL 1 BRL 6\.00 /.test(await earned()) && (await tile(page, "Pending")).startsWith("1 ");
  // The sums of an hour have a transaction about a second after its success.
  for (let tries = 0; tries < 200 && !(await isRead()); tries++) {
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.waitForTimeout(250);
  }
  t.regex(await tile(page, "Bets a minute"), /^[67] in the last/);
  t.regex(await tile(page, "Players"), /^[34] in the last/);
  t.is(await tile(page, "Pending"), "1 1 for over 10 min 1 of them is owed to players");
  t.is(await tile(page, "Owed to players"), "1 BRL 12.34 All are being tried");
  t.is(await tile(page, "Wallets in trouble"), "2 Failing: 1, slow: 1 Merchants: 2");
  t.regex(await earned(), /^BRL 1 BRL 6\.00 /);
  t.regex(
    await rowText(page, "Pending by age", "BRL"),
    /^BRL 1 BRL 12\.34 1 BRL 12\.34 1 BRL 12\.34 1 BRL 12\.34 –\s+–\s*$/,
  );
  t.regex(await rowText(page, "Merchants", MERCHANT), /^shop-brl Failing 1\d [67] [34] 1 Over 1 h$/);
  t.regex(await rowText(page, "Merchants", "shop-clp"), /^shop-clp Slow 4 /);
  await page.locator(".plot canvas").waitFor();
  t.is(await page.locator(".plot canvas").count(), 1);
  t.deepEqual(await places(page), before);
  t.true((await moved(page)) < DIGITS, "nothing moves");

  await page.getByText("All hours as a table").click();
  const hours = page.getByRole("table", { name: /^GGR of each hour in BRL/ });
  t.true([23, 24, 25].includes(await hours.locator("tbody tr").count()));
  t.regex(await hours.locator("tbody tr").first().innerText(), /BRL\s7\.00$/);
  const keptWhenShown = page.evaluate(
    () =>
      new Promise((resolve) => {
        const heading = document.getElementById("revenue-title") as HTMLElement;
        new MutationObserver(() => resolve(localStorage.getItem("currency"))).observe(heading, {
          subtree: true,
          characterData: true,
          childList: true,
        });
      }),
  );
  await page.getByRole("link", { name: "CLP", exact: true }).click();
  await page.getByRole("heading", { name: "GGR by hour, CLP" }).waitFor();
  t.is(await keptWhenShown, "CLP", "a reader who leaves at once finds the same currency again");
  t.true(page.url().endsWith("#/today?currency=CLP"), page.url());
  await page.goto(`${stage.origin}/console/#/wallets`);
  await page.getByRole("heading", { level: 1, name: "Wallet health" }).waitFor();
  await page.goto(`${stage.origin}/console/#/today`);
  await page.getByRole("heading", { name: "GGR by hour, CLP" }).waitFor();
  await page.getByRole("table", { name: "Merchants" }).getByRole("link", { name: MERCHANT }).click();
  await page.getByRole("heading", { level: 1, name: MERCHANT }).waitFor();
});

anyTest.serial(
  "Today says that there are no figures yet, and that the first minute of a wallet is being counted",
  async (t) => {
    t.timeout(180_000);
    const stage = await openConsole(t);
    // A plot without figures has no axis with amounts.
    for (const [lang, none] of [
      ["en", "No figures to draw yet"],
      ["es", "Todavía no hay cifras para dibujar"],
      ["pt", "Ainda não há números para desenhar"],
    ]) {
      const page = await stage.page(t, "viewer", "nowhere");
      await page.goto(`${stage.origin}/console/?lang=${lang}#/today`);
      await page
        .locator(".plot")
        .getByText(none as string)
        .waitFor();
      t.is(await page.locator(".plot canvas").count(), 0);
    }
    const sessionId = await stage.world.session();
    // The minute must not end before the page is read.
    while (Date.now() % MINUTE > 30_000) await new Promise((resolve) => setTimeout(resolve, 500));
    await stage.world.request("bet", { sessionId, txId: "first" });
    for (const [lang, badge] of [
      ["en", "Being counted"],
      ["es", "Se está contando"],
      ["pt", "Sendo contado"],
    ]) {
      const page = await stage.page(t, "viewer", "nowhere");
      await page.goto(`${stage.origin}/console/?lang=${lang}#/today`);
      await page
        .locator(`tr[data-key="${MERCHANT}"]`)
        .getByText(badge as string)
        .waitFor();
      t.is(
        await page
          .locator('tr[data-key="shop-clp"]')
          .getByText(badge as string)
          .count(),
        0,
      );
    }
  },
);

anyTest.serial("the number of pending transactions leads to these transactions of all merchants", async (t) => {
  const stage = await openConsole(t);
  await fill(stage);
  const { knex } = stage.world.database;
  const clp = await knex("merchants").where({ code: "shop-clp" }).first("id");
  // A pending bet, which the service does not send again.
  await knex("tx").where({ tx_id: "ACME:m3" }).update({ merchant_id: clp.id, status: 0, next_at: NEVER });
  const viewer = await openToday(t, stage);
  t.is(await viewer.getByRole("link", { name: "Pending", exact: true }).count(), 0, "the list needs the role support");
  const page = await stage.page(t, "support", "today");
  await page.getByRole("link", { name: "Pending", exact: true }).click();
  const links = page.locator("main tbody th a");
  // Today has such links, too, until the list is shown.
  await page.getByRole("link", { name: "ACME:m3" }).waitFor();
  t.deepEqual(await links.allInnerTexts(), ["ACME:stuck", "ACME:m3"]);
  const phone = await stage.page(t, "viewer", "today", { viewport: { width: 390, height: 844 } });
  const ages = phone.getByRole("table", { name: "Pending by age" });
  await phone.getByText("Number and value by currency").waitFor();
  t.false(await ages.isVisible(), "a phone shows it on demand");
  await phone.getByText("Number and value by currency").click();
  await ages.waitFor();
  // A long amount has one line, and stays in its cell.
  await phone.route(RPC, async (route) => {
    const reply = await (await route.fetch()).json();
    for (const one of reply.today.merchants) {
      Object.assign(one, { currency: "COP", owed: { count: 2, amountMinor: "150139535", needsPerson: 1 } });
      for (const age of one.pending) Object.assign(age, { count: 12, amountMinor: "150139535" });
    }
    for (const hour of reply.today.hours ?? []) Object.assign(hour, { currency: "COP", betsMinor: "150139535" });
    await route.fulfill({ json: reply });
  });
  await phone.getByRole("button", { name: "Refresh" }).click();
  await phone
    .locator(".amounts")
    .getByText(/COP\s3,002,790\.70/)
    .waitFor();
  const broken = await phone.locator(".today :is(td.figure, .amounts)").evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const found: string[] = cell.scrollWidth > cell.clientWidth + 1 ? [`too wide: ${cell.textContent}`] : [];
      while (texts.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(range.toString());
      }
      return found;
    }),
  );
  t.deepEqual(broken, []);
  t.is(await page.getByLabel("Merchant", { exact: true }).inputValue(), "*");
  // What no index finds over all merchants is explained.
  await page.getByLabel("State", { exact: true }).selectOption("failed");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await links.first().waitFor({ state: "detached" });
  await page.getByText("you see only pending transactions").waitFor();
  await page.getByRole("link", { name: "All pending transactions" }).click();
  await links.nth(1).waitFor();
});

anyTest.serial(
  "Today refreshes while it is in view, tells the age of its figures, and stops when it is hidden",
  async (t) => {
    const stage = await openConsole(t);
    const page = await openToday(t, stage, BEHIND_MS);
    let calls = 0;
    page.on("request", (request) => void (request.url().includes("GetToday") && calls++));
    // The page's clock also runs by itself. So a busy machine may show a greater age, but not a smaller one.
    await page.clock.fastForward(5_000);
    await page.getByText(/, ([5-9]|1[0-4]) s ago\./).waitFor();
    t.is(calls, 0);
    const answered = page.waitForResponse(RPC);
    await page.clock.fastForward(EVERY_MS);
    await answered;
    await page.getByText(/, \d s ago\./).waitFor();
    t.is(calls, 1);

    const hide = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, isHidden);
    await hide(true);
    await page.clock.fastForward(10 * EVERY_MS);
    await page.getByText(/, 2\.[5-9] min ago\./).waitFor();
    t.is(calls, 1, "a hidden page does not call");
    const again = page.waitForResponse(RPC);
    await hide(false);
    await again;
    await page.getByText(/, \d s ago\./).waitFor();
  },
);

anyTest.serial("while the service fails, Today keeps its figures, shows why, and waits longer each time", async (t) => {
  const stage = await openConsole(t);
  const page = await openToday(t, stage, BEHIND_MS);
  const before = await places(page);
  await watchShifts(page);
  let calls = 0;
  await page.route(RPC, (route) => {
    calls++;
    return route.fulfill({
      status: 503,
      contentType: "application/json",
      headers: { "error-code": "SERVICE_UNAVAILABLE" },
      body: JSON.stringify({ code: "unavailable", message: "SERVICE_UNAVAILABLE" }),
    });
  });
  const alert = page.locator('main [role="alert"][data-code="SERVICE_UNAVAILABLE"]');
  const tries: string[] = [];
  for (const pauseMs of [15_000, 30_000, 60_000, 120_000, 240_000, 300_000, 300_000]) {
    const done = calls;
    // The page's clock also runs by itself. What is left is enough for a busy machine, and more than half of the pause
    // has passed, so the pause is longer than the one before.
    const leftMs = Math.min(pauseMs * 0.4, 30_000);
    await page.clock.fastForward(pauseMs - leftMs);
    t.is(calls, done, `no call for most of ${pauseMs} ms`);
    const failed = page.waitForResponse(RPC);
    await page.clock.fastForward(leftMs);
    await failed;
    await alert.getByText("can't reach its database").waitFor();
    const next = alert.getByText(/Next try at/);
    while (tries.includes(await next.innerText())) await page.waitForTimeout(25);
    tries.push(await next.innerText());
    t.is(calls, done + 1);
  }
  t.is(new Set(tries).size, tries.length, "each try names the time of the next one");
  t.deepEqual(await places(page), before);
  t.true((await moved(page)) < DIGITS);

  await page.unroute(RPC);
  await page.getByRole("button", { name: "Refresh" }).click();
  await alert.waitFor({ state: "detached" });
  await page.getByText(/, \d s ago\./).waitFor();
  t.deepEqual(await places(page), before);
});

anyTest.serial("a key that is revoked ends Today at its next call", async (t) => {
  const stage = await openConsole(t);
  const page = await openToday(t, stage, BEHIND_MS);
  await stage.admin.keys.revokeKey({ name: "viewer-1", reason: "left" });
  await page.clock.fastForward(EVERY_MS + 1_000);
  await page.getByText("Your session has ended").waitFor();
  t.is(await page.getByText("GGR by hour").count(), 0);
  let calls = 0;
  page.on("request", (request) => void (request.url().includes("GetToday") && calls++));
  await page.clock.fastForward(10 * EVERY_MS);
  await page.getByLabel("Admin key").waitFor();
  t.is(calls, 0);
});

anyTest.serial("with more merchants than it counts, Today shows trouble first and names the limit", async (t) => {
  const stage = await openConsole(t);
  await fill(stage);
  const codes = Array.from({ length: 520 }, (_, n) => `${n < 300 ? "a" : "t"}${n}-usd`);
  for (let from = 0; from < codes.length; from += 20)
    await Promise.all(
      codes
        .slice(from, from + 20)
        .map((code) => stage.admin.merchants.createMerchant({ code, currency: "USD", brand: "shop" })),
    );
  const page = await openToday(t, stage);
  const more = page.getByText("This page counts only the first 500 by code");
  for (let tries = 0; tries < 100 && !(await more.isVisible()); tries++) {
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.waitForTimeout(250);
  }
  const rows = page.getByRole("table", { name: "Merchants" }).locator("tbody tr");
  t.is(await rows.count(), 25);
  t.is(await rows.first().getAttribute("data-key"), MERCHANT);
  await page.getByRole("button", { name: "Show all 500" }).click();
  await rows.nth(499).waitFor();
  t.is(await rows.count(), 500);
  t.is(await page.getByRole("button", { name: "Show all" }).count(), 0);
});

anyTest.serial("markup in a merchant's code is shown as text", async (t) => {
  const hostile = `<img src=x onerror="document.title='owned'">`;
  const stage = await openConsole(t);
  const page = await stage.page(t, "viewer", "");
  await page.route(RPC, async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: (await response.text()).replaceAll(`"${MERCHANT}"`, JSON.stringify(hostile)),
    });
  });
  await page.reload();
  await page.getByRole("table", { name: "Merchants" }).getByRole("link", { name: hostile }).waitFor();
  t.is(await page.locator("main img").count(), 0);
  t.false((await page.title()).includes("owned"));
});
