/** Tests the pages about wallets: the grid of all merchants' wallets, and the page of one wallet over time. */

import test from "ava";
import { SqlWalletMinutes } from "../../src/adapters/sql/reports/wallet-minutes.ts";
import { BUCKETS } from "../../src/domain/values/latency-histogram.ts";
import { wholeMs } from "../../src/domain/values/whole-ms.ts";
import { SPANS } from "../../src/ports/transactions/wallet-minutes.ts";
import { merchantRecord } from "../../testbed/directory/records.ts";
import { accessible } from "../browser/accessible.ts";
import { FileScope, openConsole } from "./stage.ts";

const MINUTE_MS = 60_000;

test("the grid shows calls, answers and durations of each wallet, and a wallet's page shows them over time", async (t) => {
  t.timeout(240_000);
  const scope = new FileScope();
  t.teardown(scope.end);
  const stage = await openConsole(scope);
  const { world } = stage;
  const page = await stage.page(t, "viewer", "wallets");
  await page.locator('tr[data-key="shop-clp"]').getByText("No calls").first().waitFor();
  await page.goto(`${stage.origin}/console/#/wallet?merchant=shop-clp`);
  await page.getByText("The wallet was not called in this time").waitFor();
  await page.goto(`${stage.origin}/console/#/wallets`);

  const sessionId = await world.session();
  for (const txId of ["b1", "b2", "b3"]) await world.request("bet", { sessionId, txId });
  await world.request("bet", { sessionId, txId: "large", amountMinor: 90_000n });
  world.wallet.setFault({ kind: "http_500" });
  await world.request("bet", { sessionId, txId: "unknown" });
  world.wallet.setFault({ kind: "none" });
  const row = page.locator('tr[data-key="shop-brl"]');
  // The sums of a minute are known some seconds after its end.
  for (let tries = 0; tries < 200 && !(await row.getByText("Failing", { exact: true }).isVisible()); tries++) {
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.waitForTimeout(1_000);
  }
  const answers = (await row.getByRole("img").getAttribute("aria-label")) ?? "";
  t.regex(answers, /^Accepted [34], Refused 1, HTTP 5xx 1$/);
  t.regex((await row.innerText()).replaceAll(/\s+/g, " "), /shop-brl Failing Failing since .* [56] .*(%|\d) .* m?s/);
  t.is(await page.locator("tbody tr").first().getAttribute("data-key"), "shop-brl", "failures come first");

  // The widest figures fit beside the menu.
  for (const lang of ["en", "es", "pt"]) {
    const wide = await stage.page(t, "viewer", "nowhere");
    await wide.route("**/ListWalletHealth", (route) =>
      route.fulfill({
        json: {
          rows: ["andina-cop", "real-brl"].map((merchant) => ({
            merchant,
            health: {
              ...{ accepted: "120345", rejected: "1200", timeout: "300", http5xx: "40", state: "failing" },
              ...{ p50Ms: 1_234, p95Ms: 2_345, p99Ms: 8_000, permitsHeld: 64, permits: 64, breakerPermits: 4 },
            },
            verdict: { state: "failing", breakerPermits: 4, since: "2026-11-23T12:34:00Z", orEarlier: true },
          })),
        },
      }),
    );
    await wide.goto(`${stage.origin}/console/?lang=${lang}#/wallets`);
    await wide.locator('tr[data-key="real-brl"]').waitFor();
    await wide.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
    t.is(await wide.locator('.wide[data-more="true"]').count(), 0, `${lang}: the table does not scroll`);
    await wide.context().close();
  }

  await row.getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: "shop-brl" }).waitFor();
  await page.locator(".plot canvas").nth(2).waitFor();
  await page.getByRole("heading", { level: 2, name: "Calls at once, and the circuit breaker" }).waitFor();
  await page.getByText("Each point of the plots is 1 min long.").waitFor();
  await page.locator("summary").click();
  const points = page.locator("details tbody tr");
  await points.first().waitFor();
  t.regex((await points.allInnerTexts()).join("\n"), /m?s/);
  const asked = page.waitForRequest((request) => request.url().endsWith("/GetWalletHealth"));
  await page.getByLabel("Period").selectOption("1m");
  const { from, to } = (await asked).postDataJSON() as Record<string, string>;
  t.deepEqual([Date.parse(to ?? "") - Date.parse(from ?? ""), Date.parse(to ?? "") % MINUTE_MS], [MINUTE_MS, 0]);
  await page.getByLabel("Period").selectOption("7d");
  await page.waitForURL(/span=7d/);
  await page.getByRole("heading", { level: 2, name: "How long answers took" }).waitFor();
});

