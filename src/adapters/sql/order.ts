import { keyText, type TxKey } from "../../domain/identifiers.ts";

/**
 * Runs a batch in the one order that every batch keeps, and answers in the order of the lines. Unsorted overlapping batches
 * deadlocked in a third of the runs, sorted ones never; which order it is doesn't matter.
 */
export async function inOrder<Line, Out>(lines: readonly Line[], keyOf: (line: Line) => TxKey, run: (sorted: readonly Line[]) => Promise<readonly Out[]>): Promise<Out[]> {
  const order = lines.map((line, at) => ({ key: keyOf(line), at })).sort((a, b) => compare(a.key, b.key));
  const outs = await run(order.map(({ at }) => lines[at] as Line));
  const answers = new Array<Out>(lines.length);
  order.forEach(({ at }, i) => {
    answers[at] = outs[i] as Out;
  });
  return answers;
}

const compare = (a: TxKey, b: TxKey): number => a.merchantId - b.merchantId || (a.txId < b.txId ? -1 : a.txId > b.txId ? 1 : 0);

/**
 * Runs lines that would touch the same row one after the other: a statement judges each line by the rows as they were before it.
 * Nearly always that is a single run.
 */
export async function waves<Line, Out>(lines: readonly Line[], keyOf: (line: Line) => TxKey, run: (wave: readonly Line[]) => Promise<readonly Out[]>): Promise<Out[]> {
  const seen = new Set<string>();
  const wave: number[] = [];
  const later: number[] = [];
  lines.forEach((line, at) => {
    const key = keyText(keyOf(line));
    (seen.has(key) ? later : wave).push(at);
    seen.add(key);
  });
  if (later.length === 0) return [...(await run(lines))];
  const answers = new Array<Out>(lines.length);
  const pick = (at: readonly number[]): Line[] => at.map((i) => lines[i] as Line);
  const keep = (at: readonly number[], outs: readonly Out[]): void =>
    at.forEach((i, n) => {
      answers[i] = outs[n] as Out;
    });
  keep(wave, await run(pick(wave)));
  keep(later, await waves(pick(later), keyOf, run));
  return answers;
}
