import type { FromWorker, ServicePorts, ToWorker } from "./messages.ts";

const METRICS_WITHIN_MS = 10_000;

/** The part of a running service that a worker needs. */
interface Serving {
  readonly ports: ServicePorts;
  stop(options?: { readonly staysReady: boolean }): Promise<void>;
}

/** The connection of a worker process to its supervisor. */
export class SupervisorLink {
  readonly #waiting = new Map<number, PromiseWithResolvers<string>>();
  #asked = 0;
  #service: Serving | undefined;

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

  /** Stops the service and ends this process. Further calls join the first. */
  async stop(options?: { readonly staysReady: boolean }): Promise<void> {
    await this.#service?.stop(options);
    process.exit(0);
  }

  #receive(message: ToWorker): void {
    if (message.kind === "leave") void this.stop({ staysReady: true });
    if (message.kind !== "metrics") return;
    const answer = this.#waiting.get(message.id);
    if (message.text === null) answer?.reject(new Error("the supervisor could not collect the metrics"));
    else answer?.resolve(message.text);
  }
}

const send = (message: FromWorker): void => void process.send?.(message);
