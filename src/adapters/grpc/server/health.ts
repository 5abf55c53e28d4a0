import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import {
  type HealthCheckRequest,
  type HealthCheckResponseSchema,
  type Health as HealthService,
  HealthCheckResponse_ServingStatus as Status,
} from "../../../gen/grpc/health/v1/health_pb.ts";
import { CONNECTION } from "./call-context.ts";
import { Quota } from "./limits/quota.ts";
import { bareRefusal } from "./refusal-error.ts";

/** The maximum of open watches of a connection. A load balancer has one or two, at most one for each service. */
const WATCHES_PER_CONNECTION = 8;
/** The maximum of open watches. A watch needs 25 kB of memory until its caller ends it. */
const WATCHES_MAX = 1_024;

/** Serves grpc.health.v1.Health for one server. All services of the server have the same state. */
export class Health implements ServiceImpl<typeof HealthService> {
  readonly #services: ReadonlySet<string>;
  /** Functions that wake the watches, which wait for a change. */
  readonly #waiting = new Set<() => void>();
  readonly #watches = new Quota<string>((open) => (open < WATCHES_MAX ? WATCHES_PER_CONNECTION : 0));
  #serving = true;
  #closed = false;

  /** @param services - full names of the server's services. The empty name is added. It means the whole server. */
  constructor(services: readonly string[]) {
    this.#services = new Set(["", ...services]);
  }

  /** Wakes the watches if the value has changed. This function is called several times a second. */
  setServing(serving: boolean): void {
    if (serving === this.#serving) return;
    this.#serving = serving;
    this.#wake();
  }

  /** Ends every watch, so that the stop of the server does not wait for watches. */
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
    return {
      statuses: Object.fromEntries([...this.#services].map((service) => [service, { status: this.#status(service) }])),
    };
  }

  /** Throws OVERLOADED for a watch above the limit of its connection, or above the limit of all connections. */
  async *watch(
    { service }: HealthCheckRequest,
    { signal, values }: HandlerContext,
  ): AsyncGenerator<MessageInitShape<typeof HealthCheckResponseSchema>> {
    const connection = values.get(CONNECTION);
    if (!this.#watches.enter(connection)) throw bareRefusal("OVERLOADED");
    try {
      let sent: Status | undefined;
      while (!this.#closed && !signal.aborted) {
        const status = this.#status(service);
        if (status === sent) await this.#change(signal);
        else yield { status: (sent = status) };
      }
    } finally {
      this.#watches.leave(connection);
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
