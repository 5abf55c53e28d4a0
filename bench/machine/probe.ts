/** Loaded before a watched program (`node --import`). It sends figures over IPC that can't be measured from outside. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The answer to `{kind: "sample"}`. */
export interface ProbeSample {
  readonly kind: "sample";
  readonly heapBytes: number;
  /** The lateness of the event loop since the previous sample: the delay of a 10 ms timer, without the 10 ms. */
  readonly lateP99Ms: number;
  readonly lateMaxMs: number;
}

/** The answer to `{kind: "collect"}`. All garbage is collected first. */
export interface CollectedSample {
  readonly kind: "collected";
  /** The memory of live objects: the heap, and buffers outside it. */
  readonly livingBytes: number;
  readonly residentBytes: number;
}

const RESOLUTION_MS = 10;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();

const lateMs = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);

process.on("message", (order: { readonly kind?: string }) => {
  if (order.kind === "collect") return collect();
  if (order.kind !== "sample") return;
  const sample: ProbeSample = {
    kind: "sample",
    heapBytes: process.memoryUsage().heapUsed,
    lateP99Ms: lateMs(delays.percentile(99)),
    lateMaxMs: lateMs(delays.max),
  };
  delays.reset();
  process.send?.(sample);
});

function collect(): void {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as (options: object) => void;
  // Two collections: the second one frees the objects that the first one finalizes.
  for (let i = 0; i < 2; i++) gc({ type: "major", execution: "sync", flavor: "last-resort" });
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ kind: "collected", livingBytes: heapUsed + external, residentBytes: rss } satisfies CollectedSample);
}

// The IPC channel must not keep the program alive.
process.channel?.unref();
