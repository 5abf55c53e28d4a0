import type { Violation } from "../../testbed/judge/record.ts";
import type { RowResult } from "./stage.ts";

/**
 * The results of each row in all stages together, as Markdown. The last line of the table has the number of violations
 * that belong to no row.
 */
export function table(results: readonly RowResult[], violations: readonly Violation[]): string {
  const rows = [...Map.groupBy(results, ({ row }) => row)].map(([{ id, what }, all]) => {
    const sum = (of: (one: RowResult) => number) => all.reduce((total, one) => total + of(one), 0);
    const found = violations.filter(({ key }) => rowOf(key) === id).length;
    return `| ${id} ${what} | ${sum(({ runs }) => runs)} | ${sum(({ requests }) => requests)} | ${sum(({ calls }) => calls)} | ${counts(all, "outcomes")} | ${counts(all, "situations")} | ${found} |`;
  });
  const elsewhere = violations.filter(({ key }) => rowOf(key) === undefined).length;
  return [
    "| row | runs | requests | wallet calls | told | came about | violations |",
    "|---|---:|---:|---:|---|---|---:|",
    ...rows,
    ...(elsewhere === 0 ? [] : [`| all | | | | | | ${elsewhere} |`]),
  ].join("\n");
}

const rowOf = (key: string): string | undefined => /:(?:refund~)?(D\d+)-/.exec(key)?.[1];

function counts(all: readonly RowResult[], of: "outcomes" | "situations"): string {
  const sums = new Map<string, number>();
  for (const one of all) for (const [answer, n] of one[of]) sums.set(answer, (sums.get(answer) ?? 0) + n);
  return [...sums]
    .toSorted(([, a], [, b]) => b - a)
    .map(([answer, n]) => `${n} ${answer}`)
    .join(", ");
}
