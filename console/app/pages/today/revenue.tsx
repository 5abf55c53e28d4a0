import type { VNode } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { change, majorNumber } from "../../parts/amount.ts";
import { keepCurrency, keptCurrency } from "../../parts/filters/kept-currency.ts";
import { count, decimal, hourOfDay, money, percent } from "../../parts/format.ts";
import { Plot, type Series } from "../../parts/plot.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { words } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";
import type { OpenAlert } from "./alerts.tsx";
import {
  type CurrencySums,
  currenciesOf,
  currencySums,
  firstCurrency,
  type Hour,
  hoursOf,
  type Today,
} from "./figures.ts";

interface RevenueProps {
  readonly today: Today;
  readonly query: Readonly<Record<string, string>>;
  readonly alerts: readonly OpenAlert[];
}

/** The GGR of each hour in one currency as a plot, and the sums of all currencies. */
export function Revenue({ today, query, alerts }: RevenueProps): VNode {
  const say = words.today;
  const sums = currenciesOf(today).map((currency) => currencySums(today, currency));
  const isKnown = (currency: string | null | undefined): currency is string =>
    sums.some((one) => one.currency === currency);
  // The first choice stays, even if another currency gets more bets later.
  const [first] = useState(() => {
    const kept = keptCurrency();
    return isKnown(kept) ? kept : firstCurrency(today, new Set(alerts.map(({ merchant = "" }) => merchant)));
  });
  const currency = isKnown(query.currency) ? query.currency : first;
  const hasBets = sums.some((one) => one.currency === currency && one.bets > 0n);
  // A day without bets says nothing about the reader's currency. It is kept before the page is painted: an effect after
  // the paint never runs when the reader leaves the page at once.
  useLayoutEffect(() => {
    if (hasBets || isKnown(query.currency)) keepCurrency(currency);
  }, [currency, hasBets]);
  const hours = hoursOf(today, currency);
  const plotted = (of: (hour: Hour) => bigint | null): (number | null)[] =>
    hours.map((hour) => {
      const minor = of(hour);
      return minor === null ? null : majorNumber(String(minor), currency);
    });
  const series: Series[] = [
    {
      label: say.title,
      colour: "violet",
      kind: "bars",
      values: plotted(({ ggr, state }) => (state === "to come" ? null : ggr)),
    },
    { label: say.weekBefore, colour: "wait", kind: "bars", values: plotted(({ before }) => before) },
  ];
  return (
    <section aria-labelledby="revenue-title">
      <h2 id="revenue-title">{say.revenue(currency)}</h2>
      <Plot
        label={say.plot(currency)}
        series={series}
        places={hours.length}
        xText={(place: number) => hourOfDay(hours[place]?.at ?? 0)}
        yText={decimal}
      />
      <details>
        <summary>{say.hours}</summary>
        <Table
          caption={say.plot(currency)}
          columns={hourColumns(currency)}
          rows={hours}
          keyOf={({ at }: Hour) => String(at)}
        />
      </details>
      <Table
        caption={say.currencies}
        columns={currencyColumns(hours, currency)}
        rows={sums}
        keyOf={({ currency: key }: CurrencySums) => key}
      />
    </section>
  );
}

function hourColumns(currency: string): Column<Hour>[] {
  const say = words.today;
  const amount = (title: string, of: (hour: Hour) => bigint): Column<Hour> => ({
    title,
    isFigure: true,
    cell: (hour) => money(String(of(hour)), currency),
  });
  const ifBegun = (column: Column<Hour>): Column<Hour> => ({
    ...column,
    cell: (hour) => (hour.state === "to come" ? "–" : column.cell(hour)),
  });
  return [
    { title: say.hour, isName: true, cell: ({ at }) => hourOfDay(at) },
    ifBegun({ title: words.reports.bets, isFigure: true, cell: ({ bets }) => count(String(bets)) }),
    ifBegun(amount(words.reports.ggr, ({ ggr }) => ggr)),
    amount(say.ggrBefore, ({ before }) => before),
  ];
}

/** Only hours that are over are compared, because the running one is not complete. */
function currencyColumns(hours: readonly Hour[], shown: string): Column<CurrencySums>[] {
  const say = words.today;
  const until = hourOfDay(hours.find(({ state }) => state !== "over")?.at ?? hours[0]?.at ?? 0);
  return [
    {
      title: say.currency,
      isName: true,
      cell: ({ currency }) => (
        <a href={addressOf("today", { currency })} aria-current={currency === shown}>
          {currency}
        </a>
      ),
    },
    { title: words.reports.bets, isFigure: true, cell: ({ bets }) => count(String(bets)) },
    { title: say.ggrToday, isFigure: true, cell: ({ ggr, currency }) => money(String(ggr), currency) },
    { title: say.until(until), isFigure: true, cell: ({ overGgr, currency }) => money(String(overGgr), currency) },
    { title: say.untilBefore(until), isFigure: true, cell: ({ before, currency }) => money(String(before), currency) },
    {
      title: words.reports.change,
      isFigure: true,
      cell: ({ overGgr, before }) => percent(change(overGgr, before)),
    },
  ];
}
