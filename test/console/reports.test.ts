/** Tests the page of reports: its figures, the comparison with an earlier range, the groups, and the CSV file. */

import { readFile } from "node:fs/promises";
import test from "ava";
import { plusDays, todayIn } from "../../console/app/pages/reports/ranges.ts";
import { SqlAlertStore } from "../../src/adapters/sql/reports/alert-store.ts";
import { wholeMs } from "../../src/domain/values/whole-ms.ts";
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
  await page.getByText("No revenue in these days").waitFor();
  await page.getByLabel("Merchant", { exact: true }).selectOption({ label: `${MERCHANT} (BRL)` });
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("No revenue in these days").waitFor();
  await page.getByLabel("Time zone of the days").fill("Mars/Olympus");
  await page.getByText("Not shown yet: press “Show”.").waitFor();
  await page.getByRole("button", { name: "Show", exact: true }).click();
  const fault = page.locator("main").getByRole("alert").first();
  await fault.getByText("Time zone of the days: Write the name of a time zone").waitFor();
  t.is(await page.getByRole("button", { name: "Try again" }).count(), 0, "the same question gets the same refusal");
  // The buttons of usual ranges work beside a wrong zone.
  await page.getByRole("button", { name: "30 days" }).click();
  await page.waitForURL(/from=/);
  await fault.getByText("Time zone of the days").waitFor();
});

test.serial(
  "what is wrong with the days of a report is said with the form's own labels in each language",
  async (t) => {
    const page = await stage.page(t, "support", "nowhere");
    const fault = page.locator("main").getByRole("alert").first();
    for (const [lang, text] of [
      ["en", "Last day: It must not be before “First day”."],
      ["es", "Último día: No puede ser anterior a «Primer día»."],
      ["pt", "Último dia: Não pode ser antes de “Primeiro dia”."],
    ] as const) {
      await page.goto(
        `${stage.origin}/console/?lang=${lang}#/reports?merchant=${MERCHANT}&from=2026-02-02&to=2026-02-01`,
      );
      await fault.getByText(text, { exact: true }).waitFor();
      await page.goto(`${stage.origin}/console/?lang=${lang}#/reports?merchant=${MERCHANT}&from=soon&to=2026-02-01`);
      await fault.getByText(/^(First day: Choose|Primer día: Elige|Primeiro dia: Escolha)/).waitFor();
    }
    t.pass();
  },
);

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
  await page.getByText(/^Same days a week before: BRL\s0\.00/).waitFor();
  const row = page.locator("tbody tr");
  await row.getByText("not complete").waitFor();
  t.is(await row.count(), 1);
  t.regex((await row.innerText()).replaceAll(/\s+/g, " "), / BRL 9\.00 BRL 0\.00 – 75% 2 BRL 12\.00 BRL 3\.00 0$/);
  const viewport = { width: 390, height: 844 };
  const phone = await stage.page(t, "viewer", `reports?merchant=${MERCHANT}&tz=UTC&by=type&type=slot`, { viewport });
  const sum = await phone.getByText(/^GGR of shop-brl(, Slots)?: BRL\s9\.00/).boundingBox();
  t.true(sum !== null && sum.y < 600, "the first figure is in view");
  await phone
    .getByText(/^Filters: shop-brl · .+ · Slots · Group by: Type · Compare with: The days before · UTC$/)
    .click();
  await phone.getByLabel("Group by").waitFor();
  await phone.goto(`${stage.origin}/console/#/reports?merchant=${MERCHANT}&tz=UTC&by=day`);
  await phone.getByText(/^Filters: .* · Group by: Day · /).waitFor();
  const share = await phone.waitForFunction(() => {
    const widthOf = (of: string) => document.querySelector(`.plot ${of}`)?.getBoundingClientRect().width ?? 0;
    return widthOf(".u-over") > 0 && widthOf(".u-over") / widthOf(".canvas");
  });
  const drawn = Number(await share.jsonValue());
  t.true(drawn > 0.6, `the plot draws on ${drawn} of its width`);
  const label = await page.getByRole("img").getAttribute("aria-label");
  t.regex(label ?? "", /^GGR of shop-brl, \d/);
  const offCentre = await page.locator(".plot canvas").evaluate((canvas: HTMLCanvasElement) => {
    const { data, width, height } = (canvas.getContext("2d") as CanvasRenderingContext2D).getImageData(
      ...([0, 0, canvas.width, canvas.height] as const),
    );
    const over = document.querySelector(".plot .u-over")?.getBoundingClientRect() ?? new DOMRect();
    const middle = ((over.x + over.width / 2 - canvas.getBoundingClientRect().x) * width) / canvas.clientWidth;
    // Texts and lines of the axes are grey. A bar has a colour.
    const coloured: number[] = [];
    for (let x = 0; x < width; x++) {
      const place = ((height >> 1) * width + x) * 4;
      const [red = 0, green = 0, blue = 0] = data.slice(place, place + 3);
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) coloured.push(x);
    }
    return Math.abs(((coloured[0] ?? 0) + (coloured.at(-1) ?? 0)) / 2 - middle) / width;
  });
  t.true(offCentre < 0.02, `without bars of the week before, a bar stands above its day, not ${offCentre} beside it`);
  // Two bars stand above one place: the caption names the days of both.
  await page.locator(".plot .u-over").hover();
  t.regex(await page.locator(".plot .place").innerText(), /^\d+ \S+ \d{4} \| \d+ \S+ \d{4}$/);
  await page.getByText(/^Same days a week before: BRL\s0\.00/).waitFor();

  await page.getByLabel("Group by").selectOption("game");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  const game = page.locator('tr[data-key="ACME/fruits"]');
  await game.waitFor();
  t.is((await game.locator("th").innerText()).replaceAll(/\s+/g, " "), "Fruits ACME/fruits");
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

