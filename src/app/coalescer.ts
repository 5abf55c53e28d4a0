import { BATCH_MAX, type Outcome, StoreFault } from "../ports/transaction-store.ts";

interface Waiting<Line, Out> {
  readonly line: Line;
  readonly key: string;
  readonly resolve: (out: Out) => void;
  readonly reject: (cause: unknown) => void;
}

/** Statements under way at once. */
const LANES = 2;
/** What must have gathered to be worth a statement of its own beside the one under way: small batches cost both sides most of their time. */
const WORTH_A_LANE = 32;

/**
 * Turns concurrent calls into batches, without lingering: a call that finds no statement under way goes at once, the others gather
 * while it runs. No batch holds a key twice, and a line's {@link StoreFault} rejects that line's caller alone.
 */
export class Coalescer<Line, Out> {
  #queue: Waiting<Line, Out>[] = [];
  #running = 0;
  #scheduled = false;
  readonly #run: (lines: Line[]) => Promise<readonly Outcome<Out>[]>;
  readonly #keyOf: (line: Line) => string;

  constructor(run: (lines: Line[]) => Promise<readonly Outcome<Out>[]>, keyOf: (line: Line) => string) {
    this.#run = run;
    this.#keyOf = keyOf;
  }

  add(line: Line): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ line, key: this.#keyOf(line), resolve, reject });
      if (this.#scheduled || !this.#mayStart()) return;
      // Calls of the same tick share the batch.
      this.#scheduled = true;
      queueMicrotask(() => {
        this.#scheduled = false;
        this.#fill();
      });
    });
  }

  #fill(): void {
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
      this.#fill();
    }
  }
}
