import type { MetricValue, MetricValues } from "../ports/metric-values.ts";

/** The number of merchants that keep their series although no running worker has them. */
const MERCHANTS_MAX = 50;
/** The value of the label `merchant` that all merchants without their own value share. */
const OTHER = "other";

interface Ended {
  readonly metric: MetricValues;
  readonly series: Map<string, MetricValue>;
}

/**
 * The counters and histograms of workers that have ended. They are added to those of the running workers, so that no
 * counter of the replica falls: Prometheus would take a lower value for a restart from 0, and count all calls of the
 * running workers a second time.
 */
export class EndedCounters {
  readonly #metrics = new Map<string, Ended>();

  /** Adds the last values of a worker that has ended. */
  add(metrics: readonly MetricValues[]): void {
    for (const metric of metrics) this.#add(metric, metric.values);
  }

  /**
   * Adds what a running worker no longer counts. A merchant that loses its own label also loses its series, and begins
   * again at 0 if it gets the label back.
   */
  addDropped(before: readonly MetricValues[], after: readonly MetricValues[]): void {
    const now = new Map(after.map((metric) => [metric.name, metric.values]));
    for (const metric of before) this.#add(metric, dropped(metric.values, now.get(metric.name) ?? []));
  }

  /**
   * The values so far.
   *
   * @param running - the metrics of the running workers. If many merchants have a series here and none there, these
   * series end. So their number is limited, however often merchants gain and lose their labels.
   */
  values(running: readonly MetricValues[]): MetricValues[] {
    return [...this.#metrics.values()].map(({ metric, series }) => {
      limitMerchants(
        series,
        running.filter(({ name }) => name === metric.name),
      );
      return { ...metric, values: [...series.values()] };
    });
  }

  #add(metric: MetricValues, values: readonly MetricValue[]): void {
    if (metric.type !== "counter" && metric.type !== "histogram") return;
    const { series } = this.#metrics.get(metric.name) ?? { series: new Map<string, MetricValue>() };
    this.#metrics.set(metric.name, { metric: { ...metric, values: [] }, series });
    for (const one of values) {
      const key = keyOf(one);
      series.set(key, { ...one, value: one.value + (series.get(key)?.value ?? 0) });
    }
  }
}

/** The same text for the same series, in whatever order its labels are. */
const keyOf = ({ metricName = "", labels }: MetricValue): string =>
  JSON.stringify([metricName, ...Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))]);

/** The values of `before` whose series has ended or has begun again at 0 in `after`. */
function dropped(before: readonly MetricValue[], after: readonly MetricValue[]): readonly MetricValue[] {
  // Usually all series are still there, in the same order, and new ones follow them.
  if (before.every((one, i) => goesOn(one, after[i]))) return [];
  const now = new Map(after.map((one) => [keyOf(one), one.value]));
  return before.filter((one) => one.value > (now.get(keyOf(one)) ?? 0));
}

const goesOn = (before: MetricValue, after: MetricValue | undefined): boolean =>
  after !== undefined &&
  before.metricName === after.metricName &&
  before.value <= after.value &&
  Object.keys(before.labels).every((label) => before.labels[label] === after.labels[label]);

function limitMerchants(series: Map<string, MetricValue>, running: readonly MetricValues[]): void {
  const merchantOf = ({ labels: { merchant } }: MetricValue) => (merchant === OTHER ? undefined : merchant);
  const gone = new Set([...series.values()].map(merchantOf));
  gone.delete(undefined);
  if (gone.size <= MERCHANTS_MAX) return;
  for (const { values } of running) for (const { labels } of values) gone.delete(labels.merchant);
  // A set keeps its order, so those that came first end first.
  const over = new Set([...gone].slice(0, Math.max(0, gone.size - MERCHANTS_MAX)));
  for (const [key, one] of series) if (over.has(merchantOf(one))) series.delete(key);
}
