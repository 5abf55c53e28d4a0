/** Records of the settings store, with defaults for the fields that do not matter to a test or measurement. */
import { createHash } from "node:crypto";
import { PLAIN_DEFAULTS } from "../../src/domain/merchant/plain-fields.ts";
import type { ProviderCode } from "../../src/domain/values/identifiers.ts";
import type { Brand, Game, Merchant } from "../../src/ports/settings-store.ts";

export const SECRET = "whsec_example_not_a_real_secret";
/** A rate limit that no run reaches. */
export const UNLIMITED = {
  launchRate: 10_000,
  catalogRate: 10_000,
  transactionsRate: 10_000,
  reportsRate: 10_000,
} as const;

export const brandRecord = (code: string, more: Partial<Brand> = {}): Brand => ({
  code,
  name: code,
  theme: "mint-carbon",
  layout: "sidebar",
  settings: {},
  allowedOrigins: [],
  ...more,
});

export const merchantRecord = (code: string, more: Partial<Merchant> = {}): Omit<Merchant, "id"> => ({
  ...PLAIN_DEFAULTS,
  code,
  name: code,
  currency: "BRL",
  brand: "house",
  walletUrl: "https://wallet.example/",
  products: ["slot", "live", "sportsbook"],
  ipList: [],
  secret: SECRET,
  secretVersion: 1,
  previousSecret: null,
  rotationEndsAt: null,
  limits: {},
  ...more,
});

export const gameRecord = (code: string, more: Partial<Game> = {}) =>
  ({ code, name: code, type: "slot", demoAvailable: true, active: true, details: {}, ...more }) as const;

/** @param addresses - the addresses of the servers that open the provider's games. */
export const providerRecord = (code: string, addresses: readonly string[], active = true) => ({
  code: code as ProviderCode,
  name: code,
  active,
  sources: addresses.map((address) => ({ address, deadlineMs: 5_000, enabled: true })),
  keys: [],
});

/** The stored form of a provider's API key. */
export const keyRecord = (apiKey: string) => ({
  name: "test",
  hash: createHash("sha256").update(apiKey).digest("hex"),
  expiresAt: null,
  revoked: false,
});
