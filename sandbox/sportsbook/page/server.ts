import { ApiError, api } from "../../design/dom.ts";
import type { SessionReply } from "./api-types.ts";

/** The page's requests to its server, with and without a session. */
export class Server {
  /** The current session; undefined: a visitor. */
  session: SessionReply | undefined;
  readonly #renew: (expired: SessionReply) => Promise<SessionReply | undefined>;

  /** @param renew - resolves to a new session for an expired one. undefined: the player is a visitor from now on. */
  constructor(renew: (expired: SessionReply) => Promise<SessionReply | undefined>) {
    this.#renew = renew;
  }

  /** Sends a request without a session. Throws {@link ApiError}. */
  ask<T>(path: string, body?: unknown): Promise<T> {
    return api<T>(path, body);
  }

  /**
   * Sends a request with the session. undefined: there is no session, the session expired and was not renewed, or
   * another player has logged in. A request of one player is never sent with another player's session. Throws
   * {@link ApiError}.
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
