/**
 * Converts settings to rows and back. Lists and records are JSON. A merchant's products are a short comma-separated
 * text.
 */

import type { Role } from "../../../domain/access/role.ts";
import { namesIn, searchText } from "../../../domain/catalog/game-name.ts";
import type { MerchantSecrets } from "../../../domain/merchant/secret-rotation.ts";
import type { ProviderCode } from "../../../domain/values/identifiers.ts";
import type { Currency } from "../../../domain/values/money.ts";
import type {
  AdminKey,
  ApiKey,
  Brand,
  Game,
  GameRecord,
  Merchant,
  Product,
  Provider,
  Source,
} from "../../../ports/settings-store.ts";
import { textOf } from "../schema/columns.ts";
import type { SecretBox } from "./secret-box.ts";

type Text = string | Buffer;
/** MySQL returns INT columns as numbers and BIGINT columns as text. SQLite returns bigints. */
type Int = number | bigint | string;

/** The context to which a merchant's encrypted secret is bound. */
export const secretContext = (merchantId: number, secretVersion: number): string =>
  `merchant ${merchantId} secret ${secretVersion}`;
/** The context of the previous secret, which was encrypted with the version before. */
export const previousContext = (merchantId: number, secretVersion: number): string =>
  secretContext(merchantId, secretVersion - 1);

export interface BrandRow {
  readonly code: Text;
  readonly name: string;
  readonly theme: string;
  readonly layout: string;
  readonly settings: string;
  readonly allowed_origins: string;
}

export const brandToRow = (brand: Brand): BrandRow => ({
  code: brand.code,
  name: brand.name,
  theme: brand.theme,
  layout: brand.layout,
  settings: JSON.stringify(brand.settings),
  allowed_origins: JSON.stringify(brand.allowedOrigins),
});

export const brandFromRow = (row: BrandRow): Brand => ({
  code: textOf(row.code),
  name: row.name,
  theme: row.theme,
  layout: row.layout,
  settings: JSON.parse(row.settings),
  allowedOrigins: JSON.parse(row.allowed_origins),
});

export interface MerchantRow {
  readonly id: Int;
  readonly code: Text;
  readonly name: string;
  readonly currency: Text;
  readonly brand: Text;
  readonly wallet_url: string | null;
  readonly default_language: Text | null;
  readonly products: Text;
  readonly ip_list: string;
  readonly enabled: Int;
  readonly secret: Text;
  readonly previous_secret: Text | null;
  readonly secret_version: Int;
  readonly rotation_ends_at: Int | null;
  readonly limits: string | null;
  readonly trace_context: Int | null;
}

export const merchantToRow = (
  merchant: Omit<Merchant, "id">,
): Omit<MerchantRow, "id" | "secret" | "previous_secret"> => ({
  code: merchant.code,
  name: merchant.name,
  currency: merchant.currency,
  brand: merchant.brand,
  wallet_url: merchant.walletUrl,
  default_language: merchant.defaultLanguage,
  products: merchant.products.join(","),
  ip_list: JSON.stringify(merchant.ipList),
  enabled: merchant.enabled ? 1 : 0,
  secret_version: merchant.secretVersion,
  rotation_ends_at: merchant.rotationEndsAt,
  limits: Object.keys(merchant.limits).length === 0 ? null : JSON.stringify(merchant.limits),
  trace_context: merchant.traceContext ? 1 : 0,
});

/** The merchant's secrets in the form in which they are stored. */
export const sealedSecrets = (id: number, merchant: Omit<MerchantSecrets, "rotationEndsAt">, box: SecretBox) => ({
  secret: box.seal(merchant.secret, secretContext(id, merchant.secretVersion)),
  previous_secret:
    merchant.previousSecret === null
      ? null
      : box.seal(merchant.previousSecret, previousContext(id, merchant.secretVersion)),
});

/**
 * @throws Error if the secret can't be decrypted. Then the whole load fails, because a merchant without its secret is a
 * wrong setting.
 */
export function merchantFromRow(row: MerchantRow, box: SecretBox): Merchant {
  const id = Number(row.id);
  const secretVersion = Number(row.secret_version);
  return {
    id,
    code: textOf(row.code),
    name: row.name,
    currency: textOf(row.currency) as Currency,
    brand: textOf(row.brand),
    walletUrl: row.wallet_url,
    defaultLanguage: row.default_language === null ? null : textOf(row.default_language),
    products: textOf(row.products)
      .split(",")
      .filter((product) => product !== "") as Product[],
    ipList: JSON.parse(row.ip_list),
    enabled: Number(row.enabled) === 1,
    secret: box.open(textOf(row.secret), secretContext(id, secretVersion)),
    secretVersion,
    previousSecret:
      row.previous_secret === null ? null : box.open(textOf(row.previous_secret), previousContext(id, secretVersion)),
    rotationEndsAt: row.rotation_ends_at === null ? null : Number(row.rotation_ends_at),
    limits: row.limits === null ? {} : JSON.parse(row.limits),
    traceContext: Number(row.trace_context) === 1,
  };
}

