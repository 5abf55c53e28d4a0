import { change, type Whole } from "../../parts/amount.ts";
import { count, money, percent } from "../../parts/format.ts";
import type { Column } from "../../parts/table.tsx";
import type { GgrReport } from "../../service/types.ts";
import { words } from "../../shell/language.ts";
import { type Line, margin, turnover } from "./lines.ts";
import { isOpenDay } from "./ranges.ts";

interface FigureColumns {
  readonly currencyOf: (line: Line) => string;
  /** Whether the days of the line, and those that it is compared with, are over. */
  readonly isWhole: (line: Line) => boolean;
  readonly isCompared: boolean;
}

/** The columns of a report's figures. A line that is not complete has no change in percent. */
export function figureColumns({ currencyOf, isWhole, isCompared }: FigureColumns): Column<Line>[] {
  const say = words.reports;
  const amount = (title: string, of: (line: Line) => Whole): Column<Line> => ({
    title,
    isFigure: true,
    cell: (line) => money(of(line), currencyOf(line)),
  });
  const compared: Column<Line>[] = [
    amount(say.before, ({ other }) => other?.ggrMinor),
    {
      title: say.change,
      isFigure: true,
      cell: (line) =>
        line.other !== undefined && isWhole(line) ? percent(change(line.row.ggrMinor, line.other.ggrMinor)) : "–",
    },
  ];
  return [
    amount(say.ggr, ({ row }) => row.ggrMinor),
    ...(isCompared ? compared : []),
    { title: say.margin, isFigure: true, cell: ({ row }) => percent(margin(row)) },
    { title: say.bets, isFigure: true, cell: ({ row }) => count(row.bets?.count) },
    amount(say.turnover, ({ row }) => String(turnover(row))),
    amount(say.paid, ({ row }) => String(BigInt(row.wins?.amountMinor ?? 0) - BigInt(row.rollbacks?.amountMinor ?? 0))),
    { title: say.pending, isFigure: true, cell: ({ row }) => count(row.pending?.count) },
  ];
}

/** Whether a day, and the one that it is compared with, are over. */
export const areWhole = (
  own: string,
  other: string | undefined,
  { tz, asOf }: Pick<GgrReport, "tz" | "asOf">,
): boolean => !isOpenDay(own, tz, asOf) && (other === undefined || !isOpenDay(other, tz, asOf));
