import type { VNode } from "preact";
import { Folded } from "../../parts/folded.tsx";
import { count, duration, money } from "../../parts/format.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { words } from "../../shell/language.ts";
import { currenciesOf, type PendingAge, pendingOf, type Today } from "./figures.ts";

/** At most this many transactions of a merchant are counted. */
const COUNTED_MAX = 5_000;

interface Row {
  readonly currency: string;
  readonly ages: readonly Required<PendingAge>[];
}

/** A minimum age as text: `over 10 min`. Everything that is pending has an age over 0. */
export const ageText = (olderThanS: number): string =>
  olderThanS === 0 ? words.today.anyAge : words.today.over(duration(olderThanS * 1_000));

/**
 * Money that waits for the wallets: number and value by minimum age, a row for each currency that has some. In a narrow
 * window it is the last part of the page, because it is as high as it has rows.
 */
export function Pending({ today }: { readonly today: Today }): VNode {
  const say = words.today;
  const rows = currenciesOf(today)
    .map((currency): Row => ({ currency, ages: pendingOf(today, currency) }))
    .filter(({ ages }) => ages.some((age) => age.count > 0));
  const columns: Column<Row>[] = [
    { title: say.currency, isName: true, cell: ({ currency }) => currency },
    ...(rows[0]?.ages ?? []).map(
      ({ olderThanS }, i): Column<Row> => ({
        title: ageText(olderThanS),
        isFigure: true,
        // An empty cell is as high as one with figures, so that the rows do not move.
        cell: ({ currency, ages }) =>
          (ages[i]?.count ?? 0) === 0 ? (
            <>
              –<br />
              <small>{"\u00a0"}</small>
            </>
          ) : (
            <>
              {count(ages[i]?.count)}
              <br />
              <small>{money(ages[i]?.amountMinor, currency)}</small>
            </>
          ),
      }),
    ),
  ];
  const isCut = (today.merchants ?? []).some(({ pending = [] }) => (pending[0]?.count ?? 0) >= COUNTED_MAX);
  return (
    <section class="pending" aria-labelledby="pending-title">
      <h2 id="pending-title">{say.pendingTitle}</h2>
      {rows.length === 0 ? (
        <p class="none">{say.pendingNone}</p>
      ) : (
        <Folded summary={say.pendingFold}>
          <small>
            {say.pendingText} {isCut && say.cut(count(COUNTED_MAX))}
          </small>
          <Table caption={say.pendingTitle} columns={columns} rows={rows} keyOf={({ currency }: Row) => currency} />
        </Folded>
      )}
    </section>
  );
}
