import type { PlayerId, ProviderCode } from "../domain/values/identifiers.ts";

/**
 * Players and their sessions. A session names its player, merchant and game for ever, also after it has expired. Its id
 * lets its provider use the player's wallet, so the store keeps a hash of the id, never the id.
 */
export abstract class SessionStore {
  /**
   * Creates the session, and the player too when this is the player's first launch. Returns the stored session; its
   * playerRef is the stored player's.
   */
  abstract create(session: NewSession): Promise<Session>;
  /** By session id; undefined when unknown. */
  abstract read(id: string): Promise<Session | undefined>;
  /** The player of a reference; undefined unless this provider has had a session of that player. */
  abstract player(playerRef: string, provider: ProviderCode): Promise<Player | undefined>;
  /** Records that the session was used. */
  abstract touch(id: string): Promise<void>;
  /** Ends the session. A session that has been ended stays as it is. */
  abstract end(id: string): Promise<void>;
  /**
   * Replaces ids that an earlier release stored in clear by their hashes, in at most `limit` sessions; returns how many
   * it went through.
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
  /** The age of `usedAt` when the session was read, in ms. */
  readonly idleMs: number;
  /** When it was ended; null: it was not ended. */
  readonly endedAt: number | null;
}

export type NewSession = Omit<Session, "createdAt" | "usedAt" | "idleMs" | "endedAt">;
