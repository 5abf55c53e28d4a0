/** A metric of one process with all its values, as one process sends it to another. */
export interface MetricValues {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram" | "summary";
  /** How the values of several processes are combined: `sum`, `max`, `min`, `average`, `first`, or `omit`. */
  readonly aggregator: string;
  readonly values: readonly MetricValue[];
}

export interface MetricValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** The name of a histogram's series, which ends with `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string;
}
