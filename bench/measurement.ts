import type { Options } from "./options.ts";
import type { Spread } from "./report/statistics.ts";

/** One of the bench's measurements: it starts what it needs, measures, and ends what it started. */
export interface Measurement {
  readonly name: string;
  run(bench: Bench): Promise<Section>;
}

/** The context that all measurements share. */
export interface Bench {
  readonly options: Options;
  /** An empty folder of this measurement; removed after it. */
  readonly folder: string;
  /** Prints progress to the standard error output. */
  say(text: string): void;
  /** Bets per second of the whole path at 64 concurrent on MariaDB, once a measurement has found it out. */
  capacity: number | undefined;
  /** The same with program and database on one core of their own (stage.ts, `pinned`). */
  pinnedCapacity: number | undefined;
}

/** The result of a measurement. */
export interface Section {
  readonly title: string;
  /** How it was measured, in a sentence or two. */
  readonly method: string;
  readonly tables: readonly Table[];
  readonly targets: readonly Target[];
  /** Violations of a rule that must always hold: with one of them the bench ends with an error. */
  readonly violations?: readonly string[];
  /** Every single figure, for the result file. */
  readonly raw: unknown;
}

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A bound that a figure has to keep. */
export interface Target {
  readonly what: string;
  readonly measured: Spread;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
  readonly unit: string;
}

export const isMet = ({ measured, bound }: Target): boolean =>
  "atLeast" in bound ? measured.median >= bound.atLeast : measured.median <= bound.atMost;
