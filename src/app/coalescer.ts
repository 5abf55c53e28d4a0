import { BATCH_MAX, type Outcome, StoreFault } from "../ports/transaction-store.ts";

interface Waiting<Line, Out> {
  readonly line: Line;
  readonly key: string;
  readonly resolve: (out: Out) => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * Turns concurrent calls into batches: two lanes, no linger. A call that finds a free lane goes at once; the others gather
 * while both lanes run. No batch holds a key twice, and a line's {@link StoreFault} rejects that line's caller alone.
 */
export class Coalescer<Line, Out> {
  #queue: Waiting<Line, Out>[] = [];
  #running = 0;
  #scheduled = false;
  readonly #run: (lines: Line[]) => Promise<readonly Outcome<Out>[]>;
  readonly #keyOf: (line: Line) => string;
  readonly #lanes: number;

  constructor(run: (lines: Line[]) => Promise<readonly Outcome<Out>[]>, keyOf: (line: Line) => string, lanes = 2) {
    this.#run = run;
    this.#keyOf = keyOf;
    this.#lanes = lanes;
  }

  add(line: Line): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ line, key: this.#keyOf(line), resolve, reject });
      if (this.#scheduled || this.#running >= this.#lanes) return;
      // Calls of the same tick share the batch.
      this.#scheduled = true;
      queueMicrotask(() => {
        this.#scheduled = false;
        this.#fill();
      });
    });
  }

  #fill(): void {
    while (this.#running < this.#lanes && this.#queue.length > 0) void this.#send(this.#take());
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
