import { leftMs, SPORTSBOOK_LIFE } from "../../domain/access/session-life.ts";
import { SPORTSBOOK } from "../../domain/catalog/provider.ts";
import { ok, type Result, refuse } from "../../domain/errors.ts";
import type { LaunchTokens } from "../../ports/launch-token.ts";
import type { Session, SessionStore } from "../../ports/session-store.ts";
import type { Brand, Merchant } from "../../ports/settings-store.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { UsedTokens } from "../../ports/used-tokens.ts";
import { refuseWhenUnavailable } from "../runtime/refuse-when-unavailable.ts";
import type { Settings } from "../runtime/settings.ts";

/** A session that takes bets. */
export interface OpenSession {
  readonly session: Session;
  readonly merchant: Merchant;
  readonly brand: Brand;
  /** When the session stops taking bets if it is not used again: database time, in ms since 1970. */
  readonly expiresAt: number;
}

/**
 * Players' sessions at the sportsbook. A session begins when a launch token is exchanged, and ends 30 minutes after its
 * last use (docs/specification/sportsbook.md#sb-session-life).
 */
export class SportsbookSessions {
  readonly #settings: Settings;
  readonly #sessions: SessionStore;
  readonly #tokens: LaunchTokens;
  readonly #used: UsedTokens;
  readonly #telemetry: Telemetry;

  constructor(
    settings: Settings,
    sessions: SessionStore,
    tokens: LaunchTokens,
    used: UsedTokens,
    telemetry: Telemetry,
  ) {
    this.#settings = settings;
    this.#sessions = sessions;
    this.#tokens = tokens;
    this.#used = used;
    this.#telemetry = telemetry;
  }

  /**
   * Opens the session of a launch token, once. Refusals: TOKEN_INVALID, TOKEN_EXPIRED, TOKEN_USED, SERVICE_UNAVAILABLE.
   */
  exchange(token: string): Promise<Result<OpenSession>> {
    return refuseWhenUnavailable(this.#telemetry, "exchanging a launch token", async () => {
      const read = await this.#tokens.read(token);
      if (!read.ok) return read;
      const session = await this.#sessions.read(read.value.sessionId);
      const merchant = session && this.#settings.merchantById(session.merchantId);
      if (session === undefined || merchant?.brand !== read.value.brand)
        return refuse("TOKEN_INVALID", { field: "token" });
      // Only this step decides which exchange succeeds. If the process crashes just after it, the token is used up, and
      // the player must launch again.
      if (!(await this.#used.use(read.value.jti))) return refuse("TOKEN_USED", { field: "token" });
      return ok(await this.#use(session, merchant));
    });
  }

  /**
   * A session that has not ended. This call counts as a use of it. Refusals: SESSION_NOT_FOUND, SESSION_EXPIRED,
   * SERVICE_UNAVAILABLE.
   */
  get(id: string): Promise<Result<OpenSession>> {
    return refuseWhenUnavailable(this.#telemetry, "looking at a session", async () => {
      const session = await this.#find(id);
      if (session === undefined) return refuse("SESSION_NOT_FOUND", { field: "session_id" });
      if (remainingMs(session) <= 0) return refuse("SESSION_EXPIRED", { field: "session_id" });
      const merchant = this.#settings.merchantById(session.merchantId);
      if (merchant === undefined)
        throw new Error(`a session of merchant ${session.merchantId}, which is not in the settings`);
      return ok(await this.#use(session, merchant));
    });
  }

  /**
   * Ends a session. From now on no replica accepts a bet in this session. Refusals: SESSION_NOT_FOUND,
   * SERVICE_UNAVAILABLE.
   */
  end(id: string): Promise<Result<void>> {
    return refuseWhenUnavailable(this.#telemetry, "ending a session", async () => {
      if ((await this.#find(id)) === undefined) return refuse("SESSION_NOT_FOUND", { field: "session_id" });
      return ok(await this.#sessions.end(id));
    });
  }

  async #find(id: string): Promise<Session | undefined> {
    const session = await this.#sessions.read(id);
    return session?.provider === SPORTSBOOK ? session : undefined;
  }

  async #use(session: Session, merchant: Merchant): Promise<OpenSession> {
    const brand = this.#settings.brand(merchant.brand);
    if (brand === undefined)
      throw new Error(`merchant ${merchant.code} is of brand ${merchant.brand}, which is not in the settings`);
    const noted = session.idleMs >= SPORTSBOOK_LIFE.noteUseEveryMs;
    if (noted) await this.#sessions.touch(session.id);
    const now = session.usedAt + session.idleMs;
    return {
      session,
      merchant,
      brand,
      expiresAt: now + remainingMs(noted ? { ...session, usedAt: now, idleMs: 0 } : session),
    };
  }
}

const remainingMs = (session: Session): number => {
  const ageMs = session.usedAt - session.createdAt + session.idleMs;
  return leftMs({ idleMs: session.idleMs, ageMs, ended: session.endedAt !== null }, SPORTSBOOK_LIFE);
};
