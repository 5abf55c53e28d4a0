/** Tests the page of reports: its figures, the comparison with an earlier range, the groups, and the CSV file. */
import { readFile } from "node:fs/promises";
import test from "ava";
import { differingDays, isInReport } from "../../console/app/pages/reports/differing-days.ts";
import { linesCsv, linesOf, margin } from "../../console/app/pages/reports/lines.ts";
import { comparedRange, isOpenDay, plusDays, presetRange, todayIn } from "../../console/app/pages/reports/ranges.ts";
import { change } from "../../console/app/parts/amount.ts";
import { csvOf } from "../../console/app/parts/csv.ts";
import { SqlAlertStore } from "../../src/adapters/sql/reports/alert-store.ts";
import type { AlertLine } from "../../src/ports/transactions/alert-store.ts";
import { accessible } from "../browser/accessible.ts";
import { fits } from "../browser/fits.ts";
import { type Console, FileScope, MERCHANT, openConsole } from "./stage.ts";

/** The rows of a long report. */
const LONG = 120;
const scope = new FileScope();
let stage: Console;

test.before(async () => {
  stage = await openConsole(scope);
});
test.after.always(scope.end);

test.serial("a report without revenue shows this, and the message names an unknown time zone", async (t) => {
  const page = await stage.page(t, "viewer", "reports");
  await page.locator(".notice").getByText("Choose a merchant", { exact: true }).waitFor();
  await page.getByRole("link", { name: `${MERCHANT} (BRL)` }).click();
  await page.getByText("No revenue in these days").waitFor();
  await page.getByLabel("Time zone of the days").fill("Mars/Olympus");
  await page.getByText("Not shown yet: press “Show”.").waitFor();
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByRole("alert").first().getByText(/tz/).waitFor();
  t.pass();
});

test.serial("the report shows revenue as figures, as a plot and as a table, and saves it as CSV", async (t) => {
  const { world } = stage;
  const sessionId = await world.session();
  await world.request("bet", { sessionId, txId: "b1", amountMinor: 1_000n });
  await world.request("bet", { sessionId, txId: "b2", amountMinor: 200n });
  await world.request("win", { sessionId, txId: "w1", amountMinor: 300n });
  const page = await stage.page(t, "viewer", `reports?merchant=${MERCHANT}&tz=UTC&compare=week`);
  await page.locator(".plot canvas").waitFor();
  await page.getByRole("button", { name: "Today" }).click();
  await page.getByText(/^GGR of shop-brl(, Slots)?: BRL\s9\.00/).waitFor();
  const row = page.locator("tbody tr");
  await row.getByText("not complete").waitFor();
  t.is(await row.count(), 1);
  t.regex((await row.innerText()).replaceAll(/\s+/g, " "), / 2 BRL 12\.00 BRL 3\.00 BRL 9\.00 75%/);
  const viewport = { width: 390, height: 844 };
  const phone = await stage.page(t, "viewer", `reports?merchant=${MERCHANT}&tz=UTC&by=type&type=slot`, { viewport });
  const sum = await phone.getByText(/^GGR of shop-brl(, Slots)?: BRL\s9\.00/).boundingBox();
  t.true(sum !== null && sum.y < 600, "the first figure is in view");
  await phone
    .getByText(/^Filters: shop-brl · .+ · Slots · Group by: Type · Compare with: The days before · UTC$/)
    .click();
  await phone.getByLabel("Group by").waitFor();
  await phone.goto(`${stage.origin}/console/#/reports?merchant=${MERCHANT}&tz=UTC&by=day`);
  const widthOf = async (of: string) => (await phone.locator(`.plot ${of}`).boundingBox())?.width ?? 0;
  const [drawn, given] = [await widthOf(".u-over"), await widthOf(".canvas")];
  t.true(drawn > 0.6 * given, `the plot draws on ${drawn} of ${given} pixels`);
  const label = await page.getByRole("img").getAttribute("aria-label");
  t.regex(label ?? "", /^GGR of shop-brl, \d/);
  // Two bars stand above one place: the caption names the days of both.
  await page.locator(".plot .u-over").hover();
  t.regex(await page.locator(".plot .place").innerText(), /^\d+ \S+ \d{4} \| \d+ \S+ \d{4}$/);
  await page.getByText(/^Same days a week before: BRL\s0\.00/).waitFor();

  await page.getByLabel("Group by").selectOption("game");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.locator('tr[data-key="ACME/fruits"]').waitFor();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const lines = (await readFile(await (await saved).path(), "utf8")).trim().split("\r\n");
  t.is(lines[0], "game,currency,bets,refunds,wins,rollbacks,ggr,bets_count,pending_count,ggr_compared");
  t.regex(lines[1] ?? "", /^ACME\/fruits,BRL,12\.00,0\.00,3\.00,0\.00,9\.00,2,0,/);
  t.deepEqual(
    await page.getByLabel("Group by").locator("option").allInnerTexts(),
    ["Day", "Provider", "Type", "Game"],
    "a viewer may not see players",
  );
});

