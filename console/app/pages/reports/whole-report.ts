import type { Whole } from "../../parts/amount.ts";
import { Failure } from "../../service/failure.ts";
import type { GgrReport, GgrRow, GgrSum } from "../../service/types.ts";
import { hasTooManyRows, PAGE_DAYS } from "./limits.ts";
import { daysOf, plusDays, type Range } from "./ranges.ts";

/** Days of a file, and its rows, which are held in the browser's memory. */
export const FILE_DAYS = 366;
const FILE_ROWS = 100_000;

/**
 * A report that is too big for one call, made of reports of fewer days.
 *
 * @param read - reads the report of some days.
 * @throws Failure
 */
export async function readWhole(range: Range, read: (range: Range) => Promise<GgrReport>): Promise<GgrReport> {
  const days = daysOf(range);
  if (days <= PAGE_DAYS)
    try {
      return await read(range);
    } catch (cause) {
      if (!(cause instanceof Failure && hasTooManyRows(cause) && days > 1)) throw cause;
    }
  const middle = plusDays(range.from, Math.floor(days / 2));
  const earlier = await readWhole({ from: range.from, to: plusDays(middle, -1) }, read);
  const whole = together(earlier, await readWhole({ from: middle, to: range.to }, read));
  const many = whole.rows?.length ?? 0;
  if (many > FILE_ROWS)
    throw new Failure("VALIDATION_ERROR", "", "", [
      { field: "group_by", text: `a report of at most ${FILE_ROWS} rows` },
    ]);
  return whole;
}

/** The report of the days of both. */
function together(earlier: GgrReport, later: GgrReport): GgrReport {
  const rows = new Map((earlier.rows ?? []).map((row) => [row.key ?? "", row]));
  for (const row of later.rows ?? []) {
    const before = rows.get(row.key ?? "");
    rows.set(row.key ?? "", before === undefined ? row : sumOf(before, row));
  }
  return { ...later, rows: [...rows.values()], totals: sumOf(earlier.totals ?? {}, later.totals ?? {}) };
}

const SUMS = ["bets", "refunds", "wins", "rollbacks"] as const;
const plus = (a: Whole, b: Whole): string => String(BigInt(a ?? 0) + BigInt(b ?? 0));

const both = (a: GgrSum | undefined, b: GgrSum | undefined): GgrSum => ({
  count: (a?.count ?? 0) + (b?.count ?? 0),
  amountMinor: plus(a?.amountMinor, b?.amountMinor),
});

const sumOf = (a: GgrRow, b: GgrRow): GgrRow => ({
  ...(a.key !== undefined && { key: a.key }),
  ...Object.fromEntries(SUMS.map((name) => [name, both(a[name], b[name])])),
  ggrMinor: plus(a.ggrMinor, b.ggrMinor),
  pending: { count: (a.pending?.count ?? 0) + (b.pending?.count ?? 0) },
  ...kindsOf(a, b),
});

/** The sums of each kind of both rows, if there are any. */
function kindsOf(a: GgrRow, b: GgrRow): Pick<GgrRow, "ofWhich"> {
  const all = [a, b].flatMap(({ ofWhich }) => ofWhich?.sums ?? []);
  const sums = [...Map.groupBy(all, ({ action, kind }) => `${action} ${kind}`).values()].flatMap(([one, other]) =>
    one === undefined ? [] : [other === undefined ? one : { ...one, ...both(one, other) }],
  );
  return sums.length > 0 ? { ofWhich: { sums } } : {};
}