test.serial(
  "without a merchant the report has all merchants of a currency, and a merchant's row leads to its report",
  async (t) => {
    await stage.world.request("bet", {
      sessionId: await stage.world.session("shop-clp"),
      txId: "clp-1",
      currency: "CLP",
      amountMinor: 500n,
    });
    const page = await stage.page(t, "support", "reports?tz=UTC");
    await page.getByText(/^GGR of all merchants \(BRL\): BRL\s9\.00/).waitFor();
    const merchants = page.getByLabel("Merchant", { exact: true });
    t.deepEqual(await merchants.locator("option").allInnerTexts(), [
      "All merchants (BRL)",
      "All merchants (CLP)",
      "shop-brl (BRL)",
      "shop-clp (CLP)",
    ]);
    const groups = page.getByLabel("Group by");
    t.deepEqual(await groups.locator("option").allInnerTexts(), ["Day", "Merchant", "Provider", "Type", "Game"]);
    await merchants.selectOption("*CLP");
    await groups.selectOption("merchant");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByText(/^GGR of all merchants \(CLP\): CLP\s500/).waitFor();
    t.is(await page.locator("tbody tr").count(), 1);
    await accessible(t, page.mainFrame(), "a report by merchant");
    await page.getByRole("link", { name: "shop-clp" }).click();
    await page.getByText(/^GGR of shop-clp: CLP\s500/).waitFor();
    t.is(await groups.inputValue(), "day");
    // Without a choice here, the reader's choice on Today counts.
    await page.goto(`${stage.origin}/console/#/today?currency=CLP`);
    await page.getByRole("heading", { name: /CLP/ }).waitFor();
    await page.goto(`${stage.origin}/console/#/reports?tz=UTC`);
    await page.getByText(/^GGR of all merchants \(CLP\): CLP\s500/).waitFor();
    await merchants.selectOption("shop-clp");
    // The groups of one merchant. A group that the choice does not have becomes the day.
    await groups.selectOption("player");
    await merchants.selectOption("*CLP");
    t.is(await groups.inputValue(), "day");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByText(/^GGR of all merchants \(CLP\): CLP\s500/).waitFor();
  },
);

test.serial("all currencies stand side by side, each in its own amounts, without a sum", async (t) => {
  const page = await stage.page(t, "viewer", `reports?merchant=${MERCHANT}&tz=UTC&type=slot&compare=week`);
  await page.getByRole("link", { name: "All currencies side by side" }).click();
  const table = page.getByRole("table", { name: "All currencies" });
  await table.waitFor();
  const rows = (await table.locator("tbody tr").allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());
  t.regex(rows[0] ?? "", /^BRL BRL 9\.00 BRL 0\.00 – 75% 2 BRL 12\.00 BRL 3\.00 0$/);
  t.regex(rows[1] ?? "", /^CLP CLP 500 CLP 0 – 100% 1 CLP 500 CLP 0 0$/);
  t.is(rows.length, 2);
  t.is(await table.locator("tfoot").count(), 0, "there is no sum");
  await page.getByText("There is no sum of all currencies").waitFor();
  await page.locator(".plot canvas").nth(1).waitFor();
  t.is(await page.getByLabel("Merchant", { exact: true }).inputValue(), "*");
  t.is(await page.getByLabel("Group by").count(), 0);
  t.is(await page.getByLabel("Type").inputValue(), "slot", "the other filters stay");
  await accessible(t, page.mainFrame(), "all currencies");
  await fits(t, page.mainFrame(), "all currencies");
  await table.getByRole("link", { name: "CLP" }).click();
  await page.getByText(/^GGR of all merchants \(CLP\), Slots: CLP\s500/).waitFor();
});