for (const lang of ["en", "es", "pt"])
  test.serial(`the options of the filters are not cut in the language ${lang}`, async (t) => {
    const page = await stage.page(t, "viewer", "nowhere");
    await page.goto(`${stage.origin}/console/?lang=${lang}#/reports?merchant=${MERCHANT}`);
    await page.locator(".filters select").nth(3).waitFor();
    const cut = await page.locator(".filters select").evaluateAll((all) =>
      all.flatMap((one) => {
        const whole = one.cloneNode(true) as HTMLElement;
        whole.style.cssText = "position: absolute; width: max-content";
        one.after(whole);
        const room = (one as HTMLElement).offsetWidth - whole.offsetWidth;
        whole.remove();
        return room < 0 ? [`${one.textContent}: ${room}`] : [];
      }),
    );
    t.deepEqual(cut, []);
  });

test.serial("a day that is not complete, and a sum that contains one, have no change in percent", async (t) => {
  const today = todayIn("UTC");
  const [yesterday, before, week] = [plusDays(today, -1), plusDays(today, -2), plusDays(today, -3)];
  const page = await stage.page(t, "viewer", "keys");
  // Each day a week before had half of the revenue.
  await page.route("**/GetGgrReport", (route) => {
    const { from, to, groupBy = "day" } = route.request().postDataJSON() as Record<string, string>;
    const keys = groupBy === "day" ? [...new Set([from, to])] : ["slot"];
    const sum = { ggrMinor: (to ?? "") < week ? "5000" : "10000", bets: { count: 1, amountMinor: "20000" } };
    const rows = keys.map((key) => ({ key, ...sum }));
    return route.fulfill({
      json: { currency: "BRL", tz: "UTC", groupBy, rows, totals: sum, asOf: new Date().toISOString() },
    });
  });
  const changes = page.locator(":is(tbody, tfoot) tr td:nth-of-type(7)");
  const why = page.getByText("A day that is not complete is not compared");
  for (const [from, to, by, expected] of [
    [yesterday, today, "day", ["100%", "–", "–"]],
    [yesterday, today, "type", ["–", "–"]],
    [before, yesterday, "day", ["100%", "100%", "100%"]],
    [before, yesterday, "type", ["100%", "100%"]],
  ] as const) {
    await page.goto(
      `${stage.origin}/console/#/reports?merchant=${MERCHANT}&tz=UTC&compare=week&from=${from}&to=${to}&by=${by}`,
    );
    await page.waitForFunction(
      (many) => document.querySelectorAll(".scroll tr td:nth-of-type(7)").length === many,
      expected.length,
    );
    t.deepEqual(await changes.allInnerTexts(), [...expected], `${from} to ${to} by ${by}`);
    t.is(await why.count(), to === today ? 1 : 0);
  }
});

