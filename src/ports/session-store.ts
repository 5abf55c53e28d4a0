import type { PlayerId, ProviderCode } from "../domain/values/identifiers.ts";

/**
 * Players and the sessions in which they play. A session names its player, merchant and game for ever, expired or not. Its id opens the
 * player's wallet to its provider: a hash of it is stored, never the id.
 */
export abstract class SessionStore {
  /** Creates the session, and the player when this is the first launch. Answers the stored session (its playerRef is the player's). */
  abstract create(session: NewSession): Promise<Session>;
  /** By session id; undefined when unknown. */
  abstract read(id: string): Promise<Session | undefined>;
  /** The player behind a reference, if this provider ever had a session with them. */
  abstract player(playerRef: string, provider: ProviderCode): Promise<Player | undefined>;
  /** Records that the session was used. */
  abstract touch(id: string): Promise<void>;
  /** Ends the session; one that is ended stays as it is. */
  abstract end(id: string): Promise<void>;
  /** Forgets ids that an earlier release stored in clear, and keeps their hashes: goes through at most `limit` sessions, answers how many. */
  abstract forget(limit: number): Promise<number>;
}

export interface Player {
  readonly merchantId: number;
  readonly playerId: PlayerId;
  /** Opaque, stable per merchant and player; what providers see. */
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
  /** Milliseconds since 1970, the database's. */
  readonly createdAt: number;
  readonly usedAt: number;
  /** How old `usedAt` was when this was read. */
  readonly idleMs: number;
  /** When it was ended; null: by nobody. */
  readonly endedAt: number | null;
}

export type NewSession = Omit<Session, "createdAt" | "usedAt" | "idleMs" | "endedAt">;
