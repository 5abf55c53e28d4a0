import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { BackOff } from "./back-off.ts";
import type { FromWorker, ServicePorts } from "./messages.ts";
import { send } from "./send.ts";
import { WorkerMetrics } from "./worker-metrics.ts";

/**
 * Runs several processes of the service on the same ports. This process accepts the connections and passes them to the
 * workers in turn. It starts a new worker for a dead one, after a growing pause. It does not handle transactions: each
 * worker is a replica like any other.
 */
export class Supervisor {
  readonly #log: Logger;
  readonly #metrics = new WorkerMetrics();
  readonly #processes: number;
  /** The worker of each place. */
  readonly #workers: Worker[] = [];
  #isStopping = false;
  #reload: Promise<void> | undefined;

  constructor(processes: number, log: Logger) {
    this.#log = log;
    this.#processes = processes;
    // The alternative would be sockets with SO_REUSEPORT, which choose a worker by a connection's address. Then few
    // long connections, as gRPC clients have, would be distributed unevenly.
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.on("message", (worker, message: FromWorker) => {
      if (message.kind === "ready") this.#metrics.add(worker);
      if (message.kind === "values") this.#metrics.receive(worker, message.metrics, message.id);
      if (message.kind === "metrics") void this.#sendMetrics(worker, message.id);
    });
  }

  /**
   * Starts the workers, the first one before the others, so that a wrong configuration is reported once. Resolves to the
   * ports when all are ready.
   *
   * @returns undefined: a worker ended during its start. It has printed the reason.
   */
  async start(): Promise<ServicePorts | undefined> {
    const first = await launch();
    if (first === undefined) return undefined;
    const others = await Promise.all(Array.from({ length: this.#processes - 1 }, launch));
    for (const [place, started] of [first, ...others].entries()) {
      if (started === undefined) return undefined;
      this.#install(place, started.worker);
    }
    return first.ports;
  }

  /** Lets every worker finish its calls. Resolves when all workers have ended. Further calls return at once. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(
      allWorkers().map(async (worker) => {
        if (worker.isDead()) return;
        const ended = once(worker, "exit");
        worker.process.kill("SIGTERM");
        await ended;
      }),
    );
  }

  /** Kills every worker with SIGKILL. */
  kill(): void {
    for (const worker of allWorkers()) worker.process.kill("SIGKILL");
  }

  /**
   * Replaces one worker after the other. The new worker reads the configuration again, with its files, and must be
   * ready before the old worker ends. If a new worker cannot start, the reload ends, and the old workers stay. A second
   * reload during a reload joins the first.
   */
  reload(): Promise<void> {
    this.#reload ??= this.#replaceAll().finally(() => {
      this.#reload = undefined;
    });
    return this.#reload;
  }

  async #replaceAll(): Promise<void> {
    for (let place = 0; place < this.#processes; place++) {
      if (this.#isStopping) return;
      const started = await launch();
      if (started === undefined) {
        this.#log.error("reload: a new worker could not start, so the old ones stay");
        return;
      }
      const old = this.#workers[place];
      this.#install(place, started.worker);
      if (old !== undefined) await leave(old);
    }
    this.#log.info({ workers: this.#processes }, "reload: every worker was replaced");
  }

  /** Gives this place to the worker. If the worker ends while it has the place, a new worker is started. */
  #install(place: number, worker: Worker, backOff = new BackOff()): void {
    this.#workers[place] = worker;
    const since = performance.now();
    const restart = (code: number | null, signal: string | null) =>
      void this.#restart(place, worker, backOff, { code, signal, ranMs: performance.now() - since });
    if (worker.isDead()) restart(worker.process.exitCode, worker.process.signalCode);
    else worker.once("exit", restart);
  }

  async #restart(
    place: number,
    dead: Worker,
    backOff: BackOff,
    end: { readonly code: number | null; readonly signal: string | null; readonly ranMs: number },
  ): Promise<void> {
    const isOver = () => this.#isStopping || this.#workers[place] !== dead;
    for (let { ranMs, ...how } = end; !isOver(); ranMs = 0) {
      const inMs = backOff.next(ranMs);
      this.#metrics.restarted();
      this.#log.error({ worker: dead.process.pid, ...how, inMs }, "a worker ended and is started again");
      await sleep(inMs);
      if (isOver()) return;
      const started = await launch();
      if (started === undefined) continue;
      // A reload may have given the place to another worker meanwhile.
      if (isOver()) return leave(started.worker);
      return this.#install(place, started.worker, backOff);
    }
  }

  async #sendMetrics(worker: Worker, id: number): Promise<void> {
    const text = await this.#metrics.text().catch(() => null);
    if (worker.isConnected()) send(worker, { kind: "metrics", id, text });
  }
}

/** All workers that run, also those that are starting or ending. */
const allWorkers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

interface Started {
  readonly worker: Worker;
  readonly ports: ServicePorts;
}

/** Starts a worker. Resolves when the worker is ready. Resolves to undefined if the worker ended before. */
function launch(): Promise<Started | undefined> {
  const worker = cluster.fork();
  return new Promise((resolve) => {
    worker.once("exit", () => resolve(undefined));
    worker.on("message", (message: FromWorker) => {
      if (message.kind === "ready") resolve({ worker, ports: message.ports });
    });
  });
}

/** Lets a worker finish its calls. Resolves when it has ended. */
async function leave(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const ended = once(worker, "exit");
  send(worker, { kind: "leave" });
  await ended;
}
