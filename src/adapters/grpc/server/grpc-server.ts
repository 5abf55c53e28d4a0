import type { Http2Server } from "node:http2";
import type { DescService } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  logVerbosity,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  setLogVerbosity,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { Health as HealthService } from "../../../gen/grpc/health/v1/health_pb.ts";
import { ServerReflection } from "../../../gen/grpc/reflection/v1/reflection_pb.ts";
import { grpcHandlers, type Running } from "./grpc-handlers.ts";
import { Health } from "./health.ts";
import { type CallerLimits, type CallKinds, limitCallers } from "./limits/caller-limits.ts";
import { MESSAGE_MAX_BYTES } from "./limits/requests.ts";
import type { OnCall } from "./on-call.ts";
import { Reflection } from "./reflection.ts";
import { UnaryCalls, type UnaryHandler } from "./unary-calls.ts";

/**
 * Adds services to a router. Connect's ConnectRouter has the same method, so one function works for both transports.
 */
export type Routes = (router: {
  service<S extends DescService>(service: S, implementation: ServiceImpl<S>): unknown;
}) => void;

export interface GrpcServerOptions extends Partial<CallerLimits>, Pick<CallKinds, "isRightKey" | "readAgain"> {
  /** The address or host name to listen on. An IPv6 address has no brackets. */
  readonly host: string;
  /** The port to listen on; 0: any free port. */
  readonly port: number;
  /** Services that callers implement and this process calls. Reflection describes them, too. */
  readonly describes?: readonly DescService[];
  /** A callback that measures the calls of the routes. Health checks and reflection are not measured. */
  readonly onCall?: OnCall;
  /** The key and the certificates for TLS. Absent: the port has no TLS. */
  readonly tls?: ServerTls | undefined;
}

/** The key and the certificates of a server, as PEM texts. */
export interface ServerTls {
  readonly key: string;
  readonly cert: string;
  /** mTLS: the certificate authority that signs the clients' certificates. Absent: clients need no certificate. */
  readonly clientCa?: string | undefined;
}

const LIMITS = {
  "grpc.max_receive_message_length": MESSAGE_MAX_BYTES,
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 10_000,
  // Connections are closed after a while, so that callers connect to new replicas too.
  "grpc.max_connection_age_ms": 30 * 60_000,
  "grpc.max_connection_age_grace_ms": 60_000,
  // channelz would slow every call down, and nothing reads its data.
  "grpc.enable_channelz": 0,
};

// grpc-js (1.14.7) logs each header that it can't read, with the header's value. So the log would contain an API key
// with one wrong character.
setLogVerbosity(logVerbosity.NONE);

/** A gRPC server on grpc-js. It adds grpc.health.v1 and server reflection to the routes. */
export class GrpcServer {
  readonly #unary = new UnaryCalls();
  readonly #server = new Server({ ...LIMITS, interceptors: [this.#unary.interceptor] });
  readonly #health: Health;
  readonly #options: GrpcServerOptions;
  #port: number;
  /** Paths of the methods whose requests may have several messages. */
  readonly #streaming = new Set<string>();
  #running = 0;
  #idle: (() => void) | undefined;

  constructor(routes: Routes, options: GrpcServerOptions) {
    this.#options = options;
    this.#port = options.port;
    const services: DescService[] = [];
    routes({
      service: (service, implementation) => {
        services.push(service);
        this.#add(service, implementation, options.onCall);
      },
    });
    this.#health = new Health(services.map((service) => service.typeName));
    this.#add(HealthService, this.#health);
    this.#addReflection(new Reflection([...services, ...(options.describes ?? []), HealthService, ServerReflection]));
  }

  /**
   * Starts to listen, and resolves to the port. Rejects if the server cannot listen, for example because the port is in
   * use.
   */
  async start(): Promise<number> {
    const bound = Promise.withResolvers<number>();
    this.#server.bindAsync(this.#address(this.#port), this.#credentials(), (error, port) =>
      error === null ? bound.resolve(port) : bound.reject(error),
    );
    this.#port = await bound.promise;
    // grpc-js (1.14.7) cannot limit the total of connections or streams. So the limits are set on its HTTP/2 servers.
    const { http2Servers } = this.#server as unknown as { readonly http2Servers: ReadonlyMap<Http2Server, unknown> };
    const kinds: CallKinds = {
      isRightKey: this.#options.isRightKey,
      readAgain: this.#options.readAgain,
      keyless: "/grpc.",
      ahead: `/${HealthService.typeName}/`,
      isStream: (path) => this.#streaming.has(path),
    };
    for (const server of http2Servers.keys()) limitCallers(server, this.#options, kinds);
    return this.#port;
  }

  /** Sets the answer to health checks and watches. Other calls are served in both states. */
  setServing(serving: boolean): void {
    this.#health.setServing(serving);
  }

  /** The number of handlers that run, including handlers whose callers have hung up. */
  get running(): number {
    return this.#running;
  }

  /**
   * Refuses new connections and calls (GOAWAY), and waits until every handler has ended. After `withinMs` it closes the
   * connections that are still open.
   */
  async stop(withinMs: number): Promise<void> {
    this.setServing(false);
    this.#health.close();
    // Without channelz, forceShutdown does not find open connections (grpc-js 1.14.7). So drain closes the connections
    // that are still open.
    if (this.#port !== 0) this.#server.drain(this.#address(this.#port), withinMs);
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, withinMs);
    const closed = new Promise<void>((resolve) => this.#server.tryShutdown(() => resolve()));
    await Promise.race([Promise.all([closed, this.#allEnded()]), late.promise]);
    clearTimeout(timer);
    this.#server.forceShutdown();
  }

  #address(port: number): string {
    const { host } = this.#options;
    return `${host.includes(":") ? `[${host}]` : host}:${port}`;
  }

  #allEnded(): Promise<void> {
    return this.#running === 0 ? Promise.resolve() : new Promise((resolve) => (this.#idle = resolve));
  }

  readonly #count: Running = {
    begin: () => {
      this.#running += 1;
    },
    end: () => {
      this.#running -= 1;
      if (this.#running === 0) this.#idle?.();
    },
  };

  #add<S extends DescService>(service: S, implementation: ServiceImpl<S>, onCall?: OnCall): void {
    const { definition, handlers } = grpcHandlers(service, implementation, this.#count, onCall);
    this.#addService(definition, handlers);
  }

  /** Adds reflection under its older name too, which many tools still call. Both versions have the same messages. */
  #addReflection(reflection: Reflection): void {
    const { definition, handlers } = grpcHandlers(ServerReflection, reflection, this.#count);
    this.#addService(definition, handlers);
    const older = Object.entries(definition).map(
      ([name, method]) => [name, { ...method, path: method.path.replace(".v1.", ".v1alpha.") }] as const,
    );
    this.#addService(Object.fromEntries(older), handlers);
  }

  #addService(definition: ServiceDefinition, handlers: UntypedServiceImplementation): void {
    this.#server.addService(definition, handlers);
    for (const [name, { path, requestStream, responseStream }] of Object.entries(definition)) {
      if (requestStream) this.#streaming.add(path);
      else if (!responseStream) this.#unary.add(path, handlers[name] as UnaryHandler);
    }
  }

  #credentials(): ServerCredentials {
    const { tls } = this.#options;
    if (tls === undefined) return ServerCredentials.createInsecure();
    const pair = { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.cert) };
    const clientCa = tls.clientCa === undefined ? null : Buffer.from(tls.clientCa);
    return ServerCredentials.createSsl(clientCa, [pair], clientCa !== null);
  }
}
