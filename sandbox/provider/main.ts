/**
 * `npm run sandbox:provider`: only the sandbox's provider, with the spin hook. certify-provider can test it.
 *
 * | variable | default | what it is |
 * |---|---|---|
 * | SERVICE_GRPC | 127.0.0.1:9090 | the address of the WalletService that the provider calls: host:port, without TLS |
 * | SANDBOX_PROVIDER_KEYS | {"AURORA": "sandbox-key"} | JSON: the API key of each provider code of games.json |
 * | PROVIDER_PORT | 3001 | the game pages; the hook is http://127.0.0.1:PROVIDER_PORT/certify/spin |
 * | PROVIDER_GRPC_PORT | 3002 | GameService |
 */
import { startProvider } from "./provider.ts";

const env = (name: string, fallback: string): string => process.env[name] || fallback;

const provider = await startProvider({
  serviceGrpc: env("SERVICE_GRPC", "127.0.0.1:9090"),
  keys: JSON.parse(env("SANDBOX_PROVIDER_KEYS", '{"AURORA": "sandbox-key"}')) as Record<string, string>,
  host: "127.0.0.1",
  httpPort: Number(env("PROVIDER_PORT", "3001")),
  grpcPort: Number(env("PROVIDER_GRPC_PORT", "3002")),
  hasSpinHook: true,
});
console.log(
  JSON.stringify({
    source: `127.0.0.1:${provider.grpcPort}`,
    spin_url: `http://127.0.0.1:${provider.httpPort}/certify/spin`,
  }),
);

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void provider.close().then(() => process.exit(0)));
