import type { Http2Server } from "node:http2";
import type { DescService } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { logVerbosity, Server, ServerCredentials, type ServiceDefinition, setLogVerbosity, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { Health as HealthService } from "../../../gen/grpc/health/v1/health_pb.ts";
import { ServerReflection } from "../../../gen/grpc/reflection/v1/reflection_pb.ts";
import { type CallerLimits, limitCallers, STREAMS_PER_CONNECTION } from "./caller-limits.ts";
import { grpcHandlers, type Running } from "./grpc-handlers.ts";
import { Health } from "./health.ts";
import { Reflection } from "./reflection.ts";

/** What a server offers, told to a router. A ConnectRouter is one, too: the same function serves both transports. */
export type Routes = (router: { service<S extends DescService>(service: S, implementation: ServiceImpl<S>): unknown }) => void;

export interface GrpcServerOptions extends Partial<CallerLimits> {
  /** An address or host name; IPv6 without brackets. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Services that callers implement and this process calls: reflection describes them beside those that are served. */
  readonly describes?: readonly DescService[];
  /** Absent: plaintext. */
  readonly tls?: ServerTls | undefined;
}

/** PEM texts. */
export interface ServerTls {
  readonly key: string;
  readonly cert: string;
  /** mTLS: who signs the clients' certificates. Absent: clients need none. */
  readonly clientCa?: string | undefined;
}

const LIMITS = {
  "grpc.max_concurrent_streams": STREAMS_PER_CONNECTION,
  "grpc.max_receive_message_length": 64 * 1024,
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 10_000,
  // Connections end now and then, so that callers spread over new replicas.
  "grpc.max_connection_age_ms": 30 * 60_000,
  "grpc.max_connection_age_grace_ms": 60_000,
  // Its bookkeeping costs time on every call, and nothing here reads it.
  "grpc.enable_channelz": 0,
};

// grpc-js (1.14.7) prints each header that it can't read, value and all: an API key with one wrong character would stand in the log.
setLogVerbosity(logVerbosity.NONE);

/** gRPC over grpc-js, with grpc.health.v1 and server reflection beside the routes. */
export class GrpcServer {
  readonly #server = new Server(LIMITS);
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
        this.#add(service, implementation);
      },
    });
    this.#health = new Health(services.map((service) => service.typeName));
    this.#add(HealthService, this.#health);
    this.#addReflection(new Reflection([...services, ...(options.describes ?? []), HealthService, ServerReflection]));
  }

  /** Listens, and resolves to the port. Rejects when it can't. */
  async start(): Promise<number> {
    const bound = Promise.withResolvers<number>();
    this.#server.bindAsync(this.#address(this.#port), this.#credentials(), (error, port) => (error === null ? bound.resolve(port) : bound.reject(error)));
    this.#port = await bound.promise;
    // grpc-js (1.14.7) bounds neither connections nor streams in all; the HTTP/2 servers inside it can be told to.
    const { http2Servers } = this.#server as unknown as { readonly http2Servers: ReadonlyMap<Http2Server, unknown> };
    for (const server of http2Servers.keys()) limitCallers(server, this.#options, `/${HealthService.typeName}/`, (path) => this.#streaming.has(path));
    return this.#port;
  }

  /** What health checks and watches are told. Calls are taken either way. */
  setServing(serving: boolean): void {
    this.#health.setServing(serving);
  }

  /** Handlers that have not finished, those whose callers have left included. */
  get running(): number {
    return this.#running;
  }

  /** Takes no new connection or call (GOAWAY), and resolves when every handler is over; `withinMs` later it cuts off what is left. */
  async stop(withinMs: number): Promise<void> {
    this.setServing(false);
    this.#health.close();
    // forceShutdown forgets open connections when channelz is off (grpc-js 1.14.7): what is left in the end is cut off by drain.
    if (this.#port !== 0) this.#server.drain(this.#address(this.#port), withinMs);
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, withinMs);
    const closed = new Promise<void>((resolve) => this.#server.tryShutdown(() => resolve()));
    await Promise.race([Promise.all([closed, this.#over()]), late.promise]);
    clearTimeout(timer);
    this.#server.forceShutdown();
  }

  #address(port: number): string {
    const { host } = this.#options;
    return `${host.includes(":") ? `[${host}]` : host}:${port}`;
  }

  #over(): Promise<void> {
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

  #add<S extends DescService>(service: S, implementation: ServiceImpl<S>): void {
    const { definition, handlers } = grpcHandlers(service, implementation, this.#count);
    this.#addService(definition, handlers);
  }

  /** Under its older name, too, which many tools still ask for; the messages are the same on the wire. */
  #addReflection(reflection: Reflection): void {
    const { definition, handlers } = grpcHandlers(ServerReflection, reflection, this.#count);
    this.#addService(definition, handlers);
    const older = Object.entries(definition).map(([name, method]) => [name, { ...method, path: method.path.replace(".v1.", ".v1alpha.") }] as const);
    this.#addService(Object.fromEntries(older), handlers);
  }

  #addService(definition: ServiceDefinition, handlers: UntypedServiceImplementation): void {
    this.#server.addService(definition, handlers);
    for (const { path, requestStream } of Object.values(definition)) if (requestStream) this.#streaming.add(path);
  }

  #credentials(): ServerCredentials {
    const { tls } = this.#options;
    if (tls === undefined) return ServerCredentials.createInsecure();
    const pair = { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.cert) };
    const clientCa = tls.clientCa === undefined ? null : Buffer.from(tls.clientCa);
    return ServerCredentials.createSsl(clientCa, [pair], clientCa !== null);
  }
}
