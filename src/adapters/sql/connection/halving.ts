import { type LineResult, StoreFault } from "../../../ports/transactions/transaction-store.ts";
import { failureOf } from "./failure.ts";

/**
 * Runs a batch; when the database refuses it for its content, each half, and so on until the culprit is alone: only that line
 * gets a {@link StoreFault}, its neighbours are done.
 */
export async function halving<Line, Out>(lines: readonly Line[], run: (lines: readonly Line[]) => Promise<Out[]>): Promise<LineResult<Out>[]> {
  if (lines.length === 0) return [];
  try {
    return await run(lines);
  } catch (error) {
    if (failureOf(error) !== "content") throw error;
    if (lines.length === 1) return [new StoreFault("the database refused this line for its content", { cause: error })];
    const half = lines.length >> 1;
    return [...(await halving(lines.slice(0, half), run)), ...(await halving(lines.slice(half), run))];
  }
}
