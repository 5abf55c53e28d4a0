import { type Profiler, Session } from "node:inspector";

/**
 * The blocks of the service's code that ran for an input, by V8's precise coverage. An input is new when it made a
 * function run a new combination of blocks.
 */
export class Coverage {
  readonly #session = new Session();
  readonly #seen = new Set<string>();

  constructor() {
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    this.#take();
  }

  /** Whether anything new has run since the last call. */
  sawNew(): boolean {
    const before = this.#seen.size;
    for (const { url, functions } of this.#take()) {
      if (!/\/(src|web-renderer)\//.test(url) || /\/(node_modules|gen)\//.test(url)) continue;
      for (const { ranges } of functions) {
        if ((ranges[0]?.count ?? 0) === 0) continue;
        this.#seen.add(
          `${url} ${ranges.map(({ startOffset, endOffset, count }) => `${startOffset}-${endOffset}${count > 0 ? "" : "!"}`).join(" ")}`,
        );
      }
    }
    return this.#seen.size > before;
  }

  /** The number of combinations of blocks so far. */
  get size(): number {
    return this.#seen.size;
  }

  /** Ends the measurement of coverage. After that the code runs at twice the speed. */
  stop(): void {
    this.#session.post("Profiler.stopPreciseCoverage");
    this.#session.disconnect();
  }

  #take(): readonly Profiler.ScriptCoverage[] {
    let result: readonly Profiler.ScriptCoverage[] = [];
    // The inspector of the same thread calls back before `post` returns.
    this.#session.post("Profiler.takePreciseCoverage", (_, taken) => {
      result = taken.result;
    });
    return result;
  }
}
