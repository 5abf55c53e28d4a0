import type { MetricValues } from "../ports/metric-values.ts";
import type { FromWorker, ServicePorts, ToWorker } from "./messages.ts";

const METRICS_WITHIN_MS = 10_000;

/** The part of a running service that a worker needs. */
interface Serving {
  readonly ports: ServicePorts;
  readonly metrics: {
    values(): Promise<readonly MetricValues[]>;
    counters(): Promise<readonly MetricValues[]>;
  };
  stop(options?: { readonly staysReady: boolean }): Promise<void>;
}

/** The connection of a worker process to its supervisor. */
export class SupervisorLink {
  readonly #waiting = new Map<number, PromiseWithResolvers<string>>();
  #asked = 0;
  #service: Serving | undefined;
  #isStopping = false;

  constructor() {
    process.on("message", (message: ToWorker) => this.#receive(message));
  }

  /**
   * The metrics of all worker processes, in Prometheus' text format. Rejects if they could not be collected within 10
   * s.
   */
  metrics(): Promise<string> {
    const id = ++this.#asked;
    const answer = Promise.withResolvers<string>();
    this.#waiting.set(id, answer);
    const late = setTimeout(() => answer.reject(new Error("the supervisor sent no metrics")), METRICS_WITHIN_MS);
    send({ kind: "metrics", id });
    return answer.promise.finally(() => {
      clearTimeout(late);
      this.#waiting.delete(id);
    });
  }

  /** Reports that the service is ready. Stops it when the supervisor has replaced this process. */
  serve(service: Serving): void {
    this.#service = service;
    send({ kind: "ready", ports: service.ports });
  }

  /** Stops the service, sends its last counters to the supervisor and ends this process. Further calls join the first. */
  async stop(options?: { readonly staysReady: boolean }): Promise<void> {
    this.#isStopping = true;
    await this.#service?.stop(options);
    // Calls that came after the last request for the metrics must stay counted.
    const metrics = (await this.#service?.metrics.counters()) ?? [];
    send({ kind: "values", metrics }, () => process.exit(0));
  }

  /** This worker's metrics; null: they could not be read. */
  async #values({ metrics }: Serving): Promise<readonly MetricValues[] | null> {
    // The last step of a stop closes the database, and the gauges about its connections cannot be read any more.
    return metrics.values().catch(() => (this.#isStopping ? metrics.counters() : null));
  }

  #receive(message: ToWorker): void {
    if (message.kind === "leave") void this.stop({ staysReady: true });
    if (message.kind === "read" && this.#service !== undefined) {
      const { id } = message;
      void this.#values(this.#service).then((metrics) => send({ kind: "values", id, metrics }));
    }
    if (message.kind !== "metrics") return;
    const answer = this.#waiting.get(message.id);
    if (message.text === null) answer?.reject(new Error("the supervisor could not collect the metrics"));
    else answer?.resolve(message.text);
  }
}

/** Sends a message, and then calls `sent`. Without a supervisor it does nothing: then this process ends anyway. */
const send = (message: FromWorker, sent?: () => void): void =>
  void process.send?.(message, undefined, undefined, () => sent?.());
