import type { Role } from "../domain/access/role.ts";
import type { DbTime } from "../domain/transaction/transaction.ts";

/** The longest duration of a console session after its sign-in, in ms. */
export const CONSOLE_SESSION_MS = 12 * 3_600_000;
/** A console session ends this long after its last call, in ms. */
export const CONSOLE_IDLE_MS = 30 * 60_000;
/** The shortest time between two writes of a session's last call, in ms. */
export const CONSOLE_TOUCH_MS = 60_000;

/** The maximum of open sessions of one admin key. */
export const CONSOLE_SESSIONS_PER_KEY = 50;

/** A session of the console. It has the rights of an admin key. */
export interface ConsoleSession {
  /** The SHA-256 of the session's id, lowercase hex. The id itself is only in the browser. */
  readonly idHash: string;
  /** The SHA-256 of the admin key, lowercase hex. */
  readonly keyHash: string;
  /** The role that the key had at the sign-in. */
  readonly role: Role;
}

export interface OpenConsoleSession extends ConsoleSession {
  readonly expiresAt: DbTime;
}

/** The sessions of the console. All replicas share them. Times are those of the store's clock. */
export abstract class ConsoleSessionStore {
  /**
   * Stores a new session. If its key then has more than {@link CONSOLE_SESSIONS_PER_KEY}, its oldest sessions end.
   * Resolves to the latest time at which the new session ends. Throws StoreUnavailable.
   */
  abstract open(session: ConsoleSession): Promise<DbTime>;
  /**
   * The session with this id hash. Undefined: there is no such session, or it has ended: it was signed out, is 12 hours
   * old, or had no call for 30 minutes. This read counts as a call of the session. Throws StoreUnavailable.
   */
  abstract use(idHash: string): Promise<OpenConsoleSession | undefined>;
  /** Ends a session. Resolves to whether the session existed. Throws StoreUnavailable. */
  abstract close(idHash: string): Promise<boolean>;
  /** Deletes sessions that have ended, at most `limit`. Resolves to the number of deleted sessions. */
  abstract forget(limit: number): Promise<number>;
}
