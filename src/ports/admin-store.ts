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
   * Reads what is wanted, lets `decide` judge it, and stores what it decided with the audit entries and a raised epoch, all in one
   * transaction that no other change of settings runs beside. A refusal, or a decision without writes and entries, stores nothing.
   * `decide` may run more than once, each time on what is there then. Throws StoreUnavailable: nobody knows whether it was stored.
   */
  abstract change<T>(wanted: Wanted, decide: Decide<T>): Promise<Result<T>>;

  /** Adds an entry for something that changes no setting. */
  abstract record(entry: NewAuditEntry): Promise<void>;

  /** Newest first, at most `limit`. */
  abstract entries(query: AuditQuery, limit: number): Promise<AuditEntry[]>;

  abstract entry(id: bigint): Promise<AuditEntry | undefined>;

  /** Encrypts every merchant's secrets under the first master key; those that are so already are left. Runs beside everything else. */
  abstract reseal(): Promise<Resealed>;
}

/** Judges what is there. It can wait for nothing, and everything else waits for it: what is wanted is some hundred records at most. */
export type Decide<T> = (found: Found) => Result<Decision<T>>;

export interface Wanted {
  /** Codes. */
  readonly brands?: readonly string[];
  readonly merchant?: string;
  readonly providers?: readonly ProviderCode[];
  /** Of the wanted providers: their games with these codes. */
  readonly games?: readonly string[];
  readonly adminKeys?: true;
}

/** What was wanted, as far as it is there. */
export interface Found {
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
  /** In the words of the command line: `merchant set`. */
  readonly action: string;
  /** `merchant casa-brl`. */
  readonly target: string;
  readonly reason: string | null;
  readonly changes: readonly FieldChange[];
}

export interface AuditEntry extends NewAuditEntry {
  readonly id: bigint;
  readonly at: DbTime;
}

/** Entries that match all that is given. */
export interface AuditQuery {
  readonly from?: DbTime | undefined;
  /** Exclusive. */
  readonly to?: DbTime | undefined;
  readonly actor?: string | undefined;
  /** An action (`merchant set`), or all of a noun (`merchant`). */
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  /** Entries with a smaller id. */
  readonly before?: bigint;
}

export interface Resealed {
  readonly resealed: number;
  readonly total: number;
}