test.serial("a report is compared with other days of the reader's choice, as many as it has", async (t) => {
  const page = await stage.page(t, "viewer", `reports?merchant=${MERCHANT}&tz=UTC&from=2026-02-03&to=2026-02-05`);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/GetGgrReport"))
      asked.push((({ from, to }) => `${from} ${to}`)(request.postDataJSON()));
  });
  await page.getByLabel("Compare with").selectOption("other");
  const show = page.getByRole("button", { name: "Show", exact: true });
  await show.click();
  t.deepEqual(asked.slice(2), [], "the day is required");
  await page.getByLabel("First day to compare with").fill("2025-12-30");
  await show.click();
  await page.waitForURL(/compareFrom=2025-12-30/);
  await page.getByText(/^Other days: BRL\s0\.00 \(30 Dec 2025 – 1 Jan 2026\)/).waitFor();
  t.is(asked.at(-1), "2025-12-30 2026-01-01");
  await accessible(t, page.mainFrame(), "a report beside other days");
  const phone = await stage.page(
    t,
    "viewer",
    `reports?merchant=${MERCHANT}&tz=UTC&from=2026-02-03&to=2026-02-05&compare=other&compareFrom=2025-12-30`,
    { viewport: { width: 390, height: 844 } },
  );
  await phone.getByText(/Compare with: 30 Dec 2025 – 1 Jan 2026/).waitFor();
  // A day that is not complete is not compared, on either side.
  const today = todayIn("UTC");
  const [from, to] = [plusDays(today, -30), plusDays(today, -29)];
  await page.goto(
    `${stage.origin}/console/#/reports?merchant=${MERCHANT}&tz=UTC&from=${from}&to=${to}&compare=other&compareFrom=${plusDays(today, -1)}`,
  );
  await page.getByText("A day that is not complete is not compared").waitFor();
  await page.goto(`${stage.origin}/console/#/reports?merchant=${MERCHANT}&tz=UTC&compare=other&compareFrom=never`);
  await page.getByText(/^GGR of shop-brl/).waitFor();
  t.is(await page.getByText(/^Other days: /).count(), 0);
});

test.serial("on a phone each game has its name below the plot, and the plot uses the width", async (t) => {
  const page = await stage.page(t, "viewer", "nowhere", { viewport: { width: 390, height: 844 } });
  await page.route("**/GetGgrReport", (route) =>
    route.fulfill({
      json: {
        currency: "BRL",
        tz: "UTC",
        groupBy: "game",
        rows: ["Carnival Beats of the North", "Lantern Festival in the Rain"].map((name, i) => ({
          ...{ key: `AURORA/game-${i}`, name, ggrMinor: "10000", bets: { count: 1, amountMinor: "20000" } },
        })),
        totals: { ggrMinor: "20000" },
        asOf: new Date().toISOString(),
      },
    }),
  );
  // The page draws its texts on a canvas.
  await page.addInitScript(() => {
    const drawn: string[] = [];
    Object.assign(globalThis, { drawn });
    const fillText = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text: string, ...rest) {
      drawn.push(text);
      return fillText.call(this, text, ...rest);
    };
  });
  await page.goto(`${stage.origin}/console/?lang=en#/reports?merchant=${MERCHANT}&tz=UTC&by=game`);
  await page.locator(".plot .u-over").waitFor();
  const drawn = await page.evaluate(() => (globalThis as unknown as { drawn: string[] }).drawn);
  t.true(
    drawn.some((text) => /^Carnival Be.*…$/.test(text)),
    drawn.join(),
  );
  t.true(
    drawn.some((text) => /^Lantern Fe.*…$/.test(text)),
    drawn.join(),
  );
  const room = await page.evaluate(() => {
    const rightOf = (of: string) => document.querySelector(`.plot ${of}`)?.getBoundingClientRect().right ?? 0;
    return rightOf(".canvas") - rightOf(".u-over");
  });
  t.true(room < 20, `${room} px at the right of the plot`);
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
  const changes = page.locator(":is(tbody, tfoot) tr td:nth-of-type(3)");
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
      // The last column comes with the compared days.
      (many) => document.querySelectorAll(".scroll tr td:nth-of-type(8)").length === many,
      expected.length,
    );
    t.deepEqual(await changes.allInnerTexts(), [...expected], `${from} to ${to} by ${by}`);
    t.is(await why.count(), to === today ? 1 : 0);
    t.is(await page.getByText(/^Same days a week before: .*, Change: 100%$/).count(), to === today ? 0 : 1);
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
  const frames = await page.waitForFunction((all) => {
    const seen = (globalThis as unknown as { frames: number[] }).frames;
    return seen.at(-1) === all && seen;
  }, LONG);
  t.deepEqual(await frames.jsonValue(), [50, LONG]);
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
      firstAgoMs: wholeMs(60_000),
      lastAgoMs: wholeMs(0),
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

