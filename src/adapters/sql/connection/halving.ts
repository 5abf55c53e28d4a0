import { type LineResult, StoreFault } from "../../../ports/transactions/transaction-store.ts";
import { type Failures, failureOf } from "./failure.ts";

/**
 * Runs a batch. If the database refuses the batch because of its content, this function runs each half, and so on until
 * the refused line is alone. A line is one entry of the batch. Only the refused line gets a {@link StoreFault}; the
 * other lines are written.
 */
export async function halving<Line, Out>(
  dialect: { readonly failures: Failures },
  lines: readonly Line[],
  run: (lines: readonly Line[]) => Promise<Out[]>,
): Promise<LineResult<Out>[]> {
  if (lines.length === 0) return [];
  try {
    return await run(lines);
  } catch (error) {
    if (failureOf(dialect, error) !== "content") throw error;
    if (lines.length === 1) return [new StoreFault("the database refused this line for its content", { cause: error })];
    const half = lines.length >> 1;
    return [
      ...(await halving(dialect, lines.slice(0, half), run)),
      ...(await halving(dialect, lines.slice(half), run)),
    ];
  }
}
