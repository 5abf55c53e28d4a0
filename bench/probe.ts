/** Loaded before a program that is watched (`node --import`): over IPC it tells what can't be seen from outside. */
import { monitorEventLoopDelay } from "node:perf_hooks";

/** Asked for by `{kind: "sample"}`. */
export interface ProbeSample {
  readonly kind: "sample";
  readonly heapBytes: number;
  /** How late the event loop was since the sample before: a timer of 10 ms, its own time taken off. */
  readonly lateP99Ms: number;
  readonly lateMaxMs: number;
}

const RESOLUTION_MS = 10;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();

const lateMs = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);

process.on("message", (order: { readonly kind?: string }) => {
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
// The program ends when it wants to.
process.channel?.unref();
