/** The start of virtual time: 30 s before a full hour, so that runs cross the hour. */
const BEGINNING = 1_767_225_600_000 + 59.5 * 60_000;

const EVENTS_A_TURN = 256;

interface Event {
  readonly at: number;
  readonly order: number;
  run: (() => void) | undefined;
}

/**
 * Virtual time. Events run one at a time, in the order of their time. Events with the same time run in the order in
 * which they were scheduled. All microtasks of an event run before the next event. So a run depends only on its seed.
 */
export class Kernel {
  now = BEGINNING;
  /** The number of events that have run. */
  events = 0;
  #order = 0;
  #held = 0;
  readonly #heap: Event[] = [];

  /** Runs `run` after `ms` of virtual time. The returned function cancels it. */
  after(ms: number, run: () => void): () => void {
    const event: Event = { at: this.now + Math.max(0, ms), order: this.#order++, run };
    this.#push(event);
    return () => {
      event.run = undefined;
    };
  }

  /** Runs no other event until the promise is settled, because the promise may need real time. */
  hold<T>(promise: Promise<T>): Promise<T> {
    this.#held += 1;
    return promise.finally(() => {
      this.#held -= 1;
    });
  }

  /**
   * Runs the due events until the time `until`, until `done` returns true, or until no event is left. Each event runs
   * in its own immediate: between two of them Node runs all microtasks. Many immediates are scheduled at a time,
   * because a turn of the event loop costs more.
   */
  run(until: number, done: () => boolean = () => false): Promise<void> {
    return new Promise((resolve, reject) => {
      let begun = false;
      let over = false;
      const step = () => {
        if (over || this.#held > 0) return;
        try {
          over = (begun && done()) || !this.#runNext(until);
          begun = true;
          if (over) resolve();
        } catch (cause) {
          over = true;
          reject(cause);
        }
      };
      const turn = () => {
        for (let i = 0; i < EVENTS_A_TURN; i++) setImmediate(step);
        setImmediate(() => over || turn());
      };
      turn();
    });
  }

  /**
   * Runs the next event. Returns `false` if no event is due until the time `until`, and then sets the time to `until`.
   */
  #runNext(until: number): boolean {
    for (;;) {
      const next = this.#heap[0];
      if (next === undefined || next.at > until) break;
      this.#pop();
      if (next.run === undefined) continue;
      this.now = next.at;
      this.events += 1;
      next.run();
      return true;
    }
    if (until !== Number.POSITIVE_INFINITY) this.now = Math.max(this.now, until);
    return false;
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, heap[parent] as Event)) break;
      heap[at] = heap[parent] as Event;
      at = parent;
    }
    heap[at] = event;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop() as Event;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child] as Event)) child += 1;
      if (!isBefore(heap[child] as Event, last)) break;
      heap[at] = heap[child] as Event;
      at = child;
    }
    heap[at] = last;
  }
}

const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
