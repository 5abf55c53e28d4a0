import type { DbTime } from "../../domain/transaction/transaction.ts";
import type { WholeMs } from "../../domain/values/whole-ms.ts";
import type { NewAuditEntry } from "../admin-store.ts";
import type { AlertName } from "../telemetry.ts";

/** The maximum length of the texts of an alert, in bytes. */
export const ALERT_BYTES_MAX = { subject: 64, txId: 128, detail: 200, replica: 64 } as const;

/** Names an open alert: there is at most one of a name about a subject. */
export interface AlertKey {
  readonly name: AlertName;
  /** The code of a merchant, a kind of key for `wrong_keys`, or empty for `database_unsafe`. */
  readonly subject: string;
}

/** Occurrences of an alert that are to be stored. */
export interface AlertLine extends AlertKey {
  readonly count: number;
  /** How long ago the first and the last of these occurrences were, in ms. */
  readonly firstAgoMs: WholeMs;
  readonly lastAgoMs: WholeMs;
  /** The wire id of the last one's transaction; empty: it is about no transaction. */
  readonly txId: string;
  /** What else is known of the last one: a slip, a day, a reason, an address. It may be empty. */
  readonly detail: string;
  /** The machine on which the last one was raised. */
  readonly replica: string;
  /** The alert closes after this time without another occurrence, in ms; null: it does not close by time. */
  readonly lastsMs: WholeMs | null;
}

export interface OpenAlert extends AlertKey {
  readonly firstAt: DbTime;
  readonly lastAt: DbTime;
  readonly count: number;
  readonly txId: string;
  readonly detail: string;
  readonly replica: string;
}

/** The open alerts of all replicas. An alert that closes is deleted. Throws StoreUnavailable. */
export abstract class AlertStore {
  /**
   * Opens alerts, or adds occurrences to open alerts. If the answer of the database is lost, the lines are stored
   * again, so some may count twice.
   */
  abstract add(lines: readonly AlertLine[]): Promise<void>;

  /** Lets these alerts stay open for at least this time, in ms. Alerts that are not open stay closed. */
  abstract extend(keys: readonly AlertKey[], lastsMs: WholeMs): Promise<void>;

  /** The open alerts, at most `limit`: the newest last occurrence first. */
  abstract list(limit: number): Promise<OpenAlert[]>;

  /**
   * The open alerts of one name whose last occurrence is at least this old, in the order of their subjects' bytes, at
   * most `limit`.
   *
   * @param after - only those with a greater subject.
   */
  abstract quiet(name: AlertName, quietMs: number, after: string, limit: number): Promise<OpenAlert[]>;

  /** Closes an alert, unless it occurred again after `lastAt`. */
  abstract close(key: AlertKey, lastAt: DbTime): Promise<void>;

  /**
   * Like {@link close}, and writes the audit entry in the same database transaction. `false`: there is no such alert,
   * or it occurred again, and nothing was written. If StoreUnavailable is thrown, both may have been stored.
   */
  abstract acknowledge(key: AlertKey, lastAt: DbTime, audit: NewAuditEntry): Promise<boolean>;

  /** Closes alerts whose time has passed, at most `limit`. Resolves to their number. */
  abstract forget(limit: number): Promise<number>;
}
