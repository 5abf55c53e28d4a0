/** One connector as a process: its ports, its background work, and its end. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Desk, type DeskOptions } from "./desk.ts";
import { Finisher } from "./finisher.ts";
import { type Launch, launchServer } from "./launch.ts";
import { TLS_VARIABLES, tlsOf } from "./operation/tls.ts";
import { Traces, tracingVariables } from "./operation/tracing.ts";
import { type WalletApi, walletServer } from "./server.ts";
import {
  type CommonSettings,
  commonVariables,
  readSettings,
  type Settings,
  SettingsError,
  type Variables,
} from "./settings.ts";
import { Store } from "./state/store.ts";
import { Watch } from "./watch.ts";

/** What the frame gives to a connector. */
export interface Parts<V extends Variables> {
  readonly settings: Settings<V> & CommonSettings;
  readonly desk: Desk;
  readonly store: Store;
  readonly watch: Watch;
}

/** Everything that one API says about itself. */
export interface Connector<V extends Variables = Variables> {
  /** The name of the command, and of its rows in the database. */
  readonly name: string;
  /** One line for the help. */
  readonly title: string;
  readonly variables: V;
  unclearBets(settings: Settings<V> & CommonSettings): DeskOptions["unclearBets"];
  walletApi(parts: Parts<V>): WalletApi;
  launch(parts: Parts<V>): Launch;
  /** The further commands: `npm run connector -- <name> <command>`. */
  readonly commands?: Readonly<Record<string, ConnectorCommand<V>>>;
}

export interface ConnectorCommand<V extends Variables = Variables> {
  /** One line for the help, with the command's arguments. */
  readonly usage: string;
  /** @returns the exit code. */
  run(settings: Settings<V>, args: readonly string[]): Promise<number>;
  /** The names of the variables that it needs. */
  readonly needs: readonly (keyof V & string)[];
}

export interface Running {
  readonly ports: { readonly http: number; readonly grpc: number; readonly internal: number };
  /** Accepts no more requests, finishes the running ones, and stops. */
  stop(): Promise<void>;
}

type Env = Readonly<Record<string, string | undefined>>;

export const allVariables = ({ name, variables }: Connector): Variables => ({
  ...commonVariables(name),
  ...TLS_VARIABLES,
  ...tracingVariables(name),
  ...variables,
});

/** @throws SettingsError. */
export async function startConnector(connector: Connector, env: Env): Promise<Running> {
  const settings = readSettings(allVariables(connector), env) as CommonSettings &
    Settings<typeof TLS_VARIABLES & ReturnType<typeof tracingVariables> & Variables>;
  const tls = { http: tlsOf(settings, "HTTP"), grpc: tlsOf(settings, "GRPC") };
  const watch = new Watch(connector.name, settings.LOG_LEVEL);
  const traces = await Traces.start(settings, (spans, how) => watch.spans(spans, how));
  const store = await Store.open(settings.DATABASE_URL, connector.name, settings.MASTER_KEY);
  const desk = new Desk({
    address: settings.AGGREGATOR_URL,
    apiKey: settings.AGGREGATOR_KEY,
    store,
    watch,
    unclearBets: connector.unclearBets(settings),
  });
  const parts = { settings, desk, store, watch };
  const wallet = walletServer(connector.walletApi(parts), watch, traces, tls.http);
  const games = launchServer(store, connector.launch(parts), watch, tls.grpc);
  let isDraining = false;
  const internal = internalServer(store, watch, () => isDraining);
  const finisher = new Finisher(desk, store, watch, settings.KEEP_DAYS * 86_400_000);
  const ports = {
    http: await listen(wallet, settings.HTTP_PORT, settings.HOST, "HTTP_PORT"),
    grpc: await listen(games as unknown as Server, settings.GRPC_PORT, settings.HOST, "GRPC_PORT"),
    internal: await listen(internal, settings.INTERNAL_HTTP_PORT, settings.INTERNAL_HOST, "INTERNAL_HTTP_PORT"),
  };
  finisher.start();
  watch.log.info(
    ports,
    `ready: wallet API on ${ports.http}, GameService on ${ports.grpc}, internal on ${ports.internal}`,
  );
  return {
    ports,
    async stop() {
      isDraining = true;
      await new Promise((resolve) => setTimeout(resolve, settings.DRAIN_DELAY_MS));
      const closed = [wallet, games, internal].map(
        (server) => new Promise<void>((resolve) => void server.close(() => resolve())),
      );
      wallet.closeIdleConnections();
      internal.closeAllConnections();
      await finisher.stop();
      // The service keeps its connection to GameService open, so it is not waited for.
      await closed[0];
      await store.close();
      await traces.stop();
    },
  };
}

function internalServer(store: Store, watch: Watch, isDraining: () => boolean): Server {
  return createServer((request, response) => {
    const answer = (status: number, body: string, contentType = "application/json") =>
      void response.writeHead(status, { "content-type": contentType }).end(body);
    if (request.url === "/health/live") return answer(200, '{"status":"live"}');
    if (request.url === "/metrics")
      return void watch.registry.metrics().then((text) => answer(200, text, watch.registry.contentType));
    if (request.url !== "/health/ready") return answer(404, '{"error":"not found"}');
    if (isDraining()) return answer(503, '{"status":"draining"}');
    store.ping().then(
      () => answer(200, '{"status":"ready"}'),
      () => answer(503, '{"status":"the database does not answer"}'),
    );
  });
}

function listen(server: Server, port: number, host: string, variable: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      reject(new SettingsError(`${variable} ${port} on ${host} cannot be used (${cause.code ?? cause.message})`)),
    );
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
