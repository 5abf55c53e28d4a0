import { CallbackLog } from "./merchant/callback-log.ts";
import { type RunningMerchant, type SandboxMerchant, startMerchant } from "./merchant/merchant.ts";
import { startProvider } from "./provider/provider.ts";
import { startSportsbook } from "./sportsbook/sportsbook.ts";
import { type ConnectorName, type RunningUpstreams, startUpstreams } from "./upstreams/upstreams.ts";

/** The sandbox's options. main.ts reads them from the environment and describes each. A port 0 is any free port. */
export interface SandboxOptions {
  readonly serviceUrl: string;
  readonly serviceGrpc: string;
  readonly merchants: readonly SandboxMerchant[];
  readonly providerKeys: Readonly<Record<string, string>>;
  readonly sportsbookKey: string;
  readonly host: string;
  readonly merchantPort: number;
  readonly providerPort: number;
  readonly providerGrpcPort: number;
  readonly walletPort: number;
  readonly sportsbookPort: number;
  /** The ports of the connectors' wallet APIs, which the simulated upstreams call. */
  readonly connectorPorts: Readonly<Record<ConnectorName, number>>;
  readonly sportsbookSeed: number;
  readonly sportsbookRunning: boolean;
  readonly development: boolean;
  readonly merchantOrigin: string | undefined;
  readonly providerOrigin: string | undefined;
  readonly sportsbookOrigin: string | undefined;
}

/** The addresses of the merchant, the provider and the sportsbook, and the settings for connectors. */
interface SandboxAddresses {
  /** The addresses for browsers. */
  readonly merchant: string;
  readonly games: string;
  readonly sportsbook: string;
  /** The addresses for the service: the merchants' walletUrl, and the source of the providers. */
  readonly wallet_url: string;
  readonly provider_source: string;
  readonly connectors: RunningUpstreams["settings"];
}

export interface RunningSandbox {
  readonly addresses: SandboxAddresses;
  readonly merchant: RunningMerchant;
  close(): Promise<void>;
}

/**
 * Starts the merchant, the provider with the simulated upstreams, and the sportsbook. Provider and sportsbook start first, because the merchant's
 * Content-Security-Policy contains their addresses.
 */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { host, serviceUrl, serviceGrpc, merchants } = options;
  const origin = (given: string | undefined) => (given === undefined ? {} : { origin: given });
  // With port 0 the merchant's address is not known yet.
  const merchantOrigin =
    options.merchantOrigin ?? (options.merchantPort === 0 ? undefined : `http://localhost:${options.merchantPort}`);
  const provider = await startProvider({
    serviceGrpc,
    keys: options.providerKeys,
    host,
    httpPort: options.providerPort,
    grpcPort: options.providerGrpcPort,
    ...(merchantOrigin !== undefined && { merchantOrigin }),
    ...origin(options.providerOrigin),
  });
  const log = new CallbackLog();
  const upstreams = await startUpstreams({
    serviceGrpc,
    connectors: {
      hub88: `http://127.0.0.1:${options.connectorPorts.hub88}`,
      evolution: `http://127.0.0.1:${options.connectorPorts.evolution}`,
    },
    open: provider.open,
    callbacks: ({ txIds, game, from, until }) =>
      log.about(txIds, game, from, until).map(({ action, merchant, request_id, body, reply }) => ({
        title: `POST ${action}`,
        headers: { "x-merchant-id": merchant, "x-request-id": request_id },
        request: body,
        answer: reply === null ? "" : JSON.stringify(reply),
      })),
  });
  const sportsbook = await startSportsbook({
    serviceGrpc,
    key: options.sportsbookKey,
    host,
    port: options.sportsbookPort,
    seed: options.sportsbookSeed,
    running: options.sportsbookRunning,
    development: options.development,
    ...origin(options.sportsbookOrigin),
  });
  const merchant = await startMerchant({
    serviceUrl,
    merchants,
    log,
    host,
    port: options.merchantPort,
    walletPort: options.walletPort,
    gameOrigins: provider.origin,
    sportsbookOrigin: sportsbook.origin,
    ...origin(options.merchantOrigin),
  });
  return {
    merchant,
    addresses: {
      merchant: merchant.origin,
      games: provider.origin,
      sportsbook: sportsbook.origin,
      wallet_url: merchant.walletUrl,
      provider_source: `http://${host}:${provider.grpcPort}`,
      connectors: upstreams.settings,
    },
    async close() {
      upstreams.close();
      await Promise.all([merchant.close(), provider.close(), sportsbook.close()]);
    },
  };
}
