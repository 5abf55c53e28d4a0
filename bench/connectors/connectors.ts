/** What a connector adds to a bet: the same bets of a direct provider, and of an upstream through its connector. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { Store } from "../../connectors/frame/state/store.ts";
import type { Child } from "../../testbed/programs/child.ts";
import { freePort } from "../../testbed/programs/ports.ts";
import { untilReady } from "../../testbed/service/readiness.ts";
import type { Order, Target } from "../load/orders.ts";
import { cpuUs } from "../machine/process-usage.ts";
import type { Bench, Target as Bound, Measurement, Section } from "../measurement.ts";
import { figure, spreadText } from "../report/report.ts";
import { spread } from "../report/statistics.ts";
import { type Program, start } from "../stage/programs.ts";
import { Stage, type Window } from "../stage/stage.ts";

const MERCHANTS = 8;
const SESSIONS_EACH = 64;
const WARM_UP_MS = 3_000;
const PER_SECOND = 300;
const APIS = ["hub88", "evolution"] as const;
const CPU_OF_SERVICE_MAX = 0.35;
const ADDED_MS_MAX = 1.5;

type Api = (typeof APIS)[number];
interface Row {
  readonly name: "direct" | Api;
  readonly window: Window;
  /** CPU time of the connector, in us a bet. */
  readonly connectorUs: number;
}
interface Connector {
  readonly api: Api;
  readonly child: Child;
  readonly origin: string;
  readonly players: readonly { readonly user: string; readonly token: string }[];
}

export const connectors: Measurement = { name: "connectors", run };

async function run(bench: Bench): Promise<Section> {
  const stage = await Stage.set(bench, "mariadb", (origin) => [
    { merchants: MERCHANTS, sessionsEach: SESSIONS_EACH, walletUrl: `${origin}/wallet` },
  ]);
  const keys = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const started: Connector[] = [];
  try {
    const service = await stage.service("service");
    for (const api of APIS) started.push(await startConnector(bench, stage, service, api, keys));
    const rows: Row[][] = [];
    for (let i = 0; i < bench.options.runs; i++) {
      const round: Row[] = [];
      // Each round begins with another one.
      for (let n = 0; n <= started.length; n++) {
        const at = (n + i) % (started.length + 1);
        round.push(await measured(bench, stage, service, started[at - 1], keys.privateKey));
      }
      rows.push(round);
    }
    return section(bench, rows);
  } finally {
    for (const { child } of started) await child.stop();
    await stage.clear();
  }
}

/** Starts a connector whose durable state is in a MariaDB database of its own, with a session for each of the stage's. */
async function startConnector(
  bench: Bench,
  stage: Stage,
  service: Program,
  api: Api,
  keys: { readonly publicKey: string; readonly privateKey: string },
): Promise<Connector> {
  const { merchants, apiKey, game, currency } = stage.directory;
  const masterKey = randomBytes(32);
  const url = await stage.database.create();
  const store = await Store.open(url, api, masterKey);
  const players = [];
  for (const { sessions } of merchants)
    for (const { id: sessionId, playerId } of sessions) {
      const [user, token] = [playerId.replaceAll("-", "0"), randomBytes(24).toString("base64url")];
      const player = { alias: user, playerRef: user, currency, country: "BR", language: "pt", game };
      await store.addSession({ ...player, sessionId }, token);
      players.push({ user, token });
    }
  await store.close();
  const [http, grpc, internal] = [await freePort(), await freePort(), await freePort()];
  const own =
    api === "hub88"
      ? {
          HUB88_URL: "http://127.0.0.1:9",
          HUB88_OPERATOR_ID: "1",
          HUB88_PUBLIC_KEY: keys.publicKey,
          HUB88_PRIVATE_KEY: keys.privateKey,
        }
      : {
          EVOLUTION_URL: "http://127.0.0.1:9",
          EVOLUTION_CASINO_KEY: "bench",
          EVOLUTION_API_TOKEN: "bench",
          EVOLUTION_AUTH_TOKEN: "bench",
        };
  const env = {
    AGGREGATOR_URL: `http://${service.address}`,
    AGGREGATOR_KEY: apiKey,
    MASTER_KEY: masterKey.toString("base64"),
    DATABASE_URL: url,
    HOST: "127.0.0.1",
    HTTP_PORT: String(http),
    GRPC_PORT: String(grpc),
    INTERNAL_HTTP_PORT: String(internal),
    DRAIN_DELAY_MS: "0",
    LOG_LEVEL: "warn",
    ...own,
  };
  const { profile } = bench.options;
  const child = start(`connector-${api}`, ["connectors/main.ts", api], env, { folder: stage.folder, profile });
  await untilReady(internal, child);
  return { api, child, origin: `http://127.0.0.1:${http}`, players };
}

