import { ApiError, api } from "../../design/dom.ts";
import type { SessionReply } from "./api-types.ts";

/** What the page may ask without a session, and with one. */
export class Server {
  /** The session that counts; undefined: a visitor. */
  session: SessionReply | undefined;
  readonly #renew: (expired: SessionReply) => Promise<SessionReply | undefined>;

  /** `renew` gets a new session for one that is over, or undefined: a visitor from now on. */
  constructor(renew: (expired: SessionReply) => Promise<SessionReply | undefined>) {
    this.#renew = renew;
  }

  /** For everyone. Throws {@link ApiError}. */
  ask<T>(path: string, body?: unknown): Promise<T> {
    return api<T>(path, body);
  }

  /**
   * For players: undefined for a visitor, also for who becomes one because the session is over, or makes way for another player: what one asked for is never
   * done in the name of another. Throws {@link ApiError}.
   */
  async call<T>(path: string, body?: unknown): Promise<T | undefined> {
    const { session } = this;
    if (session === undefined) return undefined;
    try {
      return await this.#with<T>(session, path, body);
    } catch (error) {
      if (!isOver(error)) throw error;
    }
    const renewed = await this.#renew(session);
    if (renewed?.player_ref !== session.player_ref) return undefined;
    try {
      return await this.#with<T>(renewed, path, body);
    } catch (error) {
      if (isOver(error)) return undefined;
      throw error;
    }
  }

  #with<T>(session: SessionReply, path: string, body?: unknown): Promise<T> {
    return api<T>(path, body, { "x-sportsbook-session": session.session_id });
  }
}

const OVER: ReadonlySet<string> = new Set(["SESSION_EXPIRED", "SESSION_NOT_FOUND", "LOGGED_OUT"]);
const isOver = (error: unknown): boolean => error instanceof ApiError && OVER.has(error.code);
