/** What the pages Today and Reports compute from the service's figures, without a browser. */
import test from "ava";
import { differingAlerts, differingDays, isInReport } from "../../console/app/pages/reports/differing-days.ts";
import { linesCsv, linesOf, margin } from "../../console/app/pages/reports/lines.ts";
import { comparedRange, isOpenDay, presetRange } from "../../console/app/pages/reports/ranges.ts";
import { readWhole } from "../../console/app/pages/reports/whole-report.ts";
import {
  currencySums,
  dayOf,
  firstCurrency,
  hoursOf,
  pendingOf,
  type Today,
  troubleFirst,
} from "../../console/app/pages/today/figures.ts";
import { change } from "../../console/app/parts/amount.ts";
import { csvOf } from "../../console/app/parts/export/csv.ts";
import { Failure } from "../../console/app/service/failure.ts";
import { SPANS } from "../../src/ports/transactions/wallet-minutes.ts";

const HOUR = SPANS.hour;

test("hours that are over are compared with the same hours a week before", (t) => {
  const from = dayOf(new Date(2026, 2, 10, 12).getTime());
  const at = (hours: number) => new Date(from + hours * HOUR).toISOString();
  const week = -7 * 24;
  const today: Today = {
    asOf: new Date(from + 2.5 * HOUR).toISOString(),
    from: at(0),
    hours: [
      {
        at: at(0),
        currency: "BRL",
        betCount: "2",
        betsMinor: "1000",
        winsMinor: "300",
        refundsMinor: "100",
        rollbacksMinor: "50",
      },
      { at: at(2), currency: "BRL", betCount: "1", betsMinor: "7" },
      { at: at(0), currency: "CLP", betsMinor: "5" },
    ],
    weekBefore: [
      { at: at(week + 1), currency: "BRL", betsMinor: "90071992547409930" },
      { at: at(week + 2), currency: "BRL", betsMinor: "9" },
    ],
  };
  const hours = hoursOf(today, "BRL");
  t.deepEqual(
    hours.slice(0, 4).map(({ bets, ggr, before, state }) => [bets, ggr, before, state]),
    [
      [2n, 650n, 0n, "over"],
      [0n, 0n, 90_071_992_547_409_930n, "over"],
      [1n, 7n, 9n, "running"],
      [0n, 0n, 0n, "to come"],
    ],
  );
  t.is(hours.length, 24);
  t.deepEqual(currencySums(today, "BRL"), {
    currency: "BRL",
    bets: 3n,
    ggr: 657n,
    overGgr: 650n,
    before: 90_071_992_547_409_930n,
  });
  t.is(dayOf(new Date(2026, 2, 11, 0, 0, 30).getTime()), from, "a new day begins a minute late");
});

test("pending amounts are summed by currency, and merchants with trouble come first", (t) => {
  const one = (merchant: string, currency: string, counts: readonly number[], state = "good") => ({
    merchant,
    currency,
    walletVerdict: { state },
    pending: counts.map((count, i) => ({
      olderThanS: [0, 60, 3_600][i] as number,
      count,
      amountMinor: String(count * 10),
    })),
  });
  const merchants = [one("a", "BRL", [1, 1, 0]), one("b", "BRL", [2, 2, 2]), one("c", "CLP", [9, 0, 0], "some_fail")];
  const today: Today = { asOf: "2026-03-10T12:00:00Z", from: "2026-03-10T00:00:00Z", merchants };
  t.deepEqual(
    pendingOf(today, "BRL").map(({ olderThanS, count, amountMinor }) => [olderThanS, count, amountMinor]),
    [
      [0, 3, "30"],
      [60, 3, "30"],
      [3_600, 2, "20"],
    ],
  );
  t.deepEqual(
    troubleFirst(merchants).map(({ merchant }) => merchant),
    ["c", "b", "a"],
  );
});

test("an alert that was raised several times names all days since the first comparison", (t) => {
  const alert = {
    alert: "ggr_differs",
    merchant: "a",
    firstAt: "2026-03-02T03:10:00Z",
    lastAt: "2026-03-04T04:00:00Z",
    count: "3",
    detail: "2026-03-03",
  };
  t.deepEqual(differingDays(alert), { from: "2026-03-01", to: "2026-03-03" });
  const withAmount = { ...alert, detail: "2026-03-03 -12.5 BRL" };
  t.deepEqual(differingDays(withAmount), { from: "2026-03-01", to: "2026-03-03" });
  t.deepEqual(differingDays({ ...alert, count: "1" }), { from: "2026-03-03", to: "2026-03-03" });
  const late = { ...alert, firstAt: "2026-03-02T02:59:00Z" };
  t.deepEqual(differingDays(late), { from: "2026-02-28", to: "2026-03-03" });
  t.is(differingDays({ ...alert, detail: "" }), undefined);
  const alerts = [alert, { ...withAmount, merchant: "b" }, { ...withAmount, merchant: "c", alert: "win_held" }];
  const shown = (subject: string) => differingAlerts({ alerts }, subject).map(({ merchant }) => merchant);
  t.deepEqual([shown("a"), shown("c"), shown("*BRL"), shown("*CLP")], [["a"], [], ["b"], []]);
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
  t.is(
    csvOf([["=1+1", "@x", { rawJSON: "-1.50" }, "a,b", 'say "no"']], "standard"),
    `'=1+1,'@x,-1.50,"a,b","say ""no"""\r\n`,
  );
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
  t.deepEqual(linesCsv(games, report("game", []), "standard").split("\r\n").slice(1), [
    "A/y,BRL,10.00,0.00,0.00,0.00,900719925474099.31,1,0,0.00",
    "A/x,BRL,10.00,0.00,0.00,0.00,1.00,1,0,0.00",
    "A/z,BRL,0.00,0.00,0.00,0.00,0.00,0,0,-0.50",
    "",
  ]);
});

