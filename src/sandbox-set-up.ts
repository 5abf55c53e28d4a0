import { Agent } from "node:http";
import { Code, ConnectError, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { BrandAdminService } from "./gen/aggregator/admin/v1/brand_admin_service_pb.ts";
import { CatalogAdminService } from "./gen/aggregator/admin/v1/catalog_admin_service_pb.ts";
import { KeyAdminService } from "./gen/aggregator/admin/v1/key_admin_service_pb.ts";
import { MerchantAdminService } from "./gen/aggregator/admin/v1/merchant_admin_service_pb.ts";
import { ProviderAdminService } from "./gen/aggregator/admin/v1/provider_admin_service_pb.ts";

/** The credentials of the sandbox's merchants, providers and sportsbook. */
export interface Credentials {
  readonly merchants: readonly { readonly code: string; readonly secret: string; readonly currency: string }[];
  /** API keys by provider. */
  readonly providerKeys: Readonly<Record<string, string>>;
  /** The API key of the provider SPORTSBOOK. */
  readonly sportsbookKey: string;
  /** An admin key with the role viewer, to sign in to the console. */
  readonly viewerKey: string;
}

/** The records that the sandbox needs. */
export interface SandboxPlan {
  readonly brand: string;
  readonly name: string;
  /** The theme of the brand's sportsbook. */
  readonly theme: string;
  readonly layout: string;
  /** The origins of the pages that may show the sportsbook in a frame. */
  readonly sites: readonly string[];
  readonly currencies: readonly string[];
  /** The address of the wallet of the merchant with this currency. */
  readonly walletUrlOf: (currency: string) => string;
  /** The providers: their names, and the addresses of their game servers. */
  readonly providers: readonly { readonly code: string; readonly name: string; readonly source: string }[];
  /** The catalog: the games of `game import`. */
  readonly games: readonly object[];
}

const CHUNK_BYTES = 48 * 1024;
const TRIES_MAX = 30;
const PAUSE_MS = 500;

/**
 * Repeats a call that the service could not serve. On a busy machine the service may read its settings too late, and
 * then it does nothing. A stream of requests can't be repeated.
 */
const patient: Interceptor = (next) => async (request) => {
  for (let tries = 1; ; tries++) {
    try {
      return await next(request);
    } catch (cause) {
      if (ConnectError.from(cause).code !== Code.Unavailable || request.stream || tries === TRIES_MAX) throw cause;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
};

/**
 * Creates the sandbox's records over aggregator.admin.v1, as an operator of the service would.
 *
 * @param adminUrl - the address of the internal HTTP port.
 * @throws ConnectError if the service refuses a call, Error if it finds a fault in the catalog.
 */
export async function setUpSandbox(adminUrl: string, adminKey: string, plan: SandboxPlan): Promise<Credentials> {
  const transport = createConnectTransport({
    baseUrl: adminUrl,
    httpVersion: "1.1",
    // Node's own agent would use the proxy of http_proxy with NODE_USE_ENV_PROXY.
    nodeOptions: { agent: new Agent({ keepAlive: true }) },
    interceptors: [
      (next) => (request) => {
        request.header.set("authorization", `Bearer ${adminKey}`);
        return next(request);
      },
      patient,
    ],
  });
  const merchants = await makeMerchants(transport, plan);
  const providerKeys = await makeCatalog(transport, plan);
  // The first migration creates the sportsbook's provider and game.
  const { key: sportsbookKey } = await createClient(ProviderAdminService, transport).rotateProviderKey({
    code: "SPORTSBOOK",
    reason: "first key of the sandbox",
  });
  const { key: viewerKey } = await createClient(KeyAdminService, transport).createKey({
    role: "viewer",
    name: "visitor",
  });
  return { merchants, providerKeys, sportsbookKey, viewerKey };
}

/** Creates one brand, and a merchant for each currency. */
async function makeMerchants(transport: Transport, plan: SandboxPlan): Promise<Credentials["merchants"]> {
  const { brand, name, theme, layout, sites, currencies, walletUrlOf } = plan;
  await createClient(BrandAdminService, transport).createBrand({
    code: brand,
    name,
    theme,
    layout,
    defaultLanguage: "en",
    allowedOrigins: [...sites],
  });
  const client = createClient(MerchantAdminService, transport);
  const merchants: { code: string; secret: string; currency: string }[] = [];
  for (const currency of currencies) {
    const code = `${brand}-${currency.toLowerCase()}`;
    const { secret } = await client.createMerchant({
      code,
      name: `${name} ${currency}`,
      currency,
      brand,
      walletUrl: walletUrlOf(currency),
      defaultLanguage: "en",
      products: ["slot", "live", "sportsbook"],
    });
    merchants.push({ code, secret, currency });
  }
  return merchants;
}

/** Creates the providers, each with a key and a source, and their games. */
async function makeCatalog(
  transport: Transport,
  { providers, games }: SandboxPlan,
): Promise<Credentials["providerKeys"]> {
  const client = createClient(ProviderAdminService, transport);
  const keys: Record<string, string> = {};
  for (const { code, name, source } of providers) {
    const { key } = await client.createProvider({ code, name });
    keys[code] = key;
    await client.addSource({ code, address: source });
  }
  const { faults } = await createClient(CatalogAdminService, transport).importGames(pieces(JSON.stringify(games)));
  if (faults.length > 0)
    throw new Error(
      `the catalog: ${faults.map(({ line, field, reason }) => `line ${line} ${field}: ${reason}`).join("; ")}`,
    );
  return keys;
}

async function* pieces(text: string) {
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES)
    yield { format: "json", chunk: bytes.subarray(from, from + CHUNK_BYTES) };
}
