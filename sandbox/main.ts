/**
 * The sandbox as a process of its own. It imports nothing of the service and gets all settings from the environment.
 *
 * | variable | default | what it is |
 * |---|---|---|
 * | SERVICE_URL | http://127.0.0.1:8080 | the service's REST address, without /v1 |
 * | SERVICE_GRPC | 127.0.0.1:9090 | the service's gRPC listener for providers and the sportsbook, host:port, without TLS |
 * | SANDBOX_MERCHANTS | (required) | JSON: `[{"code": "casa-luna-brl", "secret": "sk_...", "currency": "BRL"}, ...]`, one merchant per currency |
 * | SANDBOX_PROVIDER_KEYS | (required) | JSON: the API key of each provider code of provider/games.json, `{"AURORA": "...", "PALCO": "..."}` |
 * | SANDBOX_SPORTSBOOK_KEY | (required) | the API key of the provider SPORTSBOOK |
 * | SANDBOX_HOST | 127.0.0.1 | the address at which all servers listen |
 * | SANDBOX_ALLOWED_HOSTS | (none) | further names by which browsers may open the pages, separated by commas: beside localhost, addresses, names without a dot, and the names in the three ORIGIN variables. Only for a sandbox that is exposed on purpose |
 * | MERCHANT_PORT | 3000 | the merchant's site |
 * | PROVIDER_PORT | 3001 | the provider's game pages and pictures |
 * | PROVIDER_GRPC_PORT | 3002 | the provider's GameService: the source address that the service calls |
 * | WALLET_PORT | 3003 | the merchants' wallet; walletUrl is http://SANDBOX_HOST:WALLET_PORT/wallet |
 * | SPORTSBOOK_PORT | 3004 | the sportsbook, and the browser library that embeds it |
 * | HUB88_CONNECTOR_PORT | 3005 | the wallet API of a connector for Hub88, which the simulated Hub88 calls |
 * | EVOLUTION_CONNECTOR_PORT | 3006 | the same for Evolution |
 * | SPORTSBOOK_SEED | a new one each time | the same seed makes the same matches, odds and results |
 * | SPORTSBOOK_CLOCK | running | still: no match begins or ends and no odds move, for tests |
 * | ENVIRONMENT | development | with any other value no match can be ended by hand, and no site may frame a brand without allowed origins |
 * | MERCHANT_ORIGIN | http://localhost:MERCHANT_PORT | the merchant's site, as browsers open it |
 * | PROVIDER_ORIGIN | http://localhost:PROVIDER_PORT | the game pages, as browsers open them |
 * | SPORTSBOOK_ORIGIN | http://localhost:SPORTSBOOK_PORT | the sportsbook, as browsers open it |
 *
 * Prints one line of JSON with the addresses and the connectors' settings when all servers listen, and stops on SIGINT and SIGTERM. (Run it with
 * --disable-warning=ExperimentalWarning: stripping types for browsers is new in Node.)
 */
import { randomInt } from "node:crypto";
import { Agent, setGlobalDispatcher } from "undici";
import { startSandbox } from "./sandbox.ts";

// Everything that the sandbox calls is on this machine or in this network. With NODE_USE_ENV_PROXY, fetch would go
// through the proxy of http_proxy.
setGlobalDispatcher(new Agent());

const env = (name: string, fallback?: string): string => {
  const value = process.env[name] ?? fallback;
  if (value === undefined || value === "") stop(`${name} is missing.`);
  return value;
};
const port = (name: string, fallback: number): number => {
  const value = Number(env(name, String(fallback)));
  return Number.isInteger(value) && value >= 0 && value < 65_536
    ? value
    : stop(`${name} is not a port: a whole number from 0 to 65535.`);
};
const json = <T>(name: string): T => {
  try {
    return JSON.parse(env(name)) as T;
  } catch {
    return stop(`${name} is not JSON.`);
  }
};
const seed = (): number => {
  const value = Number(env("SPORTSBOOK_SEED", String(randomInt(2 ** 31))));
  return Number.isInteger(value) ? value : stop("SPORTSBOOK_SEED is not a whole number.");
};
function stop(why: string): never {
  console.error(why);
  process.exit(1);
}

const sandbox = await startSandbox({
  serviceUrl: env("SERVICE_URL", "http://127.0.0.1:8080"),
  serviceGrpc: env("SERVICE_GRPC", "127.0.0.1:9090"),
  merchants: json("SANDBOX_MERCHANTS"),
  providerKeys: json("SANDBOX_PROVIDER_KEYS"),
  sportsbookKey: env("SANDBOX_SPORTSBOOK_KEY"),
  host: env("SANDBOX_HOST", "127.0.0.1"),
  merchantPort: port("MERCHANT_PORT", 3000),
  providerPort: port("PROVIDER_PORT", 3001),
  providerGrpcPort: port("PROVIDER_GRPC_PORT", 3002),
  walletPort: port("WALLET_PORT", 3003),
  sportsbookPort: port("SPORTSBOOK_PORT", 3004),
  connectorPorts: { hub88: port("HUB88_CONNECTOR_PORT", 3005), evolution: port("EVOLUTION_CONNECTOR_PORT", 3006) },
  sportsbookSeed: seed(),
  sportsbookRunning: env("SPORTSBOOK_CLOCK", "running") !== "still",
  development: env("ENVIRONMENT", "development") === "development",
  merchantOrigin: process.env.MERCHANT_ORIGIN,
  providerOrigin: process.env.PROVIDER_ORIGIN,
  sportsbookOrigin: process.env.SPORTSBOOK_ORIGIN,
});
console.log(JSON.stringify(sandbox.addresses));

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
}
