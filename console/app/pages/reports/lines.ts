import { KIND_SUMS } from "../../../../contract/transactions/kinds.ts";
import type { CsvCell, CsvDialect } from "../../../../web-files/csv.ts";
import { majorText, shareOf, type Whole } from "../../parts/amount.ts";
import { csvOf } from "../../parts/export/csv.ts";
import type { GgrReport, GgrRow, KindSum } from "../../service/types.ts";
import { daysOf, plusDays, type Range } from "./ranges.ts";

/** A line of the report: one group, and the same group of the range that it is compared with. */
export interface Line {
  readonly key: string;
  readonly row: GgrRow;
  readonly other: GgrRow | undefined;
}

/** The lines of a report. Days are compared by their place in the range, other groups by their key. */
export function linesOf(
  report: GgrReport,
  range: Range,
  other: GgrReport | undefined,
  otherRange: Range | null,
): Line[] {
  const rows = byKey(report);
  const others = other === undefined ? undefined : byKey(other);
  if (report.groupBy !== "day") {
    const keys = [...new Set([...rows.keys(), ...(others?.keys() ?? [])])];
    const lines = keys.map((key) => ({ key, row: rows.get(key) ?? {}, other: others && (others.get(key) ?? {}) }));
    return lines.sort((a, b) => compare(b.row.ggrMinor, a.row.ggrMinor));
  }
  return Array.from({ length: daysOf(range) }, (_, i) => {
    const key = plusDays(range.from, i);
    const against = otherRange === null ? undefined : others?.get(plusDays(otherRange.from, i));
    return { key, row: rows.get(key) ?? {}, other: others && (against ?? {}) };
  });
}

const byKey = (report: GgrReport): Map<string, GgrRow> =>
  new Map((report.rows ?? []).map((row) => [row.key ?? "", row]));

const compare = (a: Whole, b: Whole): number => Number(BigInt(a ?? 0) - BigInt(b ?? 0));

/** The stakes that stayed, in minor units: bets without refunds. */
export const turnover = ({ bets, refunds }: GgrRow): bigint =>
  BigInt(bets?.amountMinor ?? 0) - BigInt(refunds?.amountMinor ?? 0);

/** The share of the turnover that the house kept. NaN without a turnover. */
export const margin = (row: GgrRow): number => shareOf(row.ggrMinor, turnover(row));

/** The sum of a line's bets or wins of one kind; undefined: there are none. */
const kindSum = ({ ofWhich }: GgrRow, { action, kind }: Pick<KindSum, "action" | "kind">): KindSum | undefined =>
  ofWhich?.sums?.find((one) => one.action === action && one.kind === kind);

/**
 * The lines as CSV, with amounts in the major unit. The names of columns are those of the API. A kind of money has columns
 * only if a line has money of this kind.
 */
export function linesCsv(lines: readonly Line[], { currency, groupBy }: GgrReport, dialect: CsvDialect): string {
  const amount = (minor: Whole): CsvCell => ({ rawJSON: majorText(minor, currency) });
  const count = (value: Whole): CsvCell => ({ rawJSON: String(value ?? 0) });
  const isCompared = lines.some(({ other }) => other !== undefined);
  const header = [groupBy, "currency", "bets", "refunds", "wins", "rollbacks", "ggr", "bets_count", "pending_count"];
  const kinds = KIND_SUMS.filter((one) => lines.some(({ row }) => kindSum(row, one) !== undefined));
  const rows: CsvCell[][] = [
    [...header, ...(isCompared ? ["ggr_compared"] : []), ...kinds.flatMap(({ column }) => [column, `${column}_count`])],
    ...lines.map(({ key, row, other }) => [
      key,
      currency,
      ...([row.bets, row.refunds, row.wins, row.rollbacks] as const).map((sum) => amount(sum?.amountMinor)),
      amount(row.ggrMinor),
      count(row.bets?.count),
      count(row.pending?.count),
      ...(isCompared ? [amount(other?.ggrMinor)] : []),
      ...kinds.flatMap((one) => {
        const sum = kindSum(row, one);
        return [amount(sum?.amountMinor), count(sum?.count)];
      }),
    ]),
  ];
  return csvOf(rows, dialect);
}
