import { Refused } from "../http/page-server.ts";
import { type ExchangedSession, ServiceRefusal, type SportsbookClient } from "./service-client.ts";

/** Refusals of the service after which the page gets a 401 and requests a new token from the merchant's page. */
const OVER: ReadonlySet<string> = new Set([
  "SESSION_EXPIRED",
  "SESSION_NOT_FOUND",
  "TOKEN_USED",
  "TOKEN_EXPIRED",
  "TOKEN_INVALID",
]);
const SESSIONS_MAX = 5_000;

interface Known {
  readonly session: ExchangedSession;
  /** How long the session lasts after a call with it, in ms. */
  readonly lastsMs: number;
  expiresAt: number;
}

/**
 * The sessions of open pages. A page sends its session id in a header. A page of another site cannot send this header.
 */
export class Sessions {
  readonly #client: SportsbookClient;
  readonly #known = new Map<string, Known>();

  constructor(client: SportsbookClient) {
    this.#client = client;
  }

  /** Exchanges a launch token for a session, once. Throws {@link Refused}: 401 when the token is not valid. */
  async exchange(token: string): Promise<ExchangedSession> {
    const session = await this.#asked(this.#client.exchangeToken(token));
    this.#remember(session);
    return session;
  }

  /**
   * The session that a header names. The look-up does not extend the session. Throws {@link Refused} 401 if there is no
   * such session or if it has expired.
   */
  async find(header: unknown): Promise<ExchangedSession> {
    if (typeof header !== "string" || header === "") throw new Refused(401, "LOGGED_OUT", "Log in first.");
    const known = this.#known.get(header);
    if (known === undefined) {
      // The session may have been opened before this process started, so it is read from the service.
      const session = await this.#asked(this.#client.getSession(header));
      this.#remember(session);
      return session;
    }
    if (known.expiresAt <= Date.now()) throw new Refused(401, "SESSION_EXPIRED", "The session is over.");
    return known.session;
  }

  /**
   * Makes a call with the session, which extends the session. A refusal of the service becomes a refusal to the page.
   */
  async call<T>(session: ExchangedSession, answer: Promise<T>): Promise<T> {
    const result = await this.#asked(answer, session.session_id);
    const known = this.#known.get(session.session_id);
    if (known !== undefined) known.expiresAt = Date.now() + known.lastsMs;
    return result;
  }

  async end(session: ExchangedSession): Promise<void> {
    this.#known.delete(session.session_id);
    await this.#asked(this.#client.endSession(session.session_id));
  }

  #remember(session: ExchangedSession): void {
    this.#known.set(session.session_id, {
      session,
      lastsMs: session.expires_at - Date.now(),
      expiresAt: session.expires_at,
    });
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > SESSIONS_MAX && oldest !== undefined) this.#known.delete(oldest);
  }

  /**
   * Converts a refusal of the service into a refusal for the page: 401 if the session has expired, 503 if the request
   * may be repeated, 422 otherwise.
   */
  async #asked<T>(answer: Promise<T>, sessionId?: string): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof ServiceRefusal)) throw error;
      const over = OVER.has(error.code);
      if (over && sessionId !== undefined) this.#known.delete(sessionId);
      throw new Refused(over ? 401 : error.again ? 503 : 422, error.code, `The service refused: ${error.code}.`);
    }
  }
}