test("a wallet whose answers take a second is slow, and its page says since when", async (t) => {
  t.timeout(240_000);
  const scope = new FileScope();
  t.teardown(scope.end);
  const stage = await openConsole(scope, { env: { WALLET_TIMEOUT_MS: "8000" } });
  const { world } = stage;
  const sessionId = await world.session();
  // So many that a first call on a cold process does not decide the 95th percentile.
  for (let bet = 1; bet <= 40; bet++) await world.request("bet", { sessionId, txId: `fast-${bet}` });
  // The sums are those of a whole minute. So the slow bets begin some seconds after a minute has begun.
  const toNextMs = MINUTE_MS - (Date.now() % MINUTE_MS);
  await new Promise((resolve) => setTimeout(resolve, toNextMs + 3_000));
  world.wallet.setFault({ kind: "slow", ms: 1_200 });
  await Promise.all(["s1", "s2", "s3"].map((txId) => world.request("bet", { sessionId, txId })));
  // A call counts in the minute in which it ended.
  const slowSince = Date.now();
  const page = await stage.page(t, "viewer", "wallets");
  const row = page.locator('tr[data-key="shop-brl"]');
  for (let tries = 0; tries < 200 && !(await row.getByText("Slow", { exact: true }).isVisible()); tries++) {
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.waitForTimeout(1_000);
  }
  await row.getByRole("link").click();
  const said = page.getByText(/^Slow since \d/);
  await said.waitFor();
  await page.getByText("1 of 20 calls takes one second or longer").waitFor();
  const minute = await page.evaluate(
    (at) => new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at),
    slowSince,
  );
  t.true((await said.innerText()).endsWith(minute), `${await said.innerText()} ends with ${minute}`);

  const width = 390;
  const phone = await stage.page(t, "viewer", "wallets", { viewport: { width, height: 844 } });
  const since = phone.locator('tr[data-key="shop-brl"]').getByText(/^Slow since \d/);
  await since.waitFor();
  const place = await since.boundingBox();
  t.true(place !== null && place.x + place.width <= width, "a phone shows it without scrolling to the side");
  t.is(await phone.locator("tbody tr").first().getAttribute("data-key"), "shop-brl", "trouble comes first");
  await accessible(t, phone.mainFrame(), "a slow wallet");
});

test("among more merchants than a page of the listing has, the wallet that fails comes first", async (t) => {
  t.timeout(180_000);
  const scope = new FileScope();
  t.teardown(scope.end);
  const stage = await openConsole(scope);
  const { world } = stage;
  const codes = Array.from({ length: 250 }, (_, n) => `m-${String(n).padStart(3, "0")}`);
  for (const code of codes)
    await world.settings.save({ kind: "merchant", merchant: merchantRecord(code, { currency: "BRL", brand: "shop" }) });
  const { id } = await world.database.knex("merchants").where({ code: "m-230" }).first("id");
  await new SqlWalletMinutes(world.database).store("x", [
    {
      merchantId: Number(id),
      at: wholeMs(Date.now() - (Date.now() % MINUTE_MS) - MINUTE_MS),
      span: SPANS.minute,
      calls: [1, 0, 9, 0, 0, 0],
      balanceCalls: 0,
      durations: new Array<number>(BUCKETS).fill(0),
      permitsHeld: 1,
      permits: 64,
      breakerPermits: null,
    },
  ]);
  const known = async () => (await stage.admin.console.listWalletHealth({ limit: 100 })).rows.length;
  while ((await known()) < 100) await new Promise((resolve) => setTimeout(resolve, 100));
  const page = await stage.page(t, "viewer", "wallets");
  const rows = page.locator("tbody tr");
  await rows.first().waitFor();
  t.is(await rows.first().getAttribute("data-key"), "m-230");
  await rows.first().getByText("Failing", { exact: true }).waitFor();
  t.is(await rows.count(), 100, "the others are shown on demand");
  for (const many of [200, codes.length + 2]) {
    await page.getByRole("button", { name: "Show more" }).click();
    await page.waitForFunction((all) => document.querySelectorAll("tbody tr").length === all, many);
  }
  t.is(await page.getByRole("button", { name: "Show more" }).count(), 0);
  t.is(await page.getByText("There are more merchants").count(), 0);
  // An installation with more merchants than the page reads.
  let calls = 0;
  await page.route("**/ListWalletHealth", async (route) => {
    calls++;
    const rows = [{ merchant: `shop-${calls}` }];
    await route.fulfill({ json: { rows, nextCursor: "x" } });
  });
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("This page counts only the first 20 by code.").waitFor();
  t.is(calls, 20);
});
