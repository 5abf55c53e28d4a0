import { CELLS, IMPOSSIBLE, nameOf, POINTS } from "./cells.ts";
import type { RoundReport } from "./round.ts";

/**
 * The results of the rounds in Markdown: for each point the number of kills and pauses, and the number of cells that
 * were reached.
 */
export function tableOf(rounds: readonly RoundReport[]): string {
  const rows = POINTS.map((point) => {
    const cells = CELLS.filter((cell) => cell.point === point);
    const met = (kind: string) =>
      new Set(
        rounds.flatMap(({ hits }) =>
          hits.filter((hit) => hit.kind === kind && hit.cell.point === point).map(({ cell }) => nameOf(cell)),
        ),
      ).size;
    const transactions = (kind: string) =>
      rounds.reduce(
        (sum, { hits }) => sum + hits.filter((hit) => hit.kind === kind && hit.cell.point === point).length,
        0,
      );
    const processes = (kind: string) =>
      rounds.reduce((sum, { injections: injured }) => sum + (injured.get(`${kind} ${point}`) ?? 0), 0);
    const of = (kind: string) => `${processes(kind)} | ${transactions(kind)} | ${met(kind)} of ${cells.length}`;
    return `| ${point} | ${of("kill")} | ${of("pause")} |`;
  });
  const missed = rounds.flatMap((round) => round.missed.map(({ cell, kind }) => `${kind} ${nameOf(cell)}`));
  const reasons = Map.groupBy(IMPOSSIBLE, ({ why }) => why);
  return [
    "| point | processes killed | transactions there | cells met | processes paused | transactions there | cells met |",
    "|---|---|---|---|---|---|---|",
    ...rows,
    "",
    `Cells tried and not met: ${missed.length === 0 ? "none" : missed.join("; ")}`,
    "",
    ...[...reasons].map(([why, cells]) => `No such cell, ${cells.length} times: ${why}.`),
  ].join("\n");
}
