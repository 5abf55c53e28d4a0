import type { PlainFields } from "../../contract/merchants/fields.ts";
import type { PRODUCTS } from "../../contract/values/products.ts";
import type { Role } from "../domain/access/role.ts";
import type { MerchantLimits } from "../domain/merchant/merchant.ts";
import type { MerchantSecrets } from "../domain/merchant/secret-rotation.ts";
import type { DbTime } from "../domain/transaction/transaction.ts";
import type { ProviderCode } from "../domain/values/identifiers.ts";
import type { Currency } from "../domain/values/money.ts";

/**
 * The settings: brands, merchants, providers, games and admin keys. The epoch is a number that every write raises, in
 * the write's own database transaction. A replica that has loaded the changes up to an epoch knows every write up to
 * this epoch.
 */
export abstract class SettingsStore {
  /** The epoch of the last write, and the store's time. The read sees every acknowledged write. */
  abstract epoch(): Promise<EpochReading>;
  /**
   * The changes after epoch `since` (0n: everything), and the epoch up to which they are complete. For games, the
   * result has only how many games each write changed. {@link games} reads the games.
   */
  abstract load(since: bigint): Promise<SettingsChanges>;
  /**
   * Games whose last write is after `after` and not after epoch `upTo`, in the order of their writes, at most `limit`.
   * If a game is written again during this read, it counts only for the new write.
   */
  abstract games(after: GamePosition, upTo: bigint, limit: number): Promise<GameSlice>;
  /**
   * Inserts or replaces records by code, in one database transaction with the epoch. A record gets its id when it is
   * inserted, and keeps it.
   */
  abstract save(write: SettingsWrite): Promise<void>;
}

export interface EpochReading {
  readonly epoch: bigint;
  readonly now: DbTime;
}

export interface SettingsChanges extends EpochReading {
  readonly brands: readonly Brand[];
  readonly merchants: readonly Merchant[];
  readonly providers: readonly Provider[];
  readonly games: readonly GameChange[];
  /** All admin keys, also those that have not changed. */
  readonly adminKeys: readonly AdminKey[];
}

/** The number of games whose last write has this epoch. */
export interface GameChange {
  readonly epoch: bigint;
  readonly count: number;
}

/** A position in the order of the games' last writes: by epoch, then by id. */
export interface GamePosition {
  readonly epoch: bigint;
  readonly id: number;
}

export interface GameSlice {
  readonly games: readonly Game[];
  /** Where the next slice begins; null: this slice is the last. */
  readonly next: GamePosition | null;
}

export type SettingsWrite =
  | { readonly kind: "brand"; readonly brand: Brand }
  | { readonly kind: "merchant"; readonly merchant: Omit<Merchant, "id"> }
  /** A provider's record. The store sets `activeChangedAt`, and keeps `endsRoundsSince`. */
  | { readonly kind: "provider"; readonly provider: ProviderRecord }
  /** Sets `endsRoundsSince` of this provider to the store's time, unless it is set. */
  | { readonly kind: "endsRounds"; readonly provider: ProviderCode }
  /** Games of one provider, which must exist. */
  | { readonly kind: "games"; readonly provider: ProviderCode; readonly games: readonly GameRecord[] }
  /** An admin key, which is identified by its hash. */
  | { readonly kind: "adminKey"; readonly key: AdminKey };

export type Product = (typeof PRODUCTS)[number];

export interface Brand {
  readonly code: string;
  readonly name: string;
  readonly theme: string;
  readonly layout: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Web origins whose pages may show the sportsbook in a frame. */
  readonly allowedOrigins: readonly string[];
}

/** A merchant's record. The store encrypts its secrets. */
export interface Merchant extends MerchantSecrets, PlainFields {
  readonly id: number;
  readonly code: string;
  readonly currency: Currency;
  readonly brand: string;
  readonly products: readonly Product[];
  /** Addresses and CIDR ranges that may call the API; empty: every address may call it. */
  readonly ipList: readonly string[];
  readonly limits: MerchantLimits;
}

export interface Provider {
  readonly id: number;
  readonly code: ProviderCode;
  readonly name: string;
  readonly active: boolean;
  /** When `active` last changed, in milliseconds since 1970 by the store's clock; 0: not known. */
  readonly activeChangedAt: number;
  /** When it first ended a round, in milliseconds since 1970 by the store's clock; null: it has never ended one. */
  readonly endsRoundsSince: DbTime | null;
  /** The sources, in the order in which the service tries them. */
  readonly sources: readonly Source[];
  readonly keys: readonly ApiKey[];
}

/** The fields of a provider that a write sets. */
export type ProviderRecord = Omit<Provider, "id" | "activeChangedAt" | "endsRoundsSince">;

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

/** An API key of the administration. Its name is unique among admin keys. */
export interface AdminKey extends ApiKey {
  readonly role: Role;
}

/** A game of the catalog; its fields are those of GET /v1/games (docs/specification/catalog.md). */
export interface Game {
  readonly id: number;
  readonly provider: ProviderCode;
  readonly providerId: number;
  readonly code: string;
  readonly name: string;
  readonly type: Product;
  readonly demoAvailable: boolean;
  readonly active: boolean;
  /** Images, tags, rtp, volatility and so on, with the names and types that the API uses. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly updatedAt: number;
  /** The text in which a search looks for its words. It is built from the other fields when the game is read. */
  readonly searchText: string;
}

/** The fields of a game that a write sets. */
export type GameRecord = Omit<Game, "id" | "provider" | "providerId" | "updatedAt" | "searchText">;
