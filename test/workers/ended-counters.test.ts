import test from "ava";
import type { MetricValues } from "../../src/ports/metric-values.ts";
import { EndedCounters } from "../../src/workers/ended-counters.ts";

/** A counter with one series for each merchant. */
const calls = (values: Readonly<Record<string, number>>): MetricValues => ({
  name: "calls_total",
  help: "Calls.",
  type: "counter",
  aggregator: "sum",
  values: Object.entries(values).map(([merchant, value]) => ({ value, labels: { merchant, result: "ok" } })),
});

const seriesOf = (ended: EndedCounters, ...running: MetricValues[]): Record<string, number> =>
  Object.fromEntries(
    ended.values(running).flatMap(({ values }) => values.map(({ labels, value }) => [labels.merchant, value])),
  );

test("counters and histograms of ended workers add up by their labels, in any order; gauges end", (t) => {
  const ended = new EndedCounters();
  const bucket = (value: number, labels: Record<string, string | number>) => ({
    name: "seconds",
    help: "",
    type: "histogram" as const,
    aggregator: "sum",
    values: [{ value, labels, metricName: "seconds_bucket" }],
  });
  ended.add([bucket(3, { le: 0.5, kind: "a" }), { ...calls({ a: 1 }), name: "level", type: "gauge" }]);
  ended.add([bucket(4, { kind: "a", le: 0.5 }), bucket(1, { kind: "b", le: 0.5 })]);
  t.deepEqual(
    ended.values([]).map(({ name, values }) => [name, values.map(({ value }) => value)]),
    [["seconds", [7, 1]]],
  );
});

test("a series that a running worker has dropped is added once, and one that it still has is not", (t) => {
  const ended = new EndedCounters();
  ended.addDropped([calls({ a: 5, b: 7 })], [calls({ a: 6, b: 7, c: 1 })]);
  t.deepEqual(seriesOf(ended), {});
  ended.addDropped([calls({ a: 6, b: 7, c: 1 })], [calls({ b: 8, c: 1, d: 1 })]);
  t.deepEqual(seriesOf(ended), { a: 6 });
  ended.addDropped([calls({ b: 8, c: 1, d: 4 })], [calls({ b: 8, c: 1, d: 2 })]);
  t.deepEqual(seriesOf(ended), { a: 6, d: 4 }, "d has begun again at 0");
  ended.add([calls({ a: 1, b: 8 })]);
  t.deepEqual(seriesOf(ended), { a: 7, d: 4, b: 8 });
});

test("at most 50 merchants without a running worker keep their series; `other` and those of running workers stay", (t) => {
  const ended = new EndedCounters();
  ended.add([calls({ other: 9, ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`m${i}`, i])) })]);
  const kept = seriesOf(ended, calls({ m0: 1, m1: 1 }));
  t.is(Object.keys(kept).length, 53);
  t.like(kept, { other: 9, m0: 0, m1: 1, m10: 10, m59: 59 });
  t.is(kept.m2, undefined, "the first ones end");
});
