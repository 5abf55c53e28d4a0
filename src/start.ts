/**
 * `npm start`: the service on the embedded database and, in a process of its own, the sandbox: a merchant's site with its wallet and a
 * game provider. Everything is made anew on each start and gone at the end.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "./config.ts";
import type { ProviderCode } from "./domain/identifiers.ts";
import { CURRENCIES } from "./domain/money.ts";
import type { Game, Product, SettingsStore } from "./ports/settings-store.ts";
import { startService } from "./service.ts";

const BRAND = "casa-luna";
const WALLET_URL = `http://127.0.0.1:${process.env.WALLET_PORT ?? "3003"}/wallet`;
/** Where the catalog file has the games' pictures, and where they are. */
const CATALOG_GAMES = "http://localhost:3001";
const GAMES = process.env.PROVIDER_ORIGIN ?? `http://localhost:${process.env.PROVIDER_PORT ?? "3001"}`;
const SOURCE = `http://127.0.0.1:${process.env.PROVIDER_GRPC_PORT ?? "3002"}`;

interface Credentials {
  readonly merchants: readonly { readonly code: string; readonly secret: string; readonly currency: string }[];
  readonly providerKeys: Readonly<Record<string, string>>;
}

/** A row of the sandbox's catalogue file, by the wire's names. */
interface CatalogRow {
  readonly provider: ProviderCode;
  readonly code: string;
  readonly name: string;
  readonly type: Product;
  readonly demo_available: boolean;
  readonly [detail: string]: unknown;
}

const folder = mkdtempSync(join(tmpdir(), "aggregator-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const key = () => randomBytes(32).toString("base64");
const config = readConfig({
  ENVIRONMENT: "development",
  HOST: "127.0.0.1",
  DATABASE_URL: `sqlite:${join(folder, "aggregator.db")}`,
  MASTER_KEY: key(),
  JWT_KEY: key(),
  WALLET_ALLOW_HTTP: "true",
  WALLET_ALLOW_PRIVATE: "true",
  ...process.env,
});

const service = await startService(config, { migrate: true, logLevel: process.env.LOG_LEVEL ?? "warn" }).catch((cause: unknown) => {
  console.error(`The service could not start: ${cause instanceof Error ? cause.message : String(cause)}`);
  process.exit(1);
});
const credentials = await setUp(service.settings);
const { sandbox, addresses } = await startSandbox(credentials);

const shop = credentials.merchants[0];
console.log(`
Open ${addresses.merchant} and play: choose a player, launch a game, spin, and watch each callback reach the wallet.

  Merchant's site      ${addresses.merchant}
  Merchants' wallet    ${addresses.wallet_url}
  Provider's games     ${addresses.games}
  Operator API (REST)  http://127.0.0.1:${service.ports.rest}/v1
  Providers (gRPC)     127.0.0.1:${service.ports.grpc}
  Inside               gRPC 127.0.0.1:${service.ports.internalGrpc}, Connect and /metrics http://127.0.0.1:${service.ports.internalHttp}

  Merchant code        ${shop?.code}   (and one for each of ${credentials.merchants
    .slice(1)
    .map((merchant) => merchant.currency)
    .join(", ")})
  Merchant secret      ${shop?.secret}
  Provider API key     ${Object.entries(credentials.providerKeys)
    .map(([code, secret]) => `${code} ${secret}`)
    .join("\n                       ")}

Ctrl+C stops everything; nothing is kept.`);

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  sandbox.kill("SIGTERM");
  await service.stop();
  process.exit(0);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop());
sandbox.once("exit", (code) => {
  if (stopping) return;
  console.error(`The sandbox ended by itself (exit code ${code}).`);
  void service.stop().then(() => process.exit(1));
});

/** One brand with a merchant per currency, and the providers and games of the sandbox's catalogue. */
async function setUp(settings: SettingsStore): Promise<Credentials> {
  await settings.save({ kind: "brand", brand: { code: BRAND, name: "Casa Luna", theme: "mint-carbon", layout: "sidebar", settings: {}, allowedOrigins: [] } });
  const merchants = CURRENCIES.map((currency) => ({
    code: `${BRAND}-${currency.toLowerCase()}`,
    secret: `sk_${randomBytes(32).toString("base64url")}`,
    currency,
  }));
  for (const merchant of merchants) {
    await settings.save({
      kind: "merchant",
      merchant: {
        ...merchant,
        name: `Casa Luna ${merchant.currency}`,
        brand: BRAND,
        walletUrl: WALLET_URL,
        defaultLanguage: "en",
        products: ["slot", "live"],
        ipList: [],
        enabled: true,
        secretVersion: 1,
        previousSecret: null,
        limits: {},
      },
    });
  }
  const catalog = JSON.parse(readFileSync("sandbox/provider/games.json", "utf8").replaceAll(CATALOG_GAMES, GAMES)) as CatalogRow[];
  const providerKeys: Record<string, string> = {};
  for (const [code, rows] of Map.groupBy(catalog, (row) => row.provider)) {
    const apiKey = randomBytes(32).toString("base64url");
    providerKeys[code] = apiKey;
    const hash = createHash("sha256").update(apiKey).digest("hex");
    await settings.save({
      kind: "provider",
      provider: {
        code,
        name: code.charAt(0) + code.slice(1).toLowerCase(),
        active: true,
        sources: [{ address: SOURCE, deadlineMs: 5_000, enabled: true }],
        keys: [{ name: "sandbox", hash, expiresAt: null, revoked: false }],
      },
    });
    await settings.save({ kind: "games", provider: code, games: rows.map(gameOf) });
  }
  return { merchants, providerKeys };
}

function gameOf({
  provider: _,
  code,
  name,
  type,
  demo_available: demoAvailable,
  ...details
}: CatalogRow): Omit<Game, "id" | "provider" | "providerId" | "updatedAt"> {
  return { code, name, type, demoAvailable, active: true, details };
}

/** The sandbox gets what a stranger would get: addresses and credentials. Its first line says where it is. */
function startSandbox(given: Credentials): Promise<{ sandbox: ChildProcess; addresses: Record<string, string> }> {
  const sandbox = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "sandbox/main.ts"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      SERVICE_URL: `http://127.0.0.1:${service.ports.rest}`,
      SERVICE_GRPC: `127.0.0.1:${service.ports.grpc}`,
      SANDBOX_MERCHANTS: JSON.stringify(given.merchants),
      SANDBOX_PROVIDER_KEYS: JSON.stringify(given.providerKeys),
    },
  });
  return new Promise((resolve) => {
    let text = "";
    sandbox.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) resolve({ sandbox, addresses: JSON.parse(text.slice(0, text.indexOf("\n"))) });
    });
    sandbox.once("exit", (code) => {
      console.error(`The sandbox could not start (exit code ${code}; its message is above).`);
      void service.stop().then(() => process.exit(1));
    });
  });
}
