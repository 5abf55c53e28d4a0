import type { Role } from "../domain/access/role.ts";
import type { MerchantLimits, PRODUCTS } from "../domain/merchant/merchant.ts";
import type { ProviderCode } from "../domain/values/identifiers.ts";
import type { Currency } from "../domain/values/money.ts";

/**
 * What the service sets up for merchants and providers. Every write raises the epoch in its own transaction; a replica that has seen an epoch
 * has seen all that was written up to it.
 */
export abstract class SettingsStore {
  /** The epoch of the last write, read where every acknowledged write is seen. */
  abstract epoch(): Promise<bigint>;
  /** What changed after `since` (0n: everything), with the epoch it is complete to. Of games only how many each write changed: {@link games} reads them. */
  abstract load(since: bigint): Promise<SettingsChanges>;
  /**
   * Games whose last write came behind `after` and not after `upTo`, in the order of their writes, at most `limit`. A game that is written
   * again while its write is read belongs to the new write alone.
   */
  abstract games(after: GamePosition, upTo: bigint, limit: number): Promise<GameSlice>;
  /** Inserts or replaces by code, in one transaction with the epoch. Ids are given on insert and never change. */
  abstract save(write: SettingsWrite): Promise<void>;
}

export interface SettingsChanges {
  readonly epoch: bigint;
  readonly brands: readonly Brand[];
  readonly merchants: readonly Merchant[];
  readonly providers: readonly Provider[];
  readonly games: readonly GameChange[];
  /** All of them, changed or not. */
  readonly adminKeys: readonly AdminKey[];
}

/** How many games have this epoch as that of their last write. */
export interface GameChange {
  readonly epoch: bigint;
  readonly count: number;
}

/** A place in the order of games' last writes: by epoch, then by id. */
export interface GamePosition {
  readonly epoch: bigint;
  readonly id: number;
}

export interface GameSlice {
  readonly games: readonly Game[];
  /** Where the next slice begins; null: this was the last. */
  readonly next: GamePosition | null;
}

export type SettingsWrite =
  | { readonly kind: "brand"; readonly brand: Brand }
  | { readonly kind: "merchant"; readonly merchant: Omit<Merchant, "id"> }
  /** `activeChangedAt` is the store's to keep. */
  | { readonly kind: "provider"; readonly provider: ProviderRecord }
  /** `provider` must exist. */
  | { readonly kind: "games"; readonly provider: ProviderCode; readonly games: readonly GameRecord[] }
  /** Keys are told apart by their hash. */
  | { readonly kind: "adminKey"; readonly key: AdminKey };

export type Product = (typeof PRODUCTS)[number];

export interface Brand {
  readonly code: string;
  readonly name: string;
  readonly theme: string;
  readonly layout: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Origins that may frame the sportsbook. */
  readonly allowedOrigins: readonly string[];
}

export interface Merchant {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly currency: Currency;
  readonly brand: string;
  readonly walletUrl: string | null;
  readonly defaultLanguage: string | null;
  readonly products: readonly Product[];
  /** Addresses and CIDR ranges that may call the API; empty: anyone. */
  readonly ipList: readonly string[];
  readonly enabled: boolean;
  /** As shown once. Encrypted at rest by the store. */
  readonly secret: string;
  /** Raised by each new secret. */
  readonly secretVersion: number;
  /** The secret before this one, never accepted; null where it isn't kept (production) or there was none. Encrypted alike. */
  readonly previousSecret: string | null;
  readonly limits: MerchantLimits;
}

export interface Provider {
  readonly id: number;
  readonly code: ProviderCode;
  readonly name: string;
  readonly active: boolean;
  /** When `active` last changed, by the store's clock, milliseconds since 1970; 0: not known. */
  readonly activeChangedAt: number;
  /** Tried in this order. */
  readonly sources: readonly Source[];
  readonly keys: readonly ApiKey[];
}

/** What is said of a provider. */
export type ProviderRecord = Omit<Provider, "id" | "activeChangedAt">;

/** A gRPC server that opens this provider's games. */
export interface Source {
  /** `https://host:port`, or `http://` without TLS. */
  readonly address: string;
  readonly deadlineMs: number;
  readonly enabled: boolean;
}

export interface ApiKey {
  readonly name: string;
  /** SHA-256 of the key, lowercase hex. */
  readonly hash: string;
  /** Milliseconds since 1970; null: never. */
  readonly expiresAt: number | null;
  readonly revoked: boolean;
}

/** A key of the administration. Names are unique among these. */
export interface AdminKey extends ApiKey {
  readonly role: Role;
}

/** A row of the catalog; fields as in GET /v1/games (docs/specification/catalog.md). */
export interface Game {
  readonly id: number;
  readonly provider: ProviderCode;
  readonly providerId: number;
  readonly code: string;
  readonly name: string;
  readonly type: Product;
  readonly demoAvailable: boolean;
  readonly active: boolean;
  /** Images, tags, rtp, volatility and so on: the wire's names and shapes, kept as they are. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly updatedAt: number;
  /** Made of the other fields as they are read: what a search looks in. */
  readonly searchText: string;
}

/** What is said of a game at its provider. */
export type GameRecord = Omit<Game, "id" | "provider" | "providerId" | "updatedAt" | "searchText">;
