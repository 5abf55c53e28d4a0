import type { Options } from "./options.ts";
import type { Spread } from "./report/statistics.ts";

/** One of the bench's measurements. It starts the processes that it needs, measures, and ends them. */
export interface Measurement {
  readonly name: string;
  run(bench: Bench): Promise<Section>;
}

/** The context that all measurements share. */
export interface Bench {
  readonly options: Options;
  /** An empty folder for this measurement. It is removed afterwards. */
  readonly folder: string;
  /** Prints progress to the standard error output. */
  log(text: string): void;
  /**
   * The capacity in bets per second: the whole service with 64 callers on MariaDB. Undefined until the measurement
   * `speed-mariadb` has run.
   */
  capacity: number | undefined;
  /** The capacity when program and database share one core (stage.ts, `pinned`). */
  pinnedCapacity: number | undefined;
}

/** The result of a measurement. */
export interface Section {
  readonly title: string;
  /** The method, in one or two sentences. */
  readonly method: string;
  readonly tables: readonly Table[];
  readonly targets: readonly Target[];
  /** Violations of rules that must always hold. After a violation the bench exits with an error. */
  readonly violations?: readonly string[];
  /** Every single figure, for the result file. */
  readonly raw: unknown;
}

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A limit for a figure. */
export interface Target {
  readonly what: string;
  readonly measured: Spread;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
  readonly unit: string;
}

export const isMet = ({ measured, bound }: Target): boolean =>
  "atLeast" in bound ? measured.median >= bound.atLeast : measured.median <= bound.atMost;