export interface ProviderRow {
  readonly id: Int;
  readonly code: Text;
  readonly name: string;
  readonly active: Int;
  readonly active_changed_at: Int | null;
}

export interface SourceRow {
  readonly provider_id: Int;
  readonly address: Text;
  readonly deadline_ms: Int;
  readonly enabled: Int;
}

export interface KeyRow {
  readonly provider_id: Int;
  readonly name: Text;
  readonly hash: Buffer;
  readonly expires_at: Int | null;
  readonly revoked: Int;
}

export const sourceToRow = (source: Source): Omit<SourceRow, "provider_id"> => ({
  address: source.address,
  deadline_ms: source.deadlineMs,
  enabled: source.enabled ? 1 : 0,
});

export const keyToRow = (key: ApiKey): Omit<KeyRow, "provider_id"> => ({
  name: key.name,
  hash: Buffer.from(key.hash, "hex"),
  expires_at: key.expiresAt,
  revoked: key.revoked ? 1 : 0,
});

const keyFromRow = (row: KeyRow): ApiKey => ({
  name: textOf(row.name),
  hash: row.hash.toString("hex"),
  expiresAt: row.expires_at === null ? null : Number(row.expires_at),
  revoked: Number(row.revoked) === 1,
});

export interface AdminKeyRow extends KeyRow {
  readonly role: Text;
}

export const adminKeyToRow = (key: AdminKey) => ({ ...keyToRow(key), provider_id: null, role: key.role });
export const adminKeyFromRow = (row: AdminKeyRow): AdminKey => ({ ...keyFromRow(row), role: textOf(row.role) as Role });

/** @param sources, keys - rows of any providers, in the order of their lists. */
export function providerFromRow(row: ProviderRow, sources: readonly SourceRow[], keys: readonly KeyRow[]): Provider {
  const id = Number(row.id);
  return {
    id,
    code: textOf(row.code) as ProviderCode,
    name: row.name,
    active: Number(row.active) === 1,
    activeChangedAt: Number(row.active_changed_at ?? 0),
    sources: sources
      .filter((source) => Number(source.provider_id) === id)
      .map((source) => ({
        address: textOf(source.address),
        deadlineMs: Number(source.deadline_ms),
        enabled: Number(source.enabled) === 1,
      })),
    keys: keys.filter((key) => Number(key.provider_id) === id).map(keyFromRow),
  };
}

/** The numbers of products in the table `games`. They never change. */
const PRODUCT_NUMBERS = { slot: 1, live: 2, sportsbook: 3 } as const satisfies Record<Product, number>;
const PRODUCTS = new Map<number, Product>(
  Object.entries(PRODUCT_NUMBERS).map(([product, number]) => [number, product as Product]),
);

export const productNumber = (product: Product): number => PRODUCT_NUMBERS[product];

export function productOf(number: unknown): Product {
  const product = PRODUCTS.get(Number(number));
  if (product === undefined) throw new Error(`games.type has an unknown number: ${String(number)}`);
  return product;
}

export interface GameRow {
  readonly id: Int;
  readonly provider: Text;
  readonly provider_id: Int;
  readonly code: Text;
  readonly name: string;
  readonly type: Int;
  readonly demo_available: Int;
  readonly active: Int;
  readonly details: string;
  readonly updated_at: Int;
  readonly epoch: Int;
}

/** The columns of {@link gameToCells}, in the order of its cells. */
export const GAME_COLUMNS = ["code", "name", "type", "demo_available", "active", "details"] as const;

export const gameToCells = ({
  code,
  name,
  type,
  demoAvailable,
  active,
  details,
}: GameRecord): readonly (string | number)[] => [
  code,
  name,
  productNumber(type),
  demoAvailable ? 1 : 0,
  active ? 1 : 0,
  JSON.stringify(details),
];

export function gameFromRow(row: GameRow): Game {
  const [code, details] = [textOf(row.code), JSON.parse(row.details)];
  return {
    id: Number(row.id),
    provider: textOf(row.provider) as ProviderCode,
    providerId: Number(row.provider_id),
    code,
    name: row.name,
    type: productOf(row.type),
    demoAvailable: Number(row.demo_available) === 1,
    active: Number(row.active) === 1,
    details,
    updatedAt: Number(row.updated_at),
    searchText: searchText(code, row.name, namesIn(details)),
  };
}