test.serial("a long report paints its first 50 rows before it has all of them", async (t) => {
  const { knex } = stage.world.database;
  const { id: merchantId } = await knex("merchants").where({ code: MERCHANT }).first("id");
  const { id: providerId } = await knex("providers").where({ code: "ACME" }).first("id");
  const at = Date.parse("2026-02-03T12:00Z");
  for (let n = 1; n <= LONG; n++) {
    const game = { provider_id: providerId, code: `long-${n}`, name: "Long", type: 1, demo_available: 0, active: 1 };
    await knex("games").insert({ ...game, details: "{}", updated_at: 0, epoch: 1 });
    const { id: gameId } = await knex("games").where({ code: game.code }).first("id");
    await knex("tx").insert({
      merchant_id: merchantId,
      tx_id: `ACME:long-${n}`,
      action: 1,
      status: 1,
      player_id: "p",
      round_id: "r",
      amount_minor: n * 100,
      currency: "BRL",
      provider_id: providerId,
      game_id: gameId,
      attempts: 1,
      lease_token: Buffer.alloc(16),
      created_at: at + n,
      opened_at: at + n,
      updated_at: at + n,
    });
  }
  const page = await stage.page(t, "viewer", "keys");
  // The page records how many rows the table has at each frame.
  await page.evaluate(() => {
    const frames: number[] = [];
    Object.assign(globalThis, { frames });
    const look = () => {
      const rows = document.querySelectorAll("tbody tr[data-key^='ACME/long']").length;
      if (rows > 0 && rows !== frames.at(-1)) frames.push(rows);
      requestAnimationFrame(look);
    };
    look();
  });
  await page.evaluate((to) => {
    location.hash = to;
  }, `/reports?merchant=${MERCHANT}&tz=UTC&from=2026-02-03&to=2026-02-03&by=game&compare=none`);
  await page.locator(`tbody tr:nth-child(${LONG})`).waitFor();
  t.deepEqual(await page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames), [50, LONG]);
  const rows = page.locator("tbody tr");
  t.deepEqual(
    [await rows.first().getAttribute("data-key"), await rows.last().getAttribute("data-key")],
    [`ACME/long-${LONG}`, "ACME/long-1"],
    "the highest revenue first",
  );
  await page.getByText(/^GGR of shop-brl: BRL\s7,260\.00/).waitFor();
});

