import type { Clock } from "../ports/clock.ts";
import { BATCH_MAX, type Outcome, StoreFault } from "../ports/transaction-store.ts";

interface Waiting<Line, Out> {
  readonly line: Line;
  readonly key: string;
  readonly resolve: (out: Out) => void;
  readonly reject: (cause: unknown) => void;
}

/** Statements under way at once. */
const LANES = 2;
/** What must have gathered to be worth a statement of its own beside the one under way. */
const WORTH_A_LANE = 32;
/** After a statement the next one waits this long for company, unless {@link ENOUGH} lines are there already. */
const GATHER_MS = 2;
const ENOUGH = 12;

/**
 * Turns concurrent calls into batches. A call that finds nothing under way, and nothing just ended, goes at once; under load the others
 * gather while a statement runs and for a moment after it, for small batches cost both sides most of their time. No batch holds
 * a key twice, and a line's {@link StoreFault} rejects that line's caller alone.
 */
export class Coalescer<Line, Out> {
  #queue: Waiting<Line, Out>[] = [];
  #running = 0;
  #scheduled = false;
  #endedAt = Number.NEGATIVE_INFINITY;
  #cancelGathering: (() => void) | undefined;
  readonly #run: (lines: Line[]) => Promise<readonly Outcome<Out>[]>;
  readonly #keyOf: (line: Line) => string;
  readonly #clock: Clock;

  constructor(run: (lines: Line[]) => Promise<readonly Outcome<Out>[]>, keyOf: (line: Line) => string, clock: Clock) {
    this.#run = run;
    this.#keyOf = keyOf;
    this.#clock = clock;
  }

  add(line: Line): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ line, key: this.#keyOf(line), resolve, reject });
      this.#wake();
    });
  }

  /** Starts what may start: at the end of this tick, whose calls share the batch, or when it has gathered long enough. */
  #wake(): void {
    if (this.#scheduled || !this.#mayStart()) return;
    const leftMs = this.#queue.length >= ENOUGH ? 0 : this.#endedAt + GATHER_MS - this.#clock.monotonic();
    if (leftMs <= 0) {
      this.#scheduled = true;
      queueMicrotask(() => this.#start());
    } else this.#cancelGathering ??= this.#clock.after(leftMs, () => this.#start());
  }

  #start(): void {
    this.#scheduled = false;
    this.#cancelGathering?.();
    this.#cancelGathering = undefined;
    while (this.#mayStart()) void this.#send(this.#take());
  }

  #mayStart(): boolean {
    return this.#running === 0 ? this.#queue.length > 0 : this.#running < LANES && this.#queue.length >= WORTH_A_LANE;
  }

  #take(): Waiting<Line, Out>[] {
    const keys = new Set<string>();
    const batch: Waiting<Line, Out>[] = [];
    const left: Waiting<Line, Out>[] = [];
    for (const waiting of this.#queue) {
      if (batch.length === BATCH_MAX || keys.has(waiting.key)) left.push(waiting);
      else {
        keys.add(waiting.key);
        batch.push(waiting);
      }
    }
    this.#queue = left;
    return batch;
  }

  async #send(batch: Waiting<Line, Out>[]): Promise<void> {
    this.#running += 1;
    try {
      const outs = await this.#run(batch.map((waiting) => waiting.line));
      if (outs.length !== batch.length) throw new Error(`a batch of ${batch.length} lines was answered with ${outs.length}`);
      batch.forEach((waiting, i) => {
        const out = outs[i] as Outcome<Out>;
        if (out instanceof StoreFault) waiting.reject(out);
        else waiting.resolve(out);
      });
    } catch (cause) {
      for (const waiting of batch) waiting.reject(cause);
    } finally {
      this.#running -= 1;
      this.#endedAt = this.#clock.monotonic();
      this.#wake();
    }
  }
}
