import type { VNode } from "preact";
import { shareOf } from "../../parts/amount.ts";
import { count, money, percent } from "../../parts/format.ts";
import { type Column, Table } from "../../parts/table.tsx";
import type { GgrRow, KindSum } from "../../service/types.ts";
import { moreWords, words } from "../../shell/language.ts";

/** The parts of a report's bets and wins that have a kind, such as tips and jackpots. */
export function KindTable({ totals, currency }: { readonly totals: GgrRow; readonly currency: string }): VNode {
  const say = moreWords.kindTable;
  const rows = totals.ofWhich?.sums ?? [];
  const kinds: Readonly<Record<string, string>> = words.transactions.kinds;
  const whole = (action: KindSum["action"]) => (action === "bet" ? totals.bets : totals.wins)?.amountMinor;
  const columns: Column<KindSum>[] = [
    { title: say.kind, isName: true, cell: ({ kind }) => kinds[kind] ?? kind },
    { title: say.partOf, cell: ({ action }) => (action === "bet" ? say.allBets : say.allWins) },
    { title: say.number, isFigure: true, cell: (sum) => count(sum.count) },
    { title: say.amount, isFigure: true, cell: (sum) => money(sum.amountMinor, currency) },
    {
      title: say.share,
      isFigure: true,
      cell: ({ action, amountMinor }) => percent(shareOf(amountMinor, whole(action))),
    },
  ];
  return (
    <section>
      <h2>{say.ofWhich}</h2>
      <Table caption={say.ofWhich} columns={columns} rows={rows} keyOf={({ action, kind }) => `${action} ${kind}`} />
    </section>
  );
}