test.serial("a report that is too big for the page says so, and is saved as a file", async (t) => {
  t.timeout(180_000);
  await stage.world.request("bet", { sessionId: await stage.world.session(), txId: "big", amountMinor: 500n });
  const today = todayIn("UTC");
  const address = (days: number) =>
    `reports?merchant=${MERCHANT}&by=player&tz=UTC&from=${plusDays(today, 1 - days)}&to=${today}`;
  const page = await stage.page(t, "support", "nowhere", { viewport: { width: 390, height: 844 } });
  for (const [lang, text, button] of [
    ["es", "Tiene 330 días. La página muestra 92 días como máximo.", "Guardar como CSV"],
    ["pt", "Ele tem 330 dias. A página mostra no máximo 92 dias.", "Salvar como CSV"],
    ["en", "It has 330 days. The page shows at most 92 days.", "Save as CSV"],
  ] as const) {
    await page.goto(`${stage.origin}/console/?lang=${lang}#/${address(330)}`);
    await page.getByText(text).waitFor();
    await page.getByRole("button", { name: button }).waitFor();
  }
  t.is(await page.getByRole("button", { name: "Try again" }).count(), 0);
  await fits(t, page.mainFrame(), "too big");
  await accessible(t, page.mainFrame(), "too big");
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/too-big-390.png`, fullPage: true });
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const file = await saved;
  t.is(file.suggestedFilename(), `ggr-${MERCHANT}-${plusDays(today, -329)}-${today}-player.csv`);
  const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  t.is(lines[0], "player,currency,bets,refunds,wins,rollbacks,ggr,bets_count,pending_count");
  t.is(lines.filter((line) => /^ana,BRL,\d+\.00,/.test(line)).length, 1, lines.join("\n"));

  await page.goto(`${stage.origin}/console/?lang=en#/${address(400)}`);
  await page.getByText("Choose fewer days. A CSV file has at most 366 days.").waitFor();
  t.is(await page.getByRole("button", { name: "Save as CSV" }).count(), 0);

  // Few days, but too many rows for one call: the file is made of parts.
  await page.route("**/GetGgrReport", async (route) => {
    const { from, to } = route.request().postDataJSON();
    if (from === to) return route.continue();
    const debug = {
      fieldViolations: [{ field: "group_by", description: "a report of at most 10000 rows: ask for fewer" }],
    };
    const details = [{ type: "google.rpc.ErrorInfo", debug: { reason: "VALIDATION_ERROR" } }, { debug }];
    return route.fulfill({ status: 400, json: { code: "invalid_argument", message: "x", details } });
  });
  await page.goto(`${stage.origin}/console/?lang=en#/${address(3)}`);
  await page.getByText("The answer would have more than 10,000 rows.").waitFor();
  const parts = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  t.regex(await readFile(await (await parts).path(), "utf8"), /\r\nana,BRL,/);
});

test.serial("tips and jackpots stand below the report as parts of its sums, and in its CSV", async (t) => {
  const { world } = stage;
  const sessionId = await world.session();
  await world.request("bet", { sessionId, txId: "kind-1", amountMinor: 250n, kind: "tip" });
  await world.request("win", { sessionId, txId: "kind-2", amountMinor: 700n, kind: "jackpot" });
  const address = `reports?merchant=${MERCHANT}&tz=UTC&by=provider`;
  const page = await stage.page(t, "viewer", address);
  const kinds = page.locator("section", { has: page.getByRole("heading", { name: "Money with a kind" }) }).last();
  await kinds.getByText("Tip", { exact: true }).waitFor();
  const rows = (await kinds.locator("tbody tr").allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
  t.is(rows.length, 2);
  t.regex(rows[0] ?? "", /^Tip bets 1 BRL 2\.50 [\d.]+%$/);
  t.regex(rows[1] ?? "", /^Jackpot wins 1 BRL 7\.00 [\d.]+%$/);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const [header = "", line = ""] = (await readFile(await (await saved).path(), "utf8")).split("\r\n");
  t.regex(header, /,bets_tip,bets_tip_count,wins_jackpot,wins_jackpot_count$/);
  t.regex(line, /,2\.50,1,7\.00,1$/);
  for (const [lang, name] of [
    ["es", "Propina"],
    ["pt", "Gorjeta"],
  ] as const) {
    await page.goto(`${stage.origin}/console/?lang=${lang}#/${address}`);
    await page.getByText(name, { exact: true }).waitFor();
  }
  const phone = await stage.page(t, "viewer", address, { viewport: { width: 390, height: 844 } });
  await phone.getByText("Tip", { exact: true }).waitFor();
  await accessible(t, phone.mainFrame(), "kinds");
  await fits(t, phone.mainFrame(), "kinds");
});
