import { percentile } from "../report/statistics.ts";
import { type CallResult, OVERLOADED, SUCCESS } from "./call.ts";
import type { Measured, Percentiles } from "./orders.ts";

/** Counts the answers since the beginning of the window. */
export class Recorder {
  readonly #latenciesMs: number[] = [];
  readonly #refusedMs: number[] = [];
  readonly #latenessMs: number[] = [];
  readonly #others: Record<string, number> = {};
  readonly #notMeasured: Record<string, number> = {};
  #answered = 0;
  #succeeded = 0;
  #beganAt = Number.POSITIVE_INFINITY;
  #endedAt = Number.POSITIVE_INFINITY;

  begin(): void {
    this.#beganAt = performance.now();
  }

  end(): void {
    this.#endedAt = performance.now();
  }

  /**
   * Records an answer.
   *
   * @param sentAt - a time of performance.now().
   */
  answered({ outcome, kind, notMeasured }: CallResult, sentAt: number): void {
    const now = performance.now();
    if (now < this.#beganAt) return;
    if (notMeasured === true) return count(this.#notMeasured, outcome);
    this.#answered += 1;
    if (outcome !== SUCCESS) count(this.#others, kind === undefined ? outcome : `${kind} ${outcome}`);
    if (now >= this.#endedAt) return;
    if (outcome === OVERLOADED) this.#refusedMs.push(now - sentAt);
    else if (outcome === SUCCESS) {
      this.#succeeded += 1;
      this.#latenciesMs.push(now - sentAt);
    }
  }

  /** Records that a call was sent this much later than planned. */
  late(ms: number): void {
    if (performance.now() >= this.#beganAt) this.#latenessMs.push(ms);
  }

  result(): Measured {
    return {
      windowMs: this.#endedAt - this.#beganAt,
      succeeded: this.#succeeded,
      answered: this.#answered,
      others: this.#others,
      notMeasured: this.#notMeasured,
      latencyMs: percentilesOf(this.#latenciesMs),
      refusedMs: percentilesOf(this.#refusedMs),
      latenessMs: this.#latenessMs.length === 0 ? null : percentilesOf(this.#latenessMs),
    };
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

function percentilesOf(values: readonly number[]): Percentiles {
  if (values.length === 0) return { p50: Number.NaN, p99: Number.NaN, max: Number.NaN };
  return { p50: percentile(values, 0.5), p99: percentile(values, 0.99), max: percentile(values, 1) };
}