let windows = 0;
async function measured(
  bench: Bench,
  stage: Stage,
  service: Program,
  connector: Connector | undefined,
  privateKey: string,
): Promise<Row> {
  const measureMs = bench.options.seconds * 1_000;
  const { game, currency, merchants } = stage.directory;
  const target: Target =
    connector === undefined
      ? stage.provider(service, merchants, { lean: true })
      : {
          protocol: "connector",
          api: connector.api,
          origin: connector.origin,
          game,
          currency,
          players: connector.players,
          connections: 64,
          privateKey,
          prepared: Math.ceil((PER_SECOND * 1.2 * (WARM_UP_MS + measureMs)) / 1_000),
          window: String(++windows),
        };
  const order: Order = { kind: "open", target, perSecond: PER_SECOND, warmUpMs: WARM_UP_MS, measureMs };
  const name = connector?.api ?? "direct";
  // The stage reads the CPU time of the service. That of the connector includes the warm-up, and so do its bets.
  const before = connector === undefined ? 0 : cpuUs(connector.child.pid);
  const window = await stage.measure(service, order);
  const used = connector === undefined ? 0 : cpuUs(connector.child.pid) - before;
  const connectorUs = used / (window.answered * (1 + WARM_UP_MS / measureMs));
  bench.log(
    `${name}: p50 ${figure(window.latencyMs.p50)} ms, p99 ${figure(window.latencyMs.p99)} ms, service ${figure(window.cpu.program)} us, connector ${figure(connectorUs)} us`,
  );
  return { name, window, connectorUs };
}

function section(bench: Bench, rounds: readonly (readonly Row[])[]): Section {
  const of = (name: Row["name"], value: (row: Row, direct: Row) => number) =>
    spread(
      rounds.map((round) => {
        const [row, direct] = [name, "direct"].map((wanted) => round.find((one) => one.name === wanted));
        if (row === undefined || direct === undefined) throw new Error(`${name} was not measured`);
        return value(row, direct);
      }),
    );
  const share = (row: Row, direct: Row): number => row.connectorUs / direct.window.cpu.program;
  const added = (row: Row, direct: Row): number => row.window.latencyMs.p50 - direct.window.latencyMs.p50;
  return {
    title: "Connectors",
    method:
      `${PER_SECOND} bets/s in random intervals, on MariaDB: of a direct provider, of Hub88 through its connector (signed), and of Evolution through its connector (which notes each bet before it is sent). ` +
      `A connector has a database of its own on the same server. Median (lowest-highest) of ${bench.options.runs} runs of ${bench.options.seconds} s that take turns.`,
    tables: [
      {
        title: "A bet",
        columns: ["", "p50 ms", "p99 ms", "added p50 ms", "service us", "connector us", "of the direct service us"],
        rows: (["direct", ...APIS] as const).map((name) => [
          name,
          spreadText(of(name, ({ window }) => window.latencyMs.p50)),
          spreadText(of(name, ({ window }) => window.latencyMs.p99)),
          name === "direct" ? "" : spreadText(of(name, added)),
          spreadText(of(name, ({ window }) => window.cpu.program)),
          name === "direct" ? "" : spreadText(of(name, ({ connectorUs }) => connectorUs)),
          name === "direct" ? "" : spreadText(of(name, share)),
        ]),
      },
    ],
    targets: APIS.flatMap((name): Bound[] => [
      {
        what: `${name}: CPU of the connector, of the service's`,
        measured: of(name, share),
        bound: { atMost: CPU_OF_SERVICE_MAX },
        unit: "",
      },
      { what: `${name}: added at the median`, measured: of(name, added), bound: { atMost: ADDED_MS_MAX }, unit: "ms" },
    ]),
    violations: rounds.flatMap((round) =>
      round.flatMap(({ name, window: { others } }) =>
        Object.entries(others)
          .filter(([outcome]) => outcome !== "OVERLOADED")
          .map(([outcome, count]) => `${name}: ${count} bets ended with ${outcome}`),
      ),
    ),
    raw: rounds,
  };
}