test.serial(
  "a report warns in each language if an open alert says that sums of its days differ, and leads to the alert",
  async (t) => {
    const { database } = stage.world;
    const alert: AlertLine = {
      name: "ggr_differs",
      subject: MERCHANT,
      count: 1,
      firstAgoMs: 60_000,
      lastAgoMs: 0,
      txId: "",
      detail: "2026-02-03 12.5 BRL",
      replica: "host-1",
      lastsMs: null,
    };
    await new SqlAlertStore(database).add([alert]);
    const of = (merchant: string, from: string, to: string, more = "&tz=UTC&compare=none") =>
      `reports?merchant=${merchant}&from=${from}&to=${to}${more}`;
    const warned = "The sums of 3 Feb 2026 differ from the transactions. The figures may be wrong.";
    const page = await stage.page(t, "viewer", of(MERCHANT, "2026-02-01", "2026-02-05"));
    const warning = page.getByText(warned);
    await warning.waitFor();
    await accessible(t, page.mainFrame(), "a report with a warning");
    await fits(t, page.mainFrame(), "a report with a warning");
    await page.getByRole("link", { name: "See the alert on Today" }).click();
    await page.locator('.alerts li[data-alert="ggr_differs"]').waitFor();

    /** Opens a report, and waits until the warning is as it must be after the page has read the alerts. */
    const open = async (address: string, state: "visible" | "hidden"): Promise<void> => {
      const answered = page.waitForResponse(
        (response) => response.url().endsWith("/ListAlerts") && (response.request().postData() ?? "").includes("200"),
      );
      await page.goto(`${stage.origin}/console/#/${address}`);
      await (await answered).finished();
      await page
        .getByText(/^(GGR of shop-|No revenue)/)
        .first()
        .waitFor();
      // The page draws after the answer in a frame of its own.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
      await warning.waitFor({ state });
    };
    await open(of(MERCHANT, "2026-02-03", "2026-02-03"), "visible");
    // Other days.
    await open(of(MERCHANT, "2026-02-04", "2026-02-05"), "hidden");
    // Another merchant.
    await open(of("shop-clp", "2026-02-03", "2026-02-03"), "hidden");
    // In Tokyo, 4 February begins at 15:00 UTC on 3 February.
    await open(of(MERCHANT, "2026-02-04", "2026-02-04", "&tz=Asia/Tokyo&compare=none"), "visible");
    await open(of(MERCHANT, "2026-02-05", "2026-02-05"), "hidden");
    // The days with which these are compared.
    await open(of(MERCHANT, "2026-02-04", "2026-02-04", "&tz=UTC&compare=before"), "visible");

    for (const [lang, text] of [
      [
        "es",
        /^Las sumas del 3 feb 2026 difieren de las transacciones\. Las cifras pueden ser erróneas\. Ver la alerta en Hoy$/,
      ],
      [
        "pt",
        /^As somas de 3 de fev\. de 2026 diferem das transações\. Os valores podem estar errados\. Ver o alerta em Hoje$/,
      ],
    ] as const) {
      await page.goto(`${stage.origin}/console/?lang=${lang}#/${of(MERCHANT, "2026-02-03", "2026-02-03")}`);
      await page.getByText(text).waitFor();
    }
    await database.knex("alerts").where({ name: "ggr_differs" }).delete();
    await page.goto(`${stage.origin}/console/?lang=en#/${of(MERCHANT, "2026-02-03", "2026-02-03")}`);
    // The alert is closed.
    await open(of(MERCHANT, "2026-02-02", "2026-02-03"), "hidden");
    t.pass();
  },
);

test("an alert that was raised several times names all days since the first comparison", (t) => {
  const alert = {
    alert: "ggr_differs",
    merchant: "a",
    firstAt: "2026-03-02T03:10:00Z",
    lastAt: "2026-03-04T04:00:00Z",
    count: "3",
    detail: "2026-03-03",
  };
  t.deepEqual(differingDays({ alerts: [alert] }, "a"), { from: "2026-03-01", to: "2026-03-03" });
  const withAmount = { ...alert, detail: "2026-03-03 -12.5 BRL" };
  t.deepEqual(differingDays({ alerts: [withAmount] }, "a"), { from: "2026-03-01", to: "2026-03-03" });
  t.deepEqual(differingDays({ alerts: [{ ...alert, count: "1" }] }, "a"), { from: "2026-03-03", to: "2026-03-03" });
  const late = { ...alert, firstAt: "2026-03-02T02:59:00Z" };
  t.deepEqual(differingDays({ alerts: [late] }, "a"), { from: "2026-02-28", to: "2026-03-03" });
  t.is(differingDays({ alerts: [alert] }, "b"), undefined);
  t.is(differingDays({ alerts: [{ ...alert, alert: "win_held" }] }, "a"), undefined);
  const days = { from: "2026-03-01", to: "2026-03-02" };
  const isIn = (from: string, to: string, tz: string) => isInReport(days, { from, to }, tz);
  t.deepEqual(
    [
      isIn("2026-02-27", "2026-02-28", "UTC"),
      isIn("2026-03-03", "2026-03-04", "UTC"),
      isIn("2026-02-20", "2026-03-20", "UTC"),
      isIn("2026-02-28", "2026-02-28", "America/Sao_Paulo"),
      isIn("2026-03-03", "2026-03-03", "America/Sao_Paulo"),
      isIn("2026-03-03", "2026-03-03", "Asia/Tokyo"),
    ],
    [false, false, true, true, false, true],
  );
});

