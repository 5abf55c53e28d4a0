import test from "ava";
import { daysOf, GgrFold, ggrMinor, pendingCount, readGgrRequest } from "../../../src/domain/transaction/report.ts";

const HOUR_MS = 3_600_000;
/** The length of each day in hours. */
const hours = (from: string, to: string, timeZone: string): number[] => {
  const { bounds } = daysOf({ from, to, timeZone });
  return bounds.slice(1).map((bound, i) => (bound - (bounds[i] ?? 0)) / HOUR_MS);
};

test("days are the days of the time zone: 23, 24, 24.5 or 25 hours long, or 0 hours", (t) => {
  t.deepEqual(daysOf({ from: "2026-02-28", to: "2026-03-01", timeZone: "UTC" }), {
    names: ["2026-02-28", "2026-03-01"],
    bounds: [Date.parse("2026-02-28T00:00Z"), Date.parse("2026-03-01T00:00Z"), Date.parse("2026-03-02T00:00Z")],
  });
  t.deepEqual(hours("2026-03-07", "2026-03-09", "America/New_York"), [24, 23, 24]);
  t.deepEqual(hours("2026-10-31", "2026-11-02", "America/New_York"), [24, 25, 24]);
  t.deepEqual(hours("2026-04-04", "2026-04-06", "Australia/Lord_Howe"), [24, 24.5, 24]);
  t.deepEqual(hours("2018-11-03", "2018-11-05", "America/Sao_Paulo"), [24, 23, 24], "it began at 01:00");
  t.deepEqual(hours("2011-12-29", "2011-12-31", "Pacific/Apia"), [24, 0, 24]);
  t.is(
    new Date(daysOf({ from: "2026-01-01", to: "2026-01-01", timeZone: "Asia/Kathmandu" }).bounds[0] ?? 0).toISOString(),
    "2025-12-31T18:15:00.000Z",
  );
});

test("by default a report is by day, in UTC, with all providers and types", (t) => {
  t.deepEqual(readGgrRequest({ from: "2026-01-01", to: "2026-04-02" }), {
    ok: true,
    value: { from: "2026-01-01", to: "2026-04-02", groupBy: "day", timeZone: "UTC", provider: null, type: null },
  });
});

test("readGgrRequest returns a time zone's IANA name", (t) => {
  const zone = (tz: string): string | undefined => {
    const read = readGgrRequest({ from: "2026-01-01", to: "2026-01-01", tz });
    return read.ok ? read.value.timeZone : undefined;
  };
  t.is(zone("america/sao_paulo"), "America/Sao_Paulo");
  t.is(zone("Etc/GMT+3"), "Etc/GMT+3");
  for (const none of ["", "+03:00", "-0300", "Z[UTC]", "2026-01-01T00:00Z[UTC]", "local", "America/", "a".repeat(65)])
    t.is(zone(none), undefined, none);
});

test("ggr is bets minus refunds, minus wins that were not rolled back; pending transactions have separate sums", (t) => {
  const fold = new GgrFold(["2026-01-01", "2026-01-02"]);
  const cell = { span: 1, key: "", status: "success", kind: null } as const;
  fold.add({ ...cell, action: "bet", sum: { count: 3, minor: 1_000n } });
  fold.add({ ...cell, action: "refund", sum: { count: 1, minor: 100n } });
  fold.add({ ...cell, action: "win", sum: { count: 2, minor: 2_000n } });
  fold.add({ ...cell, action: "rollback", sum: { count: 1, minor: 500n } });
  fold.add({ ...cell, status: "pending", action: "win", sum: { count: 4, minor: 7n } });
  fold.add({ ...cell, span: 0, action: "bet", sum: { count: 1, minor: 1n } });
  const { rows, totals } = fold.end();
  t.deepEqual(
    rows.map((row) => [row.key, ggrMinor(row), pendingCount(row)]),
    [
      ["2026-01-01", 1n, 0],
      ["2026-01-02", -600n, 4],
    ],
  );
  t.is(ggrMinor(totals), -599n);
});

test("a cell of a kind is a part of another cell, so it changes neither the sums nor the ggr", (t) => {
  const fold = new GgrFold(["2026-01-01", "2026-01-02"]);
  const cell = { key: "", status: "success" } as const;
  for (const span of [0, 1]) {
    fold.add({ ...cell, span, action: "bet", kind: null, sum: { count: 3, minor: 1_000n } });
    fold.add({ ...cell, span, action: "bet", kind: "tip", sum: { count: 1, minor: 300n } });
    fold.add({ ...cell, span, action: "bet", kind: "tip", sum: { count: 1, minor: 5n } });
  }
  fold.add({ ...cell, span: 1, action: "bet", kind: "adjustment", sum: { count: 1, minor: 7n } });
  fold.add({ ...cell, span: 1, action: "win", kind: null, sum: { count: 1, minor: 20n } });
  fold.add({ ...cell, span: 1, action: "win", kind: "adjustment", sum: { count: 1, minor: 20n } });
  const { rows, totals } = fold.end();
  t.deepEqual(rows.map(ggrMinor), [1_000n, 980n]);
  t.deepEqual(totals.success.bet, { count: 6, minor: 2_000n });
  t.deepEqual(
    rows.map(({ ofWhich }) => ofWhich),
    [
      [{ action: "bet", kind: "tip", count: 2, minor: 305n }],
      [
        { action: "bet", kind: "tip", count: 2, minor: 305n },
        { action: "bet", kind: "adjustment", count: 1, minor: 7n },
        { action: "win", kind: "adjustment", count: 1, minor: 20n },
      ],
    ],
  );
  t.deepEqual(
    totals.ofWhich.find(({ kind }) => kind === "tip"),
    { action: "bet", kind: "tip", count: 4, minor: 610n },
  );
});
