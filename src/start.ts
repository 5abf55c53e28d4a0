/**
 * `npm start`: runs the service with the embedded database, and the sandbox in a second process: a merchant's site with
 * its wallet, a game provider, two simulated upstreams and a sportsbook. Two connectors, each a process of its own, stand
 * between these upstreams and the service. Each start begins with an empty database, which is deleted at the end.
 */
import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { readConfig, SECRET_VARIABLES } from "./config.ts";
import { CURRENCIES } from "./domain/values/money.ts";
import { startConnector } from "./sandbox-connectors.ts";
import { type Credentials, setUpSandbox } from "./sandbox-set-up.ts";
import { startService } from "./service.ts";

/**
 * Variables of a real service. `npm start` refuses them, because the sandbox sets its own values: it must never use
 * another service's database or keys.
 */
const REFUSED_VARIABLES = [
  "ENVIRONMENT",
  ...SECRET_VARIABLES.flatMap((name) => [name, `${name}_FILE`]),
  "PUBLIC_URL",
  "SPORTSBOOK_URL",
  "GRPC_TLS_CERT",
  "GRPC_TLS_KEY",
  "GRPC_TLS_CLIENT_CA",
  "WALLET_ALLOW_HTTP",
  "WALLET_ALLOW_PRIVATE",
  "PROVIDER_ALLOW_PRIVATE",
  "PROCESSES",
  // Traces of the sandbox do not belong among those of a real service.
  "OTEL_EXPORTER_OTLP_ENDPOINT",
];
const foreign = REFUSED_VARIABLES.filter((name) => (process.env[name]?.trim() ?? "") !== "");
if (foreign.length > 0) {
  console.error(
    `npm start makes a sandbox with a database and keys of its own and does not take ${foreign.join(", ")} (set in the environment): ` +
      "run `npm run serve` for a service with these settings, or unset them. An admin key for the sandbox goes into SANDBOX_ADMIN_KEY.",
  );
  process.exit(1);
}
/** The sandbox's process does not get the admin key, because this key allows everything. */
const { SANDBOX_ADMIN_KEY, ...environment } = process.env;

const SANDBOX_WALLET = `http://127.0.0.1:${process.env.WALLET_PORT ?? "3003"}/wallet`;
/** The visitor's own wallet, for the first merchant; empty if there is none. */
const OWN_WALLET = process.env.WALLET_URL?.trim() ?? "";
if (OWN_WALLET !== "" && !/^https?:$/.test(URL.parse(OWN_WALLET)?.protocol ?? "")) {
  console.error("WALLET_URL must be the http or https address of your wallet, such as http://localhost:7001/wallet.");
  process.exit(1);
}
/** The origin of the games' pictures. */
const GAMES = process.env.PROVIDER_ORIGIN ?? `http://localhost:${process.env.PROVIDER_PORT ?? "3001"}`;
const SITE = process.env.MERCHANT_ORIGIN ?? `http://localhost:${process.env.MERCHANT_PORT ?? "3000"}`;
const SPORTSBOOK = process.env.SPORTSBOOK_ORIGIN ?? `http://localhost:${process.env.SPORTSBOOK_PORT ?? "3004"}`;
const PORTS = {
  provider: process.env.PROVIDER_GRPC_PORT ?? "3002",
  hub88: {
    HTTP_PORT: process.env.HUB88_CONNECTOR_PORT ?? "3005",
    GRPC_PORT: process.env.HUB88_CONNECTOR_GRPC_PORT ?? "3007",
  },
  evolution: {
    HTTP_PORT: process.env.EVOLUTION_CONNECTOR_PORT ?? "3006",
    GRPC_PORT: process.env.EVOLUTION_CONNECTOR_GRPC_PORT ?? "3008",
  },
};
const source = (port: string) => `http://127.0.0.1:${port}`;
/** The providers of the games, with their sources. The source of an upstream is its connector. */
const PROVIDERS = [
  { code: "AURORA", name: "Aurora", source: source(PORTS.provider) },
  { code: "PALCO", name: "Palco", source: source(PORTS.provider) },
  { code: "HUB88", name: "Hub88 (simulated)", source: source(PORTS.hub88.GRPC_PORT) },
  { code: "EVOLUTION", name: "Evolution (simulated)", source: source(PORTS.evolution.GRPC_PORT) },
];

