import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { Clock } from "../../../src/ports/clock.ts";

interface Waiting {
  readonly process: number;
  readonly name: string;
  /** What may come of the call. The explorer chooses one. */
  readonly outcomes: readonly string[];
  readonly run: (outcome: string) => unknown;
  readonly resolve: (result: never) => void;
}

export interface Choice {
  readonly process: number;
  readonly name: string;
  readonly outcome: string;
}

/**
 * The calls of all processes to the database and the wallet. A call waits until the explorer chooses it. Then it is
 * executed, and its process goes on until its next calls. So a path of choices decides everything in a run.
 */
export class Turns {
  #waiting: Waiting[] = [];
  /** What each process has been told so far. Its next step depends on nothing else. */
  readonly #told = new Map<number, string[]>();

  /** A call of a process. Resolves with its result when it is chosen. */
  take<T>(
    process: number,
    name: string,
    run: (outcome: string) => T | Promise<T>,
    outcomes: readonly string[] = [""],
  ): Promise<T> {
    return new Promise((resolve) => this.#waiting.push({ process, name, outcomes, run, resolve }));
  }

  /** What may happen next. */
  choices(): Choice[] {
    return this.#waiting.flatMap(({ process, name, outcomes }) =>
      outcomes.map((outcome) => ({ process, name, outcome })),
    );
  }

  /** Executes a call, and its process dies before it learns the result. */
  async die(index: number): Promise<number> {
    const { chosen, outcome } = this.#take(index);
    await chosen.run(outcome);
    this.#waiting = this.#waiting.filter(({ process }) => process !== chosen.process);
    this.#told.set(chosen.process, ["died"]);
    await setImmediate();
    return chosen.process;
  }

  async choose(index: number): Promise<void> {
    const { chosen, outcome } = this.#take(index);
    const { process, name, run, resolve } = chosen;
    const result = await run(outcome);
    const told = this.#told.get(process) ?? [];
    told.push(`${name} ${outcome} ${textOf(result)}`);
    this.#told.set(process, told);
    resolve(result as never);
    await setImmediate();
  }

  #take(index: number): { readonly chosen: Waiting; readonly outcome: string } {
    let left = index;
    const at = this.#waiting.findIndex(({ outcomes }) => {
      if (left < outcomes.length) return true;
      left -= outcomes.length;
      return false;
    });
    const [chosen] = this.#waiting.splice(at, 1);
    if (chosen === undefined) throw new Error(`there is no choice ${index}`);
    return { chosen, outcome: chosen.outcomes[left] ?? "" };
  }

  /** A text that is equal for two moments at which the same processes may do the same things. */
  digest(shared: unknown): string {
    const waiting = this.#waiting.map(({ process, name }) => `${process} ${name}`).sort();
    const told = [...this.#told].sort(([a], [b]) => a - b);
    return createHash("sha1")
      .update(textOf([waiting, told, shared]))
      .digest("base64");
  }
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}n` : one)) ?? "nothing";

/** A clock that stands still while a call can be chosen. Its timers fire only when nothing else can happen. */
export class StandingClock extends Clock {
  time: number;
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  constructor(time: number) {
    super();
    this.time = time;
  }

  override now(): number {
    return this.time;
  }

  override monotonic(): number {
    return this.time;
  }

  override after(ms: number, run: () => void): () => void {
    const timer = { at: this.time + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  /** The same clock for one process. Its timers fire only while it lives. */
  of(lives: () => boolean): Clock {
    const after: Clock["after"] = (ms, run) => this.after(ms, () => lives() && run());
    return new Proxy<Clock>(this, {
      get: (clock, name: keyof Clock) => {
        if (name === "after") return after;
        const value: unknown = clock[name];
        return typeof value === "function" ? value.bind(clock) : value;
      },
    });
  }

  /** Moves to the earliest timer and fires it. `false`: there is none. */
  async fire(): Promise<boolean> {
    const next = this.#timers.reduce<{ at: number; run: () => void } | undefined>(
      (first, one) => (first === undefined || one.at < first.at ? one : first),
      undefined,
    );
    if (next === undefined) return false;
    this.#timers = this.#timers.filter((one) => one !== next);
    this.time = Math.max(this.time, next.at);
    next.run();
    await setImmediate();
    return true;
  }
}
