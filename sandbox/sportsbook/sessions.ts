import { Refused } from "../http/page-server.ts";
import { type ExchangedSession, ServiceRefusal, type SportsbookClient } from "./service-client.ts";

/** Refusals of the service after which a session is over for its page: 401, and the merchant is asked for a new token. */
const OVER: ReadonlySet<string> = new Set(["SESSION_EXPIRED", "SESSION_NOT_FOUND", "TOKEN_USED", "TOKEN_EXPIRED", "TOKEN_INVALID"]);
const SESSIONS_MAX = 5_000;

interface Known {
  readonly session: ExchangedSession;
  /** How long after a call that names it the session lasts, in milliseconds. */
  readonly lastsMs: number;
  expiresAt: number;
}

/** Whose pages are open. A page speaks for its session by the session id in a header, which no other site's page can send. */
export class Sessions {
  readonly #client: SportsbookClient;
  readonly #known = new Map<string, Known>();

  constructor(client: SportsbookClient) {
    this.#client = client;
  }

  /** Signs in with a launch token, once. Throws {@link Refused}: 401 when the token is no good. */
  async exchange(token: string): Promise<ExchangedSession> {
    const session = await this.#asked(this.#client.exchangeToken(token));
    this.#remember(session);
    return session;
  }

  /** The session of a header, which this prolongs by nothing. Throws {@link Refused} 401 when there is none or it is over. */
  async find(header: unknown): Promise<ExchangedSession> {
    if (typeof header !== "string" || header === "") throw new Refused(401, "LOGGED_OUT", "Log in first.");
    const known = this.#known.get(header);
    if (known === undefined) {
      // Opened before this process began, perhaps: the service knows.
      const session = await this.#asked(this.#client.getSession(header));
      this.#remember(session);
      return session;
    }
    if (known.expiresAt <= Date.now()) throw new Refused(401, "SESSION_EXPIRED", "The session is over.");
    return known.session;
  }

  /** What a call that names the session answered; it lasts longer from now on. A refusal of the service becomes the page's. */
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
    this.#known.set(session.session_id, { session, lastsMs: session.expires_at - Date.now(), expiresAt: session.expires_at });
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > SESSIONS_MAX && oldest !== undefined) this.#known.delete(oldest);
  }

  /** Refusals as the page's: 401 for a session that is over, 503 for what may be asked again, 422 for the rest. */
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
