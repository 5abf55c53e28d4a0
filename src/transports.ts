import { readFileSync } from "node:fs";
import type { Container } from "inversify";
import { ConnectServer } from "./adapters/connect/connect-server.ts";
import { ConsoleSite } from "./adapters/connect/console/console-site.ts";
import { SessionEndpoint } from "./adapters/connect/console/session-endpoint.ts";
import { AdminAccess } from "./adapters/grpc/admin/access.ts";
import { ProviderKeys } from "./adapters/grpc/provider/keys.ts";
import { GrpcServer, type GrpcServerOptions, type Routes } from "./adapters/grpc/server/grpc-server.ts";
import { STREAMS_PER_CONNECTION } from "./adapters/grpc/server/limits/caller-limits.ts";
import { referencePages } from "./adapters/rest/reference/reference-pages.ts";
import { RestServer } from "./adapters/rest/rest-server.ts";
import { SignedApi } from "./adapters/rest/signed-api.ts";
import { LogsAndMetrics } from "./adapters/telemetry/telemetry.ts";
import { ConsoleSessions } from "./app/access/console-sessions.ts";
import { Settings } from "./app/runtime/settings.ts";
import { type Config, type GrpcTls, publicPath } from "./config.ts";
import { API_URL, EXTERNAL_SERVICES, INTERNAL_SERVICES } from "./container/tokens.ts";
import { unreadable } from "./domain/access/secret-variables.ts";
import { GameService } from "./gen/aggregator/provider/v1/game_service_pb.ts";
import { Random } from "./ports/random.ts";

/** The four servers of the service. */
export interface Transports {
  /** The server for merchants: the signed /v1, /health and the pages. */
  readonly rest: RestServer;
  /** The server for providers and the sportsbook, over gRPC. */
  readonly grpc: GrpcServer;
  /** The server for internal teams: all services over gRPC. */
  readonly internalGrpc: GrpcServer;
  /** The server for internal teams: all services over Connect and gRPC-Web, and /metrics. */
  readonly internalHttp: ConnectServer;
}

/** What the listeners report about the process. */
export interface Reports {
  /** The reasons why this replica should get no requests now; empty: it is ready. */
  readonly notReady: () => readonly string[];
  /** What an operator should mend although requests are served; empty: nothing. */
  readonly warnings: () => readonly string[];
  /** The metrics in Prometheus' text format. */
  readonly metrics: () => Promise<string>;
}

export function createTransports(container: Container, config: Config, reports: Reports): Transports {
  const telemetry = container.get(LogsAndMetrics);
  const { metrics } = telemetry;
  // If the configured port is 0, the real port is known after the server has started.
  const address = () => config.publicUrl ?? `http://localhost:${rest.port}`;
  const rest: RestServer = new RestServer(container.get(SignedApi), container.get(Random), telemetry, {
    host: config.host,
    port: config.restPort,
    pathPrefix: publicPath(config),
    trustedProxies: config.trustedProxies,
    notReady: reports.notReady,
    warnings: reports.warnings,
    onRequest: metrics.http,
    pages: referencePages({ address, tryOut: config.environment === "development" }),
  });
  container.bind(API_URL).toConstantValue(address);
  const external = all(container.getAll(EXTERNAL_SERVICES));
  // The administration, and the merchants' operations with admin keys, are served only on the internal ports.
  const internal = all([external, ...container.getAll(INTERNAL_SERVICES)]);
  // The limit of open streams is the number of calls that may run, plus the streams of two connections. These are for
  // calls that are refused or still arriving.
  const [settings, sessions] = [container.get(Settings), container.get(ConsoleSessions)];
  const common = {
    describes: [GameService],
    streamsMax: config.maxInFlight + 2 * STREAMS_PER_CONNECTION,
    trustedProxies: config.trustedProxies,
    onCall: metrics.rpc,
    readAgain: () => settings.readForUnknown(),
  };
  const [providers, admins] = [container.get(ProviderKeys), container.get(AdminAccess)];
  const ofProvider = (authorization: string) => providers.isRight(authorization);
  const ofAnyone = (authorization: string) => ofProvider(authorization) || admins.isRight(authorization);
  return {
    rest,
    grpc: new GrpcServer(external, {
      host: config.host,
      port: config.grpcPort,
      isRightKey: ofProvider,
      ...common,
      ...tlsOf(config.grpcTls),
    }),
    internalGrpc: new GrpcServer(internal, {
      host: config.internalHost,
      port: config.internalGrpcPort,
      isRightKey: ofAnyone,
      ...common,
    }),
    internalHttp: new ConnectServer(internal, {
      host: config.internalHost,
      port: config.internalHttpPort,
      allowedHosts: config.internalAllowedHosts,
      trustedProxies: config.trustedProxies,
      callers: {
        isRightKey: ofAnyone,
        readAgain: () => settings.readForUnknown(),
        isOwnSession: (id) => sessions.isOwn(id),
      },
      console: new ConsoleSite(new SessionEndpoint(sessions, telemetry), config.sportsbookUrl),
      metrics: reports.metrics,
      onCall: metrics.rpc,
    }),
  };
}

const all =
  (services: readonly Routes[]): Routes =>
  (router) => {
    for (const add of services) add(router);
  };

function tlsOf(files: GrpcTls | null): Pick<GrpcServerOptions, "tls"> {
  if (files === null) return {};
  const pem = (variable: string, file: string) => {
    try {
      return readFileSync(file, "utf8");
    } catch (cause) {
      // Without its cause, which names the path: the variable may hold the key itself by mistake.
      throw new Error(`${variable} ${unreadable(cause)}`);
    }
  };
  const clientCa = files.clientCaFile === null ? {} : { clientCa: pem("GRPC_TLS_CLIENT_CA", files.clientCaFile) };
  return {
    tls: { cert: pem("GRPC_TLS_CERT", files.certFile), key: pem("GRPC_TLS_KEY", files.keyFile), ...clientCa },
  };
}
