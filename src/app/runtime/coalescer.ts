import type { Clock } from "../../ports/clock.ts";
import { BATCH_MAX, type LineResult, StoreFault } from "../../ports/transactions/transaction-store.ts";

type Statement<Line, Out> = (lines: Line[]) => Promise<readonly LineResult<Out>[]>;

interface Waiting<Line, Out> {
  readonly line: Line;
  readonly key: string;
  /** The call's place in the order of all calls. */
  readonly place: number;
  readonly resolve: (out: Out) => void;
  readonly reject: (cause: unknown) => void;
}

/** At most this many statements run at the same time. */
const STATEMENTS_AT_ONCE = 2;
/**
 * A statement that runs for this long holds no other statement back. It may wait for a locked row, and the other calls
 * must not wait with it.
 */
const SLOW_MS = 200;
/** At most this many slow statements run beside the others. */
const SLOW_MAX = 2;
/** A batch of this many calls is sent although another statement runs, and waits for no further calls. */
const PARALLEL_BATCH_MIN = 24;
/**
 * Batches of other kinds may go before a smaller batch this many times. Then the smaller batch is sent as it is.
 * Otherwise a frequent kind of statement would delay a rare kind for as long as the load lasts.
 */
const PASSED_OVER_MAX = 2;
/**
 * After a statement with at least {@link GATHER_AFTER_LINES} lines the next statement waits this long for more calls,
 * unless {@link PARALLEL_BATCH_MIN} calls are waiting already.
 */
const GATHER_MS = 1;
/**
 * A statement with this many lines shows that there are many callers, so the next statement waits for more calls. The
 * call of a single caller is sent at once.
 */
const GATHER_AFTER_LINES = 12;

/**
 * Turns concurrent calls into batches. A call's argument is one line of a batch. When no statement runs, a call is sent
 * at once. Under load, calls wait while a statement runs and for a moment after it, because many small batches cost the
 * service and the database most of their time. Kinds of statement that share a coalescer take turns: one kind collects
 * calls while a statement of the other kind runs.
 */
export class Coalescer {
  // biome-ignore lint/suspicious/noExplicitAny: each queue has its own type of lines.
  readonly #queues: Queue<any, any>[] = [];
  #arrivals = 0;
  #running = 0;
  #slow = 0;
  #scheduled = false;
  /** Calls wait for further calls until this moment, by Clock.monotonic(). */
  #gatherUntil = Number.NEGATIVE_INFINITY;
  #cancelGathering: (() => void) | undefined;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Turns a statement for many lines into a function for one line. A batch contains each key at most once. A {@link
   * StoreFault} of a line rejects only the call of that line. If the statement throws, it rejects every call of its
   * batch.
   */
  batched<Line, Out>(statement: Statement<Line, Out>, keyOf: (line: Line) => string): (line: Line) => Promise<Out> {
    const queue = new Queue(statement);
    this.#queues.push(queue);
    return (line) =>
      new Promise((resolve, reject) => {
        queue.add({ line, key: keyOf(line), place: this.#arrivals++, resolve, reject });
        this.#wake();
      });
  }

  /**
   * Plans the next statement. It starts at the end of this turn of the event loop, so that all calls of the turn share
   * it, or when the wait for further calls is over.
   */
  #wake(): void {
    const next = this.#scheduled ? undefined : this.#next();
    if (next === undefined) return;
    const leftMs = next.length >= PARALLEL_BATCH_MIN ? 0 : this.#gatherUntil - this.#clock.monotonic();
    if (leftMs <= 0) {
      this.#scheduled = true;
      queueMicrotask(() => this.#start());
    } else this.#cancelGathering ??= this.#clock.after(leftMs, () => this.#start());
  }

  #start(): void {
    this.#scheduled = false;
    this.#cancelGathering?.();
    this.#cancelGathering = undefined;
    for (let next = this.#next(); next !== undefined; next = this.#next()) void this.#send(next);
  }

  /** The queue whose first call has waited longest, of the queues that may send now. */
  #next(): Queue<unknown, unknown> | undefined {
    if (this.#running === STATEMENTS_AT_ONCE) return undefined;
    let next: Queue<unknown, unknown> | undefined;
    for (const queue of this.#queues) {
      const minLines = this.#running === 0 || queue.passedOver === PASSED_OVER_MAX ? 1 : PARALLEL_BATCH_MIN;
      if (queue.length >= minLines && (next === undefined || queue.place < next.place)) next = queue;
    }
    return next;
  }

  async #send(queue: Queue<unknown, unknown>): Promise<void> {
    this.#running += 1;
    for (const other of this.#queues) if (other.place < queue.place) other.passedOver += 1;
    let isSlow = false;
    const cancel = this.#clock.after(SLOW_MS, () => {
      if (this.#slow === SLOW_MAX) return;
      isSlow = true;
      this.#running -= 1;
      this.#slow += 1;
      this.#wake();
    });
    const lines = await queue.send();
    cancel();
    if (isSlow) this.#slow -= 1;
    else this.#running -= 1;
    if (lines >= GATHER_AFTER_LINES) this.#gatherUntil = this.#clock.monotonic() + GATHER_MS;
    this.#wake();
  }
}

/** The calls that wait for one kind of statement. */
class Queue<Line, Out> {
  /** How many statements of other queues went before this queue's first call, although this call had waited longer. */
  passedOver = 0;
  #waiting: Waiting<Line, Out>[] = [];
  readonly #statement: Statement<Line, Out>;

  constructor(statement: Statement<Line, Out>) {
    this.#statement = statement;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** The place of the queue's first call. */
  get place(): number {
    return this.#waiting[0]?.place ?? Number.POSITIVE_INFINITY;
  }

  add(waiting: Waiting<Line, Out>): void {
    this.#waiting.push(waiting);
  }

  /** Sends the next batch and answers its callers. Resolves to the number of calls in the batch. Never rejects. */
  async send(): Promise<number> {
    this.passedOver = 0;
    const batch = this.#take();
    try {
      const outs = await this.#statement(batch.map((waiting) => waiting.line));
      if (outs.length !== batch.length)
        throw new Error(`a batch of ${batch.length} lines was answered with ${outs.length}`);
      batch.forEach((waiting, i) => {
        const out = outs[i] as LineResult<Out>;
        if (out instanceof StoreFault) waiting.reject(out);
        else waiting.resolve(out);
      });
    } catch (cause) {
      for (const waiting of batch) waiting.reject(cause);
    }
    return batch.length;
  }

  #take(): Waiting<Line, Out>[] {
    const keys = new Set<string>();
    const batch: Waiting<Line, Out>[] = [];
    const left: Waiting<Line, Out>[] = [];
    for (const waiting of this.#waiting) {
      if (batch.length === BATCH_MAX || keys.has(waiting.key)) left.push(waiting);
      else {
        keys.add(waiting.key);
        batch.push(waiting);
      }
    }
    this.#waiting = left;
    return batch;
  }
}
