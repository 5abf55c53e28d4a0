/** Tests the page of reports: its figures, the comparison with an earlier range, the groups, and the CSV file. */
import { readFile } from "node:fs/promises";
import test from "ava";
import { change, linesCsv, linesOf, margin } from "../../console/app/pages/reports/lines.ts";
import { comparedRange, isOpenDay, presetRange } from "../../console/app/pages/reports/ranges.ts";
import { csvOf } from "../../console/app/parts/csv.ts";
import { type Console, FileScope, MERCHANT, openConsole } from "./stage.ts";

const scope = new FileScope();
let stage: Console;

test.before(async () => {
  stage = await openConsole(scope);
});
test.after.always(scope.end);

test.serial("a report without revenue shows this, and the message names an unknown time zone", async (t) => {
  const page = await stage.page(t, "viewer", `reports?merchant=${MERCHANT}`);
  await page.getByText("No revenue in these days").waitFor();
  await page.getByLabel("Time zone of the days").fill("Mars/Olympus");
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
  await page.getByText(/^GGR BRL\s9\.00/).waitFor();
  const row = page.locator("tbody tr");
  await row.getByText("not complete").waitFor();
  t.is(await row.count(), 1);
  t.regex((await row.innerText()).replaceAll(/\s+/g, " "), / 2 BRL 12\.00 BRL 3\.00 BRL 9\.00 75%/);
  const label = await page.getByRole("img").getAttribute("aria-label");
  t.regex(label ?? "", /^GGR of /);

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
  t.deepEqual([margin(days[1]?.row ?? {}), change(days[1]?.row ?? {}, days[1]?.other ?? {})], [0.3, 0.5]);
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