test("Today begins with the currency of the most bets, then with one in trouble, then with that of most merchants", (t) => {
  const merchant = (code: string, currency: string, more: object = {}) => ({ merchant: code, currency, ...more });
  const quiet = [
    merchant("a-ars", "ARS"),
    merchant("b-brl", "BRL"),
    merchant("c-brl", "BRL"),
    merchant("d-mxn", "MXN"),
  ];
  const at = new Date(dayOf(Date.now())).toISOString();
  const first = (merchants: Today["merchants"], alerted: readonly string[] = [], hours: Today["hours"] = []) =>
    firstCurrency({ asOf: at, from: at, hours, ...(merchants && { merchants }) }, new Set(alerted));
  t.is(first([]), "");
  t.is(first(quiet), "BRL");
  t.is(first(quiet, ["d-mxn"]), "MXN");
  const pending = [{ olderThanS: 0, count: 1, amountMinor: "5" }, { olderThanS: 60 }];
  t.is(first([...quiet, merchant("e-usd", "USD", { pending })]), "USD");
  t.is(first([...quiet, merchant("e-usd", "USD", { owed: { count: 1 } })]), "USD");
  t.is(first(quiet, ["d-mxn"], [{ at, currency: "ARS", betCount: "1" }]), "ARS");
});

test("a range is compared with as many other days from a chosen one on, over the end of a month and a year", (t) => {
  const range = { from: "2026-02-03", to: "2026-02-05" };
  t.deepEqual(comparedRange(range, "other", "2025-12-30"), { from: "2025-12-30", to: "2026-01-01" });
  t.is(comparedRange(range, "other"), null);
  t.is(comparedRange(range, "other", "never"), null);
});

test("a report that is too big for one call is the sum of reports of fewer days, each of which is read once", async (t) => {
  const asked: { from: string; to: string }[] = [];
  // The service makes reports of at most 92 days, and here of at most 40 days, because of their rows.
  const read = async (range: { from: string; to: string }) => {
    const days = (Date.parse(range.to) - Date.parse(range.from)) / 86_400_000 + 1;
    if (days > 92) throw new Error(`${days} days`);
    if (days > 40)
      throw new Failure("VALIDATION_ERROR", "", "", [{ field: "group_by", text: "a report of at most 10000 rows" }]);
    asked.push(range);
    const row = { bets: { count: days, amountMinor: "90071992547409930" }, ggrMinor: "-5", pending: { count: 1 } };
    const rows = [
      { key: "ana", ...row },
      { key: range.from, ...row },
    ];
    return { currency: "BRL", tz: "UTC", groupBy: "player", rows, totals: row, asOf: range.to };
  };
  const whole = await readWhole({ from: "2026-01-01", to: "2026-12-31" }, read);
  const many = asked.length;
  t.is(whole.rows?.length, many + 1);
  t.deepEqual(
    whole.rows?.find(({ key }) => key === "ana"),
    {
      key: "ana",
      bets: { count: 365, amountMinor: String(90_071_992_547_409_930n * BigInt(many)) },
      refunds: { count: 0, amountMinor: "0" },
      wins: { count: 0, amountMinor: "0" },
      rollbacks: { count: 0, amountMinor: "0" },
      ggrMinor: String(-5 * many),
      pending: { count: many },
    },
  );
  t.is(whole.totals?.bets?.count, 365);
  const day = (text: string, more: number) => new Date(Date.parse(text) + more * 86_400_000).toISOString().slice(0, 10);
  t.deepEqual(
    asked.slice(1).map(({ from }) => from),
    asked.slice(0, -1).map(({ to }) => day(to, 1)),
    "no day is read twice, and none is left out",
  );
  t.deepEqual([asked[0]?.from, asked.at(-1)?.to], ["2026-01-01", "2026-12-31"]);
  const failure = new Failure("VALIDATION_ERROR", "", "", [
    { field: "group_by", text: "a report of at most 10000 rows" },
  ]);
  const refused = () => readWhole({ from: "2026-01-01", to: "2026-01-02" }, () => Promise.reject(failure));
  t.is(await t.throwsAsync(refused), failure, "a day can't be divided");
});
