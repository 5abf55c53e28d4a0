import type { Run } from "./run.ts";

/** A row of the catalogue: what is done again and again, and how often. */
export interface Row {
  readonly id: `D${number}`;
  readonly what: string;
  /** Of the whole command. */
  readonly runs: number;
  /** In `npm test`. */
  readonly briefly: number;
  readonly atOnce: number;
  run(run: Run): Promise<void>;
}
