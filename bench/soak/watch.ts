import type { Database } from "../../src/adapters/sql/connection/database.ts";
import type { ProbeSample } from "../machine/probe.ts";
import { openHandles, residentBytes } from "../machine/process-usage.ts";
import type { Program } from "../stage/programs.ts";

const MIB = 2 ** 20;
const EVERY_MS = 10_000;

/** The state of the service at a moment. */
export interface Sample {
  /** Minutes since the watch began. */
  readonly at: number;
  readonly residentMib: number;
  readonly heapMib: number;
  readonly handles: number;
  /** The lateness of the event loop since the previous sample. */
  readonly lateP99Ms: number;
  readonly lateMaxMs: number;
  /** The number of the service's database connections. */
  readonly connections: number;
}

/** Samples the service every ten seconds until it is stopped. */
export class Watch {
  readonly samples: Sample[] = [];
  readonly #service: Program;
  readonly #database: Database;
  readonly #beganAt = performance.now();
  #timer: NodeJS.Timeout;
  #under = Promise.resolve();

  /** @param database - a separate connection, which is not counted. */
  constructor(service: Program, database: Database, onSample: (sample: Sample) => void) {
    this.#service = service;
    this.#database = database;
    this.#timer = setInterval(() => {
      this.#under = this.#under.then(async () => onSample(await this.#look()));
    }, EVERY_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#under;
  }

  async #look(): Promise<Sample> {
    const { child } = this.#service;
    child.assertRuns();
    const probed = child.next<ProbeSample>("sample");
    child.send({ kind: "sample" });
    const { heapBytes, lateP99Ms, lateMaxMs } = await probed;
    const [[status]] = await this.#database.knex.raw("SHOW STATUS LIKE 'Threads_connected'");
    const sample: Sample = {
      at: (performance.now() - this.#beganAt) / 60_000,
      residentMib: residentBytes(child.pid).now / MIB,
      heapMib: heapBytes / MIB,
      handles: openHandles(child.pid),
      lateP99Ms,
      lateMaxMs,
      connections: Number(status.Value) - 1,
    };
    this.samples.push(sample);
    return sample;
  }
}
