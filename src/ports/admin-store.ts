import type { FieldChange } from "../domain/access/audit.ts";
import type { Result } from "../domain/errors.ts";
import type { DbTime } from "../domain/transaction/transaction.ts";
import type { ProviderCode } from "../domain/values/identifiers.ts";
import type { AdminKey, Brand, Game, Merchant, Provider, SettingsWrite } from "./settings-store.ts";

/**
 * Changes of settings with their audit entries, and the audit log. Entries are only ever added.
 */
export abstract class AdminStore {
  /**
   * Reads the wanted records, calls `decide` on them, and stores its writes and audit entries with a raised epoch, all
   * in one database transaction. No other change of settings runs at the same time. A refusal, or a decision without
   * writes and entries, stores nothing. `decide` may run more than once, each time on the records as they are then.
   * Throws StoreUnavailable; then it is not known whether the change was stored.
   */
  abstract change<T>(wanted: Wanted, decide: Decide<T>): Promise<Result<T>>;

  /** Adds an entry for something that changes no setting. */
  abstract record(entry: NewAuditEntry): Promise<void>;

  /** Newest first, at most `limit`. */
  abstract entries(query: AuditQuery, limit: number): Promise<AuditEntry[]>;

  abstract entry(id: bigint): Promise<AuditEntry | undefined>;

  /** Encrypts every merchant's secrets with the first master key, unless they already are. It blocks nothing else. */
  abstract reseal(): Promise<Resealed>;

  /** Deletes the old secrets whose overlap has ended, at most `limit`. Resolves to the number of deleted secrets. */
  abstract forgetEndedSecrets(limit: number): Promise<number>;
}

/**
 * Decides about a change from the records found. It is synchronous, and other changes wait for it, so at most some
 * hundred records are wanted.
 */
export type Decide<T> = (found: Found) => Result<Decision<T>>;

export interface Wanted {
  /** Codes. */
  readonly brands?: readonly string[];
  readonly merchant?: string;
  readonly providers?: readonly ProviderCode[];
  /** The games with these codes of the wanted providers. */
  readonly games?: readonly string[];
  readonly adminKeys?: true;
}

/** The wanted records that exist. */
export interface Found {
  /** The time of this change by the store's clock. */
  readonly now: DbTime;
  readonly brands: readonly Brand[];
  readonly merchant: Merchant | undefined;
  /** The merchant has at least one transaction. */
  readonly merchantUsed: boolean;
  readonly providers: readonly Provider[];
  readonly games: readonly Game[];
  readonly adminKeys: readonly AdminKey[];
}

export interface Decision<T> {
  readonly writes: readonly SettingsWrite[];
  readonly audit: readonly NewAuditEntry[];
  readonly value: T;
}

export interface NewAuditEntry {
  /** The admin key's name. */
  readonly actor: string;
  /** A command of the command line, such as `merchant set`. */
  readonly action: string;
  /** The record, such as `merchant casa-brl`. */
  readonly target: string;
  readonly reason: string | null;
  readonly changes: readonly FieldChange[];
}

export interface AuditEntry extends NewAuditEntry {
  readonly id: bigint;
  readonly at: DbTime;
}

/** Chooses the entries that match every field given. */
export interface AuditQuery {
  readonly from?: DbTime | undefined;
  /** Exclusive. */
  readonly to?: DbTime | undefined;
  readonly actor?: string | undefined;
  /** An action (`merchant set`), or a noun (`merchant`) for all its actions. */
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  /** Entries with a smaller id. */
  readonly before?: bigint;
}

export interface Resealed {
  readonly resealed: number;
  readonly total: number;
}
