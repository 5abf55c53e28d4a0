import type { ProviderCode } from "../../src/domain/values/identifiers.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { type NewSession, type Player, type Session, SessionStore } from "../../src/ports/session-store.ts";

type Stored = Omit<Session, "idleMs">;

/** Players and sessions of one process, for tests and simulation. */
export class MemorySessionStore extends SessionStore {
  readonly #clock: Clock;
  readonly #playerRefs = new Map<string, string>();
  readonly #sessions = new Map<string, Stored>();

  constructor(clock: Clock) {
    super();
    this.#clock = clock;
  }

  override async create(session: NewSession): Promise<Session> {
    const player = `${session.merchantId}/${session.playerId}`;
    const playerRef = this.#playerRefs.get(player) ?? session.playerRef;
    this.#playerRefs.set(player, playerRef);
    const now = this.#clock.now();
    const stored = { ...session, playerRef, createdAt: now, usedAt: now, endedAt: null };
    this.#sessions.set(session.id, stored);
    return this.#asRead(stored);
  }

  override async read(id: string): Promise<Session | undefined> {
    const stored = this.#sessions.get(id);
    return stored && this.#asRead(stored);
  }

  override async player(playerRef: string, provider: ProviderCode): Promise<Player | undefined> {
    const session = [...this.#sessions.values()].find(
      (one) => one.playerRef === playerRef && one.provider === provider,
    );
    return session && { merchantId: session.merchantId, playerId: session.playerId, playerRef };
  }

  override async touch(id: string): Promise<void> {
    const stored = this.#sessions.get(id);
    if (stored !== undefined) this.#sessions.set(id, { ...stored, usedAt: this.#clock.now() });
  }

  override async end(id: string): Promise<void> {
    const stored = this.#sessions.get(id);
    if (stored !== undefined) this.#sessions.set(id, { ...stored, endedAt: stored.endedAt ?? this.#clock.now() });
  }

  /** Does nothing: this store never has session ids in clear. */
  override async forget(): Promise<number> {
    return 0;
  }

  #asRead(stored: Stored): Session {
    return { ...stored, idleMs: this.#clock.now() - stored.usedAt };
  }
}
