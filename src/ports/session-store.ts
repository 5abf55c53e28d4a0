import type { PlayerId, ProviderCode } from "../domain/values/identifiers.ts";

/**
 * Players and their sessions. A session keeps its player, merchant and game for ever, even after it has expired. Its id
 * lets its provider use the player's wallet, so the store keeps a hash of the id, never the id.
 */
export abstract class SessionStore {
  /**
   * Creates the session, and also the player if this is the player's first launch. Returns the stored session with the
   * stored player's playerRef.
   */
  abstract create(session: NewSession): Promise<Session>;
  /** The session with this id; undefined: there is none. */
  abstract read(id: string): Promise<Session | undefined>;
  /** The player with this reference; undefined: this provider has had no session of such a player. */
  abstract player(playerRef: string, provider: ProviderCode): Promise<Player | undefined>;
  /** Records that the session was used. */
  abstract touch(id: string): Promise<void>;
  /** Ends the session. The end of a session that was ended before does not change. */
  abstract end(id: string): Promise<void>;
  /**
   * Replaces session ids that an earlier release stored in clear by their hashes, in at most `limit` sessions. Returns
   * how many sessions it read.
   */
  abstract forget(limit: number): Promise<number>;
}

export interface Player {
  readonly merchantId: number;
  readonly playerId: PlayerId;
  /** The reference that providers get: opaque, and the same for all sessions of a merchant's player. */
  readonly playerRef: string;
}

export interface Session extends Player {
  /** 32 hex digits; opaque to the provider. */
  readonly id: string;
  readonly provider: ProviderCode;
  readonly game: string;
  readonly demo: boolean;
  /** Language tag and country of the launch. */
  readonly language: string;
  readonly country: string;
  /** Milliseconds since 1970 by the database's clock. */
  readonly createdAt: number;
  readonly usedAt: number;
  /** The time from `usedAt` to the read of the session, in ms. */
  readonly idleMs: number;
  /** When the session was ended; null: nobody ended it. */
  readonly endedAt: number | null;
}

export type NewSession = Omit<Session, "createdAt" | "usedAt" | "idleMs" | "endedAt">;
