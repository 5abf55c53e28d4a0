import type { ComponentChildren, VNode } from "preact";
import type { CsvDialect } from "../../../../web-files/csv.ts";
import { change, majorNumber } from "../../parts/amount.ts";
import { Badge } from "../../parts/badge.tsx";
import { download } from "../../parts/export/csv.ts";
import { SaveCsv } from "../../parts/export/save-csv.tsx";
import { day, days, money, percent, time } from "../../parts/format.ts";
import { lazy } from "../../parts/lazy.tsx";
import { Plot, type Series } from "../../parts/plot.tsx";
import { Empty, failureText } from "../../parts/state.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import type { Failure } from "../../service/failure.ts";
import type { GgrReport } from "../../service/types.ts";
import { readMoreWords, words } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";
import { DifferingSums } from "./differing-sums.tsx";
import { areWhole, figureColumns } from "./figure-columns.ts";
import { type Line, linesCsv, linesOf } from "./lines.ts";
import { type Comparison, daysOf, isOpenDay, plusDays, type Range } from "./ranges.ts";
import { currencyOf, type Subject } from "./subject.ts";

const KindTable = lazy(async () => {
  await readMoreWords();
  return (await import(/* webpackChunkName: "reports-more" */ "./kind-table.tsx")).KindTable;
});

/** A plot with more groups can't be read. The table has all of them. */
const PLOTTED_MAX = 20;

interface ViewProps {
  readonly subject: Subject;
  /** The filters of the address. */
  readonly query: Readonly<Record<string, string>>;
  /** What the report is about, and the filters, in words. */
  readonly about: string;
  readonly comparison: Comparison;
  readonly report: GgrReport;
  readonly range: Range;
  readonly other: GgrReport | undefined;
  readonly otherRange: Range | null;
  readonly otherFailure: Failure | undefined;
}

/** The name of a report's CSV file. */
export const fileOf = (subject: Subject, { from, to }: Range, by: string): string =>
  `ggr-${currencyOf(subject) ?? subject}-${from}-${to}-${by}.csv`;

/** A report that came: its sums, its plot, its table. */
export function ReportView(props: ViewProps): VNode {
  const { subject, query, about, comparison, report, range, other, otherRange, otherFailure } = props;
  const say = words.reports;
  const lines = linesOf(report, range, other, otherRange);
  const { currency, totals = {} } = report;
  const isByDay = report.groupBy === "day";
  const name = ({ key, row, other: before }: Line): string =>
    isByDay
      ? day(key)
      : report.groupBy === "type"
        ? ((say.types as Readonly<Record<string, string>>)[key] ?? key)
        : row.name || before?.name || key;
  const nameCell = (line: Line): ComponentChildren => {
    const { key } = line;
    if (report.groupBy === "merchant")
      return <a href={addressOf("reports", { ...query, merchant: key, by: "day" })}>{key}</a>;
    const text = name(line);
    return report.groupBy === "game" || report.groupBy === "provider" ? (
      <span class="named">
        {text}
        {text !== key && (
          <>
            <br />
            <small class="id">{key}</small>
          </>
        )}
      </span>
    ) : (
      text
    );
  };
  const save = (dialect: CsvDialect): void =>
    download(fileOf(subject, range, report.groupBy), linesCsv(lines, report, dialect));
  const plotted = lines.slice(0, isByDay ? undefined : PLOTTED_MAX);
  const series: Series[] = [
    {
      label: days(range),
      colour: "violet",
      kind: "bars",
      values: plotted.map(({ row }) => majorNumber(row.ggrMinor, currency)),
    },
    ...(other === undefined || otherRange === null
      ? []
      : [
          {
            label: days(otherRange),
            colour: "wait",
            kind: "bars",
            values: plotted.map((line) => majorNumber(line.other?.ggrMinor, currency)),
          } as const,
        ]),
  ];
  const own = (place: number): string => {
    const line = plotted[place];
    return line === undefined ? "" : name(line);
  };
  // Two bars above one place of the plot are of two days.
  const both = (place: number): string =>
    isByDay && other !== undefined && otherRange !== null
      ? `${own(place)} | ${day(plusDays(otherRange.from, place))}`
      : own(place);
  const columns = columnsOf(report, range, nameCell, other === undefined ? null : otherRange);
  const isWhole = areWhole(range.to, otherRange?.to, report);
  const changed =
    other && isWhole ? `, ${say.change}: ${percent(change(totals.ggrMinor, other.totals?.ggrMinor))}` : "";
  const total: Line = { key: "", row: totals, other: other?.totals ?? (other && {}) };
  const ranges = otherRange === null ? [range] : [range, otherRange];
  return (
    <>
      <DifferingSums subject={subject} tz={report.tz} ranges={ranges} />
      <p class="sums">
        <strong>{say.earned(about, money(totals.ggrMinor, currency), `${days(range)}, ${report.tz}`)}</strong>
        {other && otherRange && (
          <span>
            {say.against(say.comparisons[comparison], money(other.totals?.ggrMinor, currency), days(otherRange))}
            {changed}
          </span>
        )}
        {otherFailure && (
          <span class="fault" role="alert">
            {failureText(otherFailure)}
          </span>
        )}
      </p>
      {(report.rows ?? []).length === 0 && (other?.rows ?? []).length === 0 ? (
        <Empty title={say.none}>{say.noneText}</Empty>
      ) : (
        <>
          <Plot
            label={say.plot(about, days(range))}
            series={series}
            places={plotted.length}
            xText={isByDay && range.from === range.to ? both : own}
            placeText={both}
            hasNames={!isByDay}
            yText={(value: number) => value.toLocaleString(undefined, { maximumFractionDigits: 2 })}
          />
          {lines.length > plotted.length && (
            <p>
              <small>{say.plotted(PLOTTED_MAX)}</small>
            </p>
          )}
          <Table caption={say.title} columns={columns} rows={lines} keyOf={({ key }: Line) => key} foot={total} />
          {(totals.ofWhich?.sums ?? []).length > 0 && <KindTable totals={totals} currency={currency} />}
          {other && !isWhole && (
            <p>
              <small>{say.openText}</small>
            </p>
          )}
          <div class="actions">
            <SaveCsv onSave={save} />
            <small>
              {say.asOf(time(report.asOf))} {report.tz}
            </small>
          </div>
        </>
      )}
    </>
  );
}

function columnsOf(
  report: GgrReport,
  range: Range,
  name: (line: Line) => ComponentChildren,
  otherRange: Range | null,
): Column<Line>[] {
  const say = words.reports;
  const { currency, groupBy, tz, asOf } = report;
  // Days are compared whole. A group and the sum have all days, also the one that is not complete.
  const isWhole = ({ key }: Line): boolean => {
    const isDay = groupBy === "day" && key !== "";
    const place = isDay ? daysOf({ from: range.from, to: key }) - 1 : daysOf(range) - 1;
    return areWhole(
      plusDays(range.from, place),
      otherRange === null ? undefined : plusDays(otherRange.from, place),
      report,
    );
  };
  return [
    {
      title: say.groups[groupBy as keyof typeof say.groups],
      isName: true,
      cell: (line) =>
        line.key === "" ? (
          say.total
        ) : groupBy === "day" && isOpenDay(line.key, tz, asOf) ? (
          <>
            {name(line)} <Badge tone="wait" text={say.open} />
          </>
        ) : (
          name(line)
        ),
    },
    ...figureColumns({ currencyOf: () => currency, isWhole, isCompared: otherRange !== null }),
  ];
}
