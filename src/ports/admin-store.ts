import type { FieldChange } from "../domain/access/audit.ts";
import type { Result } from "../domain/errors.ts";
import type { DbTime } from "../domain/transaction/transaction.ts";
import type { ProviderCode } from "../domain/values/identifiers.ts";
import type { AdminKey, Brand, Game, Merchant, Provider, SettingsWrite } from "./settings-store.ts";

/**
 * Changes of settings with their audit entries, and the audit log. Audit entries are added, but never changed or
 * deleted.
 */
export abstract class AdminStore {
  /**
   * Reads the wanted records, calls `decide` on them, stores its writes and audit entries, and raises the settings'
   * epoch (settings-store.ts), all in one database transaction. No other change of settings runs at the same time. A
   * refusal, or a decision without writes and entries, stores nothing. `decide` may run more than once, each time with
   * the records of that moment. Throws StoreUnavailable if the database cannot serve. Then the change may or may not
   * have been stored.
   */
  abstract change<T>(wanted: Wanted, decide: Decide<T>): Promise<Result<T>>;

  /** Adds an audit entry for an action that changes no setting. */
  abstract record(entry: NewAuditEntry): Promise<void>;

  /** The audit entries that match `query`, newest first, at most `limit`. */
  abstract entries(query: AuditQuery, limit: number): Promise<AuditEntry[]>;

  abstract entry(id: bigint): Promise<AuditEntry | undefined>;

  /**
   * Encrypts every merchant's secrets with the first master key, unless that key encrypts them already. Other calls do
   * not wait for this.
   */
  abstract reseal(): Promise<Resealed>;

  /**
   * Deletes merchants' old secrets that are no longer accepted, at most `limit`. Resolves to the number of deleted
   * secrets.
   */
  abstract forgetEndedSecrets(limit: number): Promise<number>;
}

/**
 * Decides about a change from the records found. The function is synchronous, because other changes wait for it. So a
 * caller asks for at most some hundred records.
 */
export type Decide<T> = (found: Found) => Result<Decision<T>>;

export interface Wanted {
  /** Codes of brands. */
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
  /** Whether the merchant has at least one transaction. */
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

/** Chooses the audit entries that match every given field. */
export interface AuditQuery {
  readonly from?: DbTime | undefined;
  /** Only entries before this time. */
  readonly to?: DbTime | undefined;
  readonly actor?: string | undefined;
  /** An action (`merchant set`), or a noun (`merchant`) for all its actions. */
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  /** Only entries with a smaller id. */
  readonly before?: bigint;
}

export interface Resealed {
  readonly resealed: number;
  readonly total: number;
}
