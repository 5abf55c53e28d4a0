import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import {
  type HealthCheckRequest,
  type HealthCheckResponseSchema,
  type Health as HealthService,
  HealthCheckResponse_ServingStatus as Status,
} from "../../gen/grpc/health/v1/health_pb.ts";

/** grpc.health.v1.Health of one server: all of its services serve, or none does. */
export class Health implements ServiceImpl<typeof HealthService> {
  readonly #services: ReadonlySet<string>;
  /** Watchers that wait for a change. */
  readonly #waiting = new Set<() => void>();
  #serving = true;
  #closed = false;

  /** @param services - full names of the server's services; the empty name, the server as a whole, goes without saying. */
  constructor(services: readonly string[]) {
    this.#services = new Set(["", ...services]);
  }

  setServing(serving: boolean): void {
    this.#serving = serving;
    this.#wake();
  }

  /** Ends every watch: a server that stops must not wait for them. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  check({ service }: HealthCheckRequest) {
    const status = this.#status(service);
    if (status === Status.SERVICE_UNKNOWN) throw new ConnectError("unknown service", Code.NotFound);
    return { status };
  }

  list() {
    return { statuses: Object.fromEntries([...this.#services].map((service) => [service, { status: this.#status(service) }])) };
  }

  async *watch({ service }: HealthCheckRequest, { signal }: HandlerContext): AsyncGenerator<MessageInitShape<typeof HealthCheckResponseSchema>> {
    let told: Status | undefined;
    while (!this.#closed && !signal.aborted) {
      const status = this.#status(service);
      if (status === told) await this.#change(signal);
      else yield { status: (told = status) };
    }
  }

  #status(service: string): Status {
    if (!this.#services.has(service)) return Status.SERVICE_UNKNOWN;
    return this.#serving ? Status.SERVING : Status.NOT_SERVING;
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake);
    });
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}
