import { percentile } from "../statistics.ts";
import type { Measured, Percentiles } from "./orders.ts";
import { SUCCESS } from "./place-bet.ts";

/** Counts answers from the window's beginning on. */
export class Recorder {
  readonly #latenciesMs: number[] = [];
  readonly #latenessMs: number[] = [];
  readonly #others: Record<string, number> = {};
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

  /** An answer came. @param sentAt - by performance.now(). */
  answered(outcome: string, sentAt: number): void {
    const now = performance.now();
    if (now < this.#beganAt) return;
    this.#answered += 1;
    if (outcome !== SUCCESS) this.#others[outcome] = (this.#others[outcome] ?? 0) + 1;
    else if (now < this.#endedAt) {
      this.#succeeded += 1;
      this.#latenciesMs.push(now - sentAt);
    }
  }

  /** A bet was sent this much later than it was due. */
  late(ms: number): void {
    if (performance.now() >= this.#beganAt) this.#latenessMs.push(ms);
  }

  result(): Measured {
    return {
      windowMs: this.#endedAt - this.#beganAt,
      succeeded: this.#succeeded,
      answered: this.#answered,
      others: this.#others,
      latencyMs: percentilesOf(this.#latenciesMs),
      latenessMs: this.#latenessMs.length === 0 ? null : percentilesOf(this.#latenessMs),
    };
  }
}

function percentilesOf(values: readonly number[]): Percentiles {
  if (values.length === 0) return { p50: Number.NaN, p99: Number.NaN, max: Number.NaN };
  return { p50: percentile(values, 0.5), p99: percentile(values, 0.99), max: percentile(values, 1) };
}
