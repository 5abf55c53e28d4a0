/** Loaded before a program that is watched (`node --import`): over IPC it tells what can't be seen from outside. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Asked for by `{kind: "sample"}`. */
export interface ProbeSample {
  readonly kind: "sample";
  readonly heapBytes: number;
  /** How late the event loop was since the sample before: a timer of 10 ms, its own time taken off. */
  readonly lateP99Ms: number;
  readonly lateMaxMs: number;
}

/** Asked for by `{kind: "collect"}`: all garbage is collected first. */
export interface CollectedSample {
  readonly kind: "collected";
  /** What lives: the heap, and buffers outside it. */
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
  // Twice: what the first one finalizes, the second one frees.
  for (let i = 0; i < 2; i++) gc({ type: "major", execution: "sync", flavor: "last-resort" });
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ kind: "collected", livingBytes: heapUsed + external, residentBytes: rss } satisfies CollectedSample);
}

// The program ends when it wants to.
process.channel?.unref();
