import { keyText, type TxKey } from "../../../domain/values/identifiers.ts";

type Run<Line, Out> = (lines: readonly Line[]) => Promise<readonly Out[]>;

/**
 * Runs a batch sorted by the keys of its lines. The results are in the order of the lines. In a test with overlapping
 * batches, a third of the runs without a fixed order deadlocked, and none with it. Any fixed order would do.
 */
export async function inOrder<Line, Out>(
  lines: readonly Line[],
  keyOf: (line: Line) => TxKey,
  run: Run<Line, Out>,
): Promise<Out[]> {
  const order = lines.map((line, at) => ({ key: keyOf(line), at })).sort((a, b) => compare(a.key, b.key));
  const outs = await run(order.map(({ at }) => lines[at] as Line));
  const answers = new Array<Out>(lines.length);
  order.forEach(({ at }, i) => {
    answers[at] = outs[i] as Out;
  });
  return answers;
}

const compare = (a: TxKey, b: TxKey): number =>
  a.merchantId - b.merchantId || (a.txId < b.txId ? -1 : a.txId > b.txId ? 1 : 0);

/**
 * If several lines change the same row, runs these lines one after the other. The reason: a statement decides about
 * each line by the rows as they were before the statement. Nearly always one statement runs all lines.
 */
export function waves<Line, Out>(
  lines: readonly Line[],
  keyOf: (line: Line) => TxKey,
  run: Run<Line, Out>,
): Promise<Out[]> {
  const seen = new Set<string>();
  const isFirst = (line: Line): boolean => {
    const key = keyText(keyOf(line));
    const first = !seen.has(key);
    seen.add(key);
    return first;
  };
  return apart(lines, isFirst, run, (later) => waves(later, keyOf, run));
}

/** Runs the lines for which `belongs` is true with `first`, then the other lines with `then`. */
export async function apart<Line, Out>(
  lines: readonly Line[],
  belongs: (line: Line) => boolean,
  first: Run<Line, Out>,
  then: Run<Line, Out>,
): Promise<Out[]> {
  const picked: number[] = [];
  const others: number[] = [];
  lines.forEach((line, at) => void (belongs(line) ? picked : others).push(at));
  if (others.length === 0) return [...(await first(lines))];
  if (picked.length === 0) return [...(await then(lines))];
  const answers = new Array<Out>(lines.length);
  for (const [part, run] of [[picked, first] as const, [others, then] as const]) {
    const outs = await run(part.map((at) => lines[at] as Line));
    part.forEach((at, i) => {
      answers[at] = outs[i] as Out;
    });
  }
  return answers;
}
