import type { VNode } from "preact";
import { majorNumber } from "../../parts/amount.ts";
import { day, days, time } from "../../parts/format.ts";
import { Plot } from "../../parts/plot.tsx";
import { Shown } from "../../parts/state.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { call } from "../../service/call.ts";
import type { GgrReport } from "../../service/types.ts";
import { useRead } from "../../service/use-call.ts";
import { moreWords, words } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";
import { areWhole, figureColumns } from "./figure-columns.ts";
import { type Line, linesOf } from "./lines.ts";
import type { Range } from "./ranges.ts";
import { allOf } from "./subject.ts";

interface CurrenciesProps {
  readonly rpc: string;
  readonly currencies: readonly string[];
  /** The request without its currency, days and groups. */
  readonly request: object;
  /** The filters of the address. */
  readonly query: Readonly<Record<string, string>>;
  readonly range: Range;
  readonly otherRange: Range | null;
}

interface OfCurrency {
  readonly report: GgrReport;
  readonly other: GgrReport | undefined;
}

/** Every currency beside the others, each in its own amounts. There is no sum: the service knows no exchange rate. */
export function Currencies({ rpc, currencies, request, query, range, otherRange }: CurrenciesProps): VNode {
  const say = words.reports;
  const wanted = JSON.stringify([currencies, request, range, otherRange]);
  const asked = useRead(wanted, (signal) =>
    Promise.all(
      currencies.map(async (currency): Promise<OfCurrency> => {
        const ofDays = (some: Range) => call<GgrReport>(rpc, { ...request, currency, groupBy: "day", ...some }, signal);
        const [report, other] = await Promise.all([
          ofDays(range),
          otherRange === null ? undefined : ofDays(otherRange),
        ]);
        return { report, other };
      }),
    ),
  );
  const { from, to } = say;
  return (
    <Shown asked={asked} labels={{ from, to }}>
      {(all: readonly OfCurrency[]) => (
        <>
          <Table
            caption={say.currencies}
            columns={columnsOf(all, query, range, otherRange)}
            rows={all.map(({ report, other }): Line => {
              return { key: report.currency, row: report.totals ?? {}, other: other && (other.totals ?? {}) };
            })}
            keyOf={({ key }: Line) => key}
          />
          <p>
            <small>
              {moreWords.currencies.noSum} {all[0] && `${say.asOf(time(all[0].report.asOf))} ${all[0].report.tz}`}
            </small>
          </p>
          {all.map(({ report }) => (
            <section key={report.currency} class="group" aria-labelledby={`of-${report.currency}`}>
              <h2 id={`of-${report.currency}`}>{report.currency}</h2>
              <DayPlot report={report} range={range} />
            </section>
          ))}
        </>
      )}
    </Shown>
  );
}

function DayPlot({ report, range }: { readonly report: GgrReport; readonly range: Range }): VNode {
  const say = words.reports;
  const lines = linesOf(report, range, undefined, null);
  return (
    <Plot
      label={moreWords.currencies.plotOnly(say.all(report.currency), days(range))}
      series={[
        {
          label: days(range),
          colour: "violet",
          kind: "bars",
          values: lines.map(({ row }) => majorNumber(row.ggrMinor, report.currency)),
        },
      ]}
      places={lines.length}
      xText={(place: number) => day(lines[place]?.key ?? range.from)}
      yText={(value: number) => value.toLocaleString(undefined, { maximumFractionDigits: 2 })}
    />
  );
}

function columnsOf(
  all: readonly OfCurrency[],
  query: Readonly<Record<string, string>>,
  range: Range,
  otherRange: Range | null,
): Column<Line>[] {
  const first = all[0]?.report;
  const isWhole = (): boolean => first !== undefined && areWhole(range.to, otherRange?.to, first);
  return [
    {
      title: words.today.currency,
      isName: true,
      cell: ({ key }) => <a href={addressOf("reports", { ...query, merchant: allOf(key) })}>{key}</a>,
    },
    ...figureColumns({ currencyOf: ({ key }) => key, isWhole, isCompared: otherRange !== null }),
  ];
}