const folder = mkdtempSync(join(tmpdir(), "aggregator-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const key = () => randomBytes(32).toString("base64");
const config = readConfig({
  // Only variables for ports, time-outs and limits can be set.
  HOST: "127.0.0.1",
  ...environment,
  ENVIRONMENT: "development",
  DATABASE_URL: `sqlite:${join(folder, "aggregator.db")}`,
  MASTER_KEY: key(),
  JWT_KEY: key(),
  ADMIN_KEY: SANDBOX_ADMIN_KEY?.trim() || key(),
  WALLET_ALLOW_HTTP: "true",
  WALLET_ALLOW_PRIVATE: "true",
  PROVIDER_ALLOW_PRIVATE: "true",
  SPORTSBOOK_URL: SPORTSBOOK,
});

const service = await startService(config, { migrate: true, logLevel: process.env.LOG_LEVEL ?? "warn" }).catch(
  (cause: unknown) => {
    console.error(`The service could not start: ${cause instanceof Error ? cause.message : String(cause)}`);
    process.exit(1);
  },
);
// The console's builder is a large module, so it is imported only here: a start that is refused does not wait for it.
const consoleBuild = import("../console/build/built-console.ts").then(({ builtConsole }) => builtConsole());
const credentials = await setUpSandbox(`http://127.0.0.1:${service.ports.internalHttp}`, config.adminKey ?? "", {
  brand: "casa-luna",
  name: "Casa Luna",
  theme: "lilac-plum",
  layout: "sidebar",
  // The back office previews the brand.
  sites: [SITE, `http://127.0.0.1:${service.ports.internalHttp}`, `http://localhost:${service.ports.internalHttp}`],
  currencies: CURRENCIES,
  // The first currency's merchant may have a wallet of the visitor.
  walletUrlOf: (currency) => (OWN_WALLET !== "" && currency === CURRENCIES[0] ? OWN_WALLET : SANDBOX_WALLET),
  providers: PROVIDERS,
  games: ["provider", "upstreams"].flatMap((owner) => gamesOf(`sandbox/${owner}/games.json`)),
});
const { HUB88, EVOLUTION, ...providerKeys } = credentials.providerKeys;
const sandbox = spawnSandbox();
const processes: ChildProcess[] = [sandbox];
let started = false;
let stopping = false;
async function stop(exitCode: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  for (const child of processes) child.kill("SIGTERM");
  await service.stop();
  process.exit(exitCode);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop(0));
endWith(sandbox, "The sandbox");
const addresses = await addressesOf(sandbox);
await Promise.all(
  (["hub88", "evolution"] as const).map((name) =>
    startConnector(name, connectorSettings(name), (child) => {
      processes.push(child);
      endWith(child, `The connector ${name}`);
    }),
  ),
);
started = true;
await consoleBuild;

const shop = credentials.merchants[0];
console.log(`
Open ${addresses.merchant} and play: choose a player, launch a game or the sportsbook, bet, and watch each callback reach the wallet.

  Merchant's site      ${addresses.merchant}
  Merchants' wallet    ${addresses.wallet_url}
  Provider's games     ${addresses.games}
  Sportsbook           ${addresses.sportsbook}/?brand=casa-luna
  Connectors           hub88 http://127.0.0.1:${PORTS.hub88.HTTP_PORT}, evolution http://127.0.0.1:${PORTS.evolution.HTTP_PORT}
  Operator API (REST)  http://127.0.0.1:${service.ports.rest}
  API reference        http://127.0.0.1:${service.ports.rest}/docs#${new URLSearchParams({ merchant: shop?.code ?? "", secret: shop?.secret ?? "" })}
  Providers (gRPC)     127.0.0.1:${service.ports.grpc}
  Back office          http://127.0.0.1:${service.ports.internalHttp}/console/
  Inside               gRPC 127.0.0.1:${service.ports.internalGrpc}, Connect and /metrics http://127.0.0.1:${service.ports.internalHttp}

  Merchant code        ${shop?.code}   (and one for each of ${credentials.merchants
    .slice(1)
    .map((merchant) => merchant.currency)
    .join(", ")})
  Merchant secret      ${shop?.secret}
  Provider API key     ${Object.entries(providerKeys)
    .map(([code, secret]) => `${code} ${secret}`)
    .join("\n                       ")}
  Sportsbook API key   ${credentials.sportsbookKey}
  Back office key      ${credentials.viewerKey}   (role viewer; the admin key may do everything)
  Admin key            ${config.adminKey}   (ADMIN_KEY=... npm run admin -- merchant list)

${ownWalletText(shop)}

Ctrl+C stops everything; nothing is kept.`);

/** If one of the processes ends by itself, all end. */
function endWith(child: ChildProcess, who: string): void {
  child.once("exit", (code) => {
    if (stopping) return;
    console.error(
      started
        ? `${who} ended by itself (exit code ${code}).`
        : `${who} could not start (exit code ${code}; its message is above).`,
    );
    void stop(1);
  });
}

/** The games of a file, with what all games of the sandbox have in common. */
function gamesOf(file: string): object[] {
  const games = JSON.parse(readFileSync(file, "utf8")) as { readonly code: string }[];
  return games.map((game) => ({
    ...game,
    images: Object.fromEntries(
      ["thumb", "square", "background"].map((shape) => [shape, `${GAMES}/art/cover/${game.code}/${shape}.svg`]),
    ),
    free_rounds: false,
    jackpot: false,
    platforms: ["desktop", "mobile"],
    languages: ["pt", "es", "en"],
    blocked_countries: [],
  }));
}

/** The settings of a connector: what its upstream and its operator would agree on, and keys of this start. */
function connectorSettings(name: "hub88" | "evolution"): Readonly<Record<string, string>> {
  return {
    ...addresses.connectors[name],
    ...PORTS[name],
    AGGREGATOR_KEY: { hub88: HUB88, evolution: EVOLUTION }[name] ?? "",
    MASTER_KEY: key(),
    DATABASE_URL: `sqlite:${join(folder, `${name}.db`)}`,
    HOST: "127.0.0.1",
    INTERNAL_HTTP_PORT: "0",
  };
}

/** How to play with one's own wallet. The commands have the real address and key, so that they can be pasted. */
function ownWalletText(merchant: Credentials["merchants"][number] | undefined): string {
  const { code = "", currency = "" } = merchant ?? {};
  const player = `ana-${currency.toLowerCase()}`;
  const admin = `ADMIN_URL=http://127.0.0.1:${service.ports.internalHttp} ADMIN_KEY=${config.adminKey} npm run -s admin --`;
  if (OWN_WALLET === "")
    return `To play with your own wallet, see docs/sandbox-wallet.md, and start with its address or set it now:
  WALLET_URL=http://localhost:7001/wallet npm start
  ${admin} merchant set --code ${code} --wallet-url http://localhost:7001/wallet --reason 'my own wallet'`;
  return `The merchant ${code} calls your wallet ${OWN_WALLET}. Give it the merchant's code, its secret and the player ${player}. Then try it:
  ${admin} merchant ping --code ${code} --player ${player}
  Open ${addresses.merchant} and play as Ana with ${currency}.`;
}

/** Starts the sandbox. It gets only addresses and credentials, like any program of another company. */
function spawnSandbox(): ChildProcessByStdio<null, Readable, null> {
  return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "sandbox/main.ts"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...environment,
      SERVICE_URL: `http://127.0.0.1:${service.ports.rest}`,
      SERVICE_GRPC: `127.0.0.1:${service.ports.grpc}`,
      SANDBOX_MERCHANTS: JSON.stringify(credentials.merchants),
      SANDBOX_PROVIDER_KEYS: JSON.stringify(providerKeys),
      SANDBOX_SPORTSBOOK_KEY: credentials.sportsbookKey,
    },
  });
}

interface Addresses {
  readonly merchant: string;
  readonly wallet_url: string;
  readonly games: string;
  readonly sportsbook: string;
  readonly connectors: Readonly<Record<"hub88" | "evolution", Readonly<Record<string, string>>>>;
}

/** The addresses of the sandbox's servers. They are the first line that it prints. Never resolves if it prints none. */
function addressesOf({ stdout }: { readonly stdout: Readable }): Promise<Addresses> {
  return new Promise((resolve) => {
    let text = "";
    stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) resolve(JSON.parse(text.slice(0, text.indexOf("\n"))));
    });
  });
}