test("ranges are compared with whole weeks before or with the days just before, and a day is open until its end in the report's time zone", (t) => {
  t.deepEqual(comparedRange({ from: "2026-03-09", to: "2026-03-09" }, "week"), {
    from: "2026-03-02",
    to: "2026-03-02",
  });
  t.deepEqual(comparedRange({ from: "2026-03-01", to: "2026-03-10" }, "week"), {
    from: "2026-02-15",
    to: "2026-02-24",
  });
  t.deepEqual(comparedRange({ from: "2026-03-01", to: "2026-03-10" }, "before"), {
    from: "2026-02-19",
    to: "2026-02-28",
  });
  t.is(comparedRange({ from: "2026-03-01", to: "2026-03-10" }, "none"), null);
  t.deepEqual(presetRange("week", "2026-03-03"), { from: "2026-02-25", to: "2026-03-03" });
  t.deepEqual(presetRange("yesterday", "2026-03-01"), { from: "2026-02-28", to: "2026-02-28" });
  t.true(isOpenDay("2026-03-01", "America/Sao_Paulo", "2026-03-02T02:59:59Z"));
  t.false(isOpenDay("2026-03-01", "America/Sao_Paulo", "2026-03-02T03:00:00Z"));
});

test("there is a percentage only of a positive amount", (t) => {
  t.deepEqual([change("150", "100"), change(-50n, 100n), change(undefined, "100")], [0.5, -1.5, -1]);
  for (const before of ["-27384200", "0", undefined, -1n]) {
    t.true(Number.isNaN(change("-6482800", before)));
    t.true(Number.isNaN(change("137000000", before)));
  }
  const refunds = { count: 1, amountMinor: "300" };
  t.true(Number.isNaN(margin({ ggrMinor: "-300", refunds })), "more was refunded than bet");
});

test("a text that a spreadsheet would run is not a formula in the CSV, and numbers stay numbers", (t) => {
  t.is(csvOf([["=1+1", "@x", "-1.50", "a,b", 'say "no"']]), `'=1+1,'@x,-1.50,"a,b","say ""no"""\r\n`);
});

test("days are compared by their place in the range, groups by their keys, and the CSV has both ranges", (t) => {
  const row = (key: string, ggrMinor: string, bet = "1000") => ({
    key,
    ggrMinor,
    bets: { count: 1, amountMinor: bet },
  });
  const report = (groupBy: string, rows: ReturnType<typeof row>[]) => ({
    currency: "BRL",
    tz: "UTC",
    groupBy,
    rows,
    asOf: "2026-03-11T00:00:00Z",
  });
  const [range, other] = [
    { from: "2026-03-09", to: "2026-03-10" },
    { from: "2026-03-02", to: "2026-03-03" },
  ];
  const days = linesOf(
    report("day", [row("2026-03-10", "300")]),
    range,
    report("day", [row("2026-03-02", "100"), row("2026-03-03", "200")]),
    other,
  );
  t.deepEqual(
    days.map((line) => [line.key, line.row.ggrMinor, line.other?.ggrMinor]),
    [
      ["2026-03-09", undefined, "100"],
      ["2026-03-10", "300", "200"],
    ],
  );
  t.deepEqual([margin(days[1]?.row ?? {}), change(days[1]?.row.ggrMinor, days[1]?.other?.ggrMinor)], [0.3, 0.5]);
  t.true(Number.isNaN(margin(days[0]?.row ?? {})));
  const games = linesOf(
    report("game", [row("A/x", "100"), row("A/y", "90071992547409931")]),
    range,
    report("game", [row("A/z", "-50")]),
    other,
  );
  t.deepEqual(
    games.map(({ key }) => key),
    ["A/y", "A/x", "A/z"],
    "the highest revenue first",
  );
  t.deepEqual(linesCsv(games, report("game", [])).split("\r\n").slice(1), [
    "A/y,BRL,10.00,0.00,0.00,0.00,900719925474099.31,1,0,0.00",
    "A/x,BRL,10.00,0.00,0.00,0.00,1.00,1,0,0.00",
    "A/z,BRL,0.00,0.00,0.00,0.00,0.00,0,0,-0.50",
    "",
  ]);
});
