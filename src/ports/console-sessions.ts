import type { Role } from "../domain/access/role.ts";
import type { DbTime } from "../domain/transaction/transaction.ts";

/** A session of the console ends this long after its sign-in, in ms. */
export const CONSOLE_SESSION_MS = 12 * 3_600_000;
/** A session of the console ends this long after its last call, in ms. */
export const CONSOLE_IDLE_MS = 30 * 60_000;
/** The last call of a session is stored at most this often, in ms. */
export const CONSOLE_TOUCH_MS = 60_000;

/** A session of the console, which stands for an admin key. */
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
  /** Stores a new session. Resolves to the time at which it ends at the latest. Throws StoreUnavailable. */
  abstract open(session: ConsoleSession): Promise<DbTime>;
  /**
   * The session, unless it is over: signed out, 12 hours old, or without a call for 30 minutes. Counts as a call of the
   * session. Throws StoreUnavailable.
   */
  abstract use(idHash: string): Promise<OpenConsoleSession | undefined>;
  /** Ends a session. Resolves to whether it was there. Throws StoreUnavailable. */
  abstract close(idHash: string): Promise<boolean>;
  /** Deletes sessions that are over, at most `limit`. Resolves to the number of deleted sessions. */
  abstract forget(limit: number): Promise<number>;
}
