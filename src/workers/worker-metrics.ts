import type { Worker } from "node:cluster";
import { AggregatorRegistry } from "prom-client";
import type { MetricValues } from "../ports/metric-values.ts";
import { EndedCounters } from "./ended-counters.ts";
import { send } from "./send.ts";
import { SharedRead } from "./shared-read.ts";

const ANSWER_WITHIN_MS = 5_000;
const STARTED_AT_SECONDS = Math.round(Date.now() / 1_000 - process.uptime());

/** Sums of multiples of this number, about a millionth, are exact. */
const UNIT = 2 ** -20;

/** The metrics of all workers together. */
export class WorkerMetrics {
  /** The newest values of each worker that is ready. */
  readonly #latest = new Map<Worker, readonly MetricValues[]>();
  readonly #ended = new EndedCounters();
  /** The questions that no worker has answered yet, by their number. */
  readonly #open = new Map<number, PromiseWithResolvers<void>>();
  readonly #shared = new SharedRead(() => this.#collect());
  #asked = 0;
  #restarts = 0;

  /** Counts a worker that has become ready. */
  add(worker: Worker): void {
    this.#latest.set(worker, []);
    // The channel ends after the worker's last message. The event `exit` may come before that message.
    worker.once("disconnect", () => {
      this.#ended.add(this.#latest.get(worker) ?? []);
      this.#latest.delete(worker);
    });
  }

  /** Counts a worker that ended although nobody had stopped it. */
  restarted(): void {
    this.#restarts += 1;
  }

  /** Takes the values that a worker has sent: as its answer, or by itself before it ends. */
  receive(worker: Worker, sent: readonly MetricValues[] | null, id?: number): void {
    const question = id === undefined ? undefined : this.#open.get(id);
    if (sent === null) return question?.reject(new Error("a worker could not read its metrics"));
    const metrics = sent.map(rounded);
    const before = this.#latest.get(worker);
    if (before !== undefined) {
      this.#ended.addDropped(before, metrics);
      this.#latest.set(worker, metrics);
    }
    question?.resolve();
  }

  /** In Prometheus' text format. Rejects if a worker does not answer within 5 s. Callers share a collection. */
  text(): Promise<string> {
    return this.#shared.get();
  }

  async #collect(): Promise<string> {
    await Promise.all([...this.#latest.keys()].map((worker) => this.#ask(worker)));
    const running = [...this.#latest.values()].flat();
    const all = [running, this.#ended.values(running), this.#own()];
    return AggregatorRegistry.aggregate(all.map((metrics) => [...metrics])).metrics();
  }

  /** Resolves when the worker has sent its values, or has ended. */
  async #ask(worker: Worker): Promise<void> {
    if (!worker.isConnected()) return;
    const id = ++this.#asked;
    const answer = Promise.withResolvers<void>();
    this.#open.set(id, answer);
    worker.once("disconnect", answer.resolve);
    const late = setTimeout(() => answer.reject(new Error("a worker sent no metrics")), ANSWER_WITHIN_MS);
    send(worker, { kind: "read", id });
    await answer.promise.finally(() => {
      clearTimeout(late);
      worker.off("disconnect", answer.resolve);
      this.#open.delete(id);
    });
  }

  /**
   * The metrics of the supervisor itself. The workers have the second one, too, with the value 0, and its help is
   * theirs. They do not send the first one: a worker that is replaced is not a new start of the replica.
   */
  #own(): MetricValues[] {
    const value = (one: number) => [{ value: one, labels: {} }];
    return [
      {
        name: "process_start_time_seconds",
        help: "Start time of the process since unix epoch in seconds.",
        type: "gauge",
        aggregator: "first",
        values: value(STARTED_AT_SECONDS),
      },
      {
        name: "aggregator_worker_restarts_total",
        help: "",
        type: "counter",
        aggregator: "sum",
        values: value(this.#restarts),
      },
    ];
  }
}

/**
 * Rounds a counter or histogram. The parts of a sum change their order when a worker ends. Without the rounding the sum
 * could then fall by its last bit, and Prometheus would take it for a new counter that began at 0.
 */
const rounded = (metric: MetricValues): MetricValues =>
  metric.type === "gauge"
    ? metric
    : { ...metric, values: metric.values.map((one) => ({ ...one, value: Math.round(one.value / UNIT) * UNIT })) };
