import type { Clock } from "../../src/ports/clock.ts";
import {
  CONSOLE_IDLE_MS,
  CONSOLE_SESSION_MS,
  CONSOLE_SESSIONS_PER_KEY,
  type ConsoleSession,
  ConsoleSessionStore,
  type OpenConsoleSession,
} from "../../src/ports/console-sessions.ts";

interface Kept {
  readonly session: OpenConsoleSession;
  usedAt: number;
}

/** Sessions of the console in one process, for tests. */
export class MemoryConsoleSessionStore extends ConsoleSessionStore {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Clock) {
    super();
    this.#clock = clock;
  }

  override async open(session: ConsoleSession): Promise<number> {
    const now = this.#clock.now();
    const expiresAt = now + CONSOLE_SESSION_MS;
    this.#kept.set(session.idHash, { session: { ...session, expiresAt }, usedAt: now });
    // The map is in the order of the sign-ins.
    const own = [...this.#kept].filter(([, kept]) => kept.session.keyHash === session.keyHash);
    for (const [idHash] of own.slice(0, -CONSOLE_SESSIONS_PER_KEY)) this.#kept.delete(idHash);
    return expiresAt;
  }

  override async use(idHash: string): Promise<OpenConsoleSession | undefined> {
    const kept = this.#kept.get(idHash);
    if (kept === undefined || this.#isOver(kept)) return undefined;
    kept.usedAt = this.#clock.now();
    return kept.session;
  }

  override async close(idHash: string): Promise<boolean> {
    return this.#kept.delete(idHash);
  }

  override async forget(limit: number): Promise<number> {
    const over = [...this.#kept].filter(([, kept]) => this.#isOver(kept)).slice(0, limit);
    for (const [idHash] of over) this.#kept.delete(idHash);
    return over.length;
  }

  #isOver({ session, usedAt }: Kept): boolean {
    const now = this.#clock.now();
    return session.expiresAt <= now || usedAt + CONSOLE_IDLE_MS <= now;
  }
}
