/**
 * Converts settings to rows and back. Lists and records are JSON. A merchant's products are a short comma-separated
 * text.
 */

import type { PlainFields } from "../../../../contract/merchants/fields.ts";
import type { Role } from "../../../domain/access/role.ts";
import { namesIn, searchText } from "../../../domain/catalog/game-name.ts";
import { PLAIN_FIELDS } from "../../../domain/merchant/plain-fields.ts";
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
import type { Row } from "../connection/statement.ts";
import { flagOf, hexOf, numberOrNull, textOf, textOrNull } from "../schema/columns.ts";
import type { SecretBox } from "./secret-box.ts";

/** The context to which a merchant's encrypted secret is bound. */
export const secretContext = (merchantId: number, secretVersion: number): string =>
  `merchant ${merchantId} secret ${secretVersion}`;
/** The context of the previous secret, which was encrypted with the version before. */
export const previousContext = (merchantId: number, secretVersion: number): string =>
  secretContext(merchantId, secretVersion - 1);

export const brandToRow = (brand: Brand) => ({
  code: brand.code,
  name: brand.name,
  theme: brand.theme,
  layout: brand.layout,
  settings: JSON.stringify(brand.settings),
  allowed_origins: JSON.stringify(brand.allowedOrigins),
});

export const brandFromRow = (row: Row): Brand => ({
  code: textOf(row.code),
  name: textOf(row.name),
  theme: textOf(row.theme),
  layout: textOf(row.layout),
  settings: JSON.parse(textOf(row.settings)),
  allowedOrigins: JSON.parse(textOf(row.allowed_origins)),
});

export const merchantToRow = (merchant: Omit<Merchant, "id">) => ({
  ...Object.fromEntries(
    PLAIN_FIELDS.map(({ name, property, type }) => [
      name,
      type === "flag" ? Number(merchant[property]) : (merchant[property] as string | null),
    ]),
  ),
  code: merchant.code,
  currency: merchant.currency,
  brand: merchant.brand,
  products: merchant.products.join(","),
  ip_list: JSON.stringify(merchant.ipList),
  secret_version: merchant.secretVersion,
  rotation_ends_at: merchant.rotationEndsAt,
  limits: Object.keys(merchant.limits).length === 0 ? null : JSON.stringify(merchant.limits),
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
export function merchantFromRow(row: Row, box: SecretBox): Merchant {
  const id = Number(row.id);
  const secretVersion = Number(row.secret_version);
  return {
    ...plainFromRow(row),
    id,
    code: textOf(row.code),
    currency: textOf(row.currency) as Currency,
    brand: textOf(row.brand),
    products: textOf(row.products)
      .split(",")
      .filter((product) => product !== "") as Product[],
    ipList: JSON.parse(textOf(row.ip_list)),
    secret: box.open(textOf(row.secret), secretContext(id, secretVersion)),
    secretVersion,
    previousSecret:
      row.previous_secret === null ? null : box.open(textOf(row.previous_secret), previousContext(id, secretVersion)),
    rotationEndsAt: numberOrNull(row.rotation_ends_at),
    limits: row.limits === null ? {} : JSON.parse(textOf(row.limits)),
  };
}

const plainFromRow = (row: Row): PlainFields =>
  Object.fromEntries(
    PLAIN_FIELDS.map(({ name, property, type, nullable }) => {
      const read = nullable === true ? textOrNull : textOf;
      return [property, type === "flag" ? flagOf(row[name]) : read(row[name])];
    }),
  ) as unknown as PlainFields;

export const sourceToRow = (source: Source) => ({
  address: source.address,
  deadline_ms: source.deadlineMs,
  enabled: source.enabled ? 1 : 0,
});

export const keyToRow = (key: ApiKey) => ({
  name: key.name,
  hash: Buffer.from(key.hash, "hex"),
  expires_at: key.expiresAt,
  revoked: key.revoked ? 1 : 0,
});

const keyFromRow = (row: Row): ApiKey => ({
  name: textOf(row.name),
  hash: hexOf(row.hash),
  expiresAt: numberOrNull(row.expires_at),
  revoked: flagOf(row.revoked),
});

export const adminKeyToRow = (key: AdminKey) => ({ ...keyToRow(key), provider_id: null, role: key.role });
export const adminKeyFromRow = (row: Row): AdminKey => ({ ...keyFromRow(row), role: textOf(row.role) as Role });

/** @param sources, keys - rows of any providers, in the order of their lists. */
export function providerFromRow(row: Row, sources: readonly Row[], keys: readonly Row[]): Provider {
  const id = Number(row.id);
  return {
    id,
    code: textOf(row.code) as ProviderCode,
    name: textOf(row.name),
    active: flagOf(row.active),
    activeChangedAt: Number(row.active_changed_at ?? 0),
    endsRoundsSince: numberOrNull(row.ends_rounds_since),
    sources: sources
      .filter((source) => Number(source.provider_id) === id)
      .map((source) => ({
        address: textOf(source.address),
        deadlineMs: Number(source.deadline_ms),
        enabled: flagOf(source.enabled),
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

export function gameFromRow(row: Row): Game {
  const [code, name, details] = [textOf(row.code), textOf(row.name), JSON.parse(textOf(row.details))];
  return {
    id: Number(row.id),
    provider: textOf(row.provider) as ProviderCode,
    providerId: Number(row.provider_id),
    code,
    name,
    type: productOf(row.type),
    demoAvailable: flagOf(row.demo_available),
    active: flagOf(row.active),
    details,
    updatedAt: Number(row.updated_at),
    searchText: searchText(code, name, namesIn(details)),
  };
}
