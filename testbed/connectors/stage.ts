/** A connector between a fake provider and the real service with the sandbox's wallet. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectors } from "../../connectors/connectors.ts";
import { startConnector } from "../../connectors/frame/process.ts";
import { type Received, startFakeServer, type UpstreamCall } from "../../sandbox/upstreams/wire/fake-server.ts";
import { gameRecord, keyRecord, providerRecord } from "../directory/records.ts";
import { freePort } from "../programs/ports.ts";
import type { Replica } from "../service/replica.ts";
import { type Scope, startWorld, startWorldOfProcesses, type WorldOptions } from "../stage/world.ts";
import { ConnectorProcess } from "./connector-process.ts";

/** A call of the provider, before it is sent. */
export type ProviderCall = UpstreamCall;

export interface StageOptions extends WorldOptions {
  readonly api: string;
  /** The provider's code at the aggregator. */
  readonly provider: string;
  readonly games?: readonly string[];
  /** The connector's own variables, given the address of the fake provider. */
  readonly variables: (providerUrl: string) => Readonly<Record<string, string>>;
  /** The provider's answer to a launch or another call. */
  readonly answer: (call: Received) => string;
  /** Whether the service and two replicas of the connector are processes of their own, which a test may kill. */
  readonly processes?: boolean;
  /** The URL of the database that the replicas of the connector share; by default a new SQLite file. */
  readonly connectorDatabaseUrl?: string;
}

const GAMES = ["lucky", "table"] as const;

export async function startStage(t: Scope, options: StageOptions) {
  const {
    api,
    provider,
    games = GAMES,
    variables,
    answer,
    processes = false,
    connectorDatabaseUrl,
    ...world
  } = options;
  const launched: Received[] = [];
  const fake = await startFakeServer((call) => {
    launched.push(call);
    return answer(call);
  });
  t.teardown(() => fake.close());
  // A service that is killed comes back on the same port.
  const servicePort = processes ? { GRPC_PORT: String(await freePort()) } : {};
  const service = await (processes ? startWorldOfProcesses : startWorld)(t, {
    ...world,
    env: { ...servicePort, ...world.env },
  });
  const replicas: ConnectorProcess[] = [];
  let lastService = service.first as Replica;
  const apiKey = randomBytes(32).toString("hex");
  const folder = mkdtempSync(join(tmpdir(), "connector-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const env: Record<string, string> = {
    AGGREGATOR_URL: `http://127.0.0.1:${service.first.ports.grpc}`,
    AGGREGATOR_KEY: apiKey,
    MASTER_KEY: randomBytes(32).toString("base64"),
    DATABASE_URL: connectorDatabaseUrl ?? `sqlite:${join(folder, "connector.db")}`,
    HOST: "127.0.0.1",
    HTTP_PORT: "0",
    GRPC_PORT: String(await freePort()),
    INTERNAL_HTTP_PORT: "0",
    DRAIN_DELAY_MS: "0",
    LOG_LEVEL: "silent",
    ...variables(fake.url),
  };
  const record = {
    ...providerRecord(provider, [`http://127.0.0.1:${env.GRPC_PORT}`]),
    keys: [keyRecord(apiKey)],
  };
  await service.settings.save({ kind: "provider", provider: record });
  await service.settings.save({ kind: "games", provider: record.code, games: games.map((code) => gameRecord(code)) });

  let metricsUrl = "";
  let refusals = 0;
  const origins = processes ? await startProcesses() : [await startHere()];

  async function startHere(): Promise<string> {
    const connector = connectors[api];
    if (connector === undefined) throw new Error(`there is no connector ${api}`);
    const running = await startConnector(connector, env);
    t.teardown(() => running.stop());
    metricsUrl = `http://127.0.0.1:${running.ports.internal}/metrics`;
    return `http://127.0.0.1:${running.ports.http}`;
  }

  async function startProcesses(): Promise<readonly string[]> {
    const first = { ...env, LOG_LEVEL: "info", HTTP_PORT: String(await freePort()) };
    const second = { ...first, HTTP_PORT: String(await freePort()), GRPC_PORT: String(await freePort()) };
    for (const variables of [first, second]) replicas.push(await ConnectorProcess.start(api, variables));
    t.teardown(async () => {
      for (const replica of replicas) await replica.kill();
    });
    return [first, second].map(({ HTTP_PORT }) => `http://127.0.0.1:${HTTP_PORT}`);
  }

  /** Opens a game for the player ana, and returns its address. */
  async function launchUrl(more: object = {}, merchant = "shop-brl"): Promise<string> {
    const wanted = { player_id: "ana", game: games[0], provider, ...more };
    // The service reads new settings within a second.
    for (let tries = 1; ; tries++) {
      const reply = await service.rest("POST", "/v1/game/launch", wanted, merchant);
      if (reply.ok) return String((reply.data as { launch_url?: unknown }).launch_url);
      if (tries === 40) throw new Error(`the launch failed: ${reply.code}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  return {
    url: fake.url,
    launched,
    service,
    origin: origins[0] ?? "",
    origins,
    replicas,
    /** The environment of the connector. */
    env,
    /**
     * Whether the service has refused a call of the connector since the last question, because this machine is busy. The
     * provider then sends its call again.
     */
    async wasBusy(): Promise<boolean> {
      const text = await (await fetch(metricsUrl)).text();
      const counts = [...text.matchAll(/^connector_calls_total\{.*verdict="busy"\} (\d+)$/gm)];
      const before = refusals;
      refusals = counts.reduce((sum, [, count]) => sum + Number(count), 0);
      return refusals > before;
    },
    /** How often the connector in this process has raised an alert. */
    async alerts(name: string): Promise<number> {
      const text = await (await fetch(metricsUrl)).text();
      return Number(text.match(new RegExp(`^connector_alerts_total\\{alert="${name}"\\} (\\d+)$`, "m"))?.[1] ?? 0);
    },
    /** Kills the service. */
    stopService: () => lastService.kill(),
    /** Kills the service and starts it again on the same port. */
    async restartService(): Promise<void> {
      await lastService.kill();
      lastService = await service.start(servicePort);
    },
    /** Opens a game for the player ana, and returns the call that the fake provider got. */
    async launch(more: object = {}, merchant = "shop-brl"): Promise<Received> {
      await launchUrl(more, merchant);
      const call = launched.at(-1);
      if (call === undefined) throw new Error("the provider got no launch");
      return call;
    },
    launchUrl,
    /** The balance of the player ana in the wallet. */
    balance: (merchant = "shop-brl") => service.wallet.ledger.balanceMinor(merchant, "ana"),
  };
}

export type Stage = Awaited<ReturnType<typeof startStage>>;
