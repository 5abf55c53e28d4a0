import { Run } from "./run.ts";
import type { RowTitle, Stage } from "./stage.ts";

/** A row of the catalogue: a test, and how often it is repeated. */
export interface Row extends RowTitle {
  /** The number of runs in `npm run storms`. */
  readonly runs: number;
  /** The number of runs in `npm test`. */
  readonly briefly: number;
  /** The number of runs at the same time. */
  readonly atOnce: number;
  run(run: Run): Promise<void>;
}

/** Runs a row `runs` times, at most `row.atOnce` of them at the same time. */
export async function runRow(stage: Stage, row: Row, runs: number): Promise<void> {
  const first = stage.begin(row, runs);
  let next = first;
  const line = async (): Promise<void> => {
    while (next < first + runs) await row.run(new Run(stage, row, next++, stage.options.seed));
  };
  await Promise.all(Array.from({ length: Math.min(row.atOnce, runs) }, line));
}
