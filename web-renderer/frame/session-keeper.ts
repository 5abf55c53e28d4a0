/**
 * The maximum number of requests for a token: one, and another one if the first token was refused. After that the
 * player becomes a visitor.
 */
const QUESTIONS_MAX = 2;

export interface SessionSource<Session> {
  /** See FrameHandlers.signIn. */
  signIn(token: string): Promise<Session | undefined>;
  onSession(session: Session | undefined): void;
  /**
   * Requests a token from the merchant's page and calls `answer` with it. null: there is no token. The answer may come
   * late or never. Then another token or `close` ends the wait.
   */
  ask(answer: (token: string | null) => void): void;
}

/**
 * Keeps the frame's session. Tokens are tried one after the other, and the last token counts. Concurrent events, such
 * as five 401s or a login during a renewal, are handled by one run. Each launch jwt is tried once, because it can be
 * exchanged only once.
 */
export class SessionKeeper<Session> {
  session: Session | undefined;
  /** Whether onSession was called for the first time. */
  #known = false;
  readonly #source: SessionSource<Session>;
  /** A token that the page has sent and that was not tried yet. */
  #given: string | null | undefined;
  #tried: string | undefined;
  #answer: ((token: string | null) => void) | undefined;
  #run: Promise<void> | undefined;
  #closed = false;

  constructor(source: SessionSource<Session>) {
    this.#source = source;
  }

  /** Accepts a token of the page: a login, or a logout (null). Resolves when the session is known. */
  give(token: string | null): Promise<void> {
    if (this.#answer === undefined) this.#given = token;
    else this.#answer(token);
    return this.#settle();
  }

  async renew(expired: Session): Promise<Session | undefined> {
    // After a late 401 of an older session no renewal is needed, because there is a newer session already.
    if (this.#run !== undefined || expired === this.session) await this.#settle();
    return this.session;
  }

  close(): void {
    this.#closed = true;
    this.#answer?.(null);
  }

  #settle(): Promise<void> {
    // Started in a later microtask, so that #run is set before the run can end.
    this.#run ??= Promise.resolve().then(() => this.#untilSettled());
    return this.#run;
  }

  async #untilSettled(): Promise<void> {
    try {
      for (let questions = 0; !this.#closed; ) {
        let token = this.#given;
        this.#given = undefined;
        if (token === undefined) token = questions++ < QUESTIONS_MAX ? await this.#ask() : null;
        const session = token === null ? undefined : await this.#signIn(token);
        const refused = token !== null && session === undefined;
        // A token that came meanwhile replaces the token that was just tried.
        if (!refused && this.#given === undefined && !this.#closed) return this.#know(session);
      }
    } finally {
      this.#run = undefined;
    }
  }

  #know(session: Session | undefined): void {
    if (this.#known && session === this.session) return;
    this.#known = true;
    this.session = session;
    this.#source.onSession(session);
  }

  #ask(): Promise<string | null> {
    return new Promise((resolve) => {
      const answer = (token: string | null): void => {
        // Only the first answer counts.
        if (this.#answer !== answer) return;
        this.#answer = undefined;
        resolve(token);
      };
      this.#answer = answer;
      this.#source.ask(answer);
    });
  }

  async #signIn(token: string): Promise<Session | undefined> {
    if (token === this.#tried) return undefined;
    this.#tried = token;
    try {
      return await this.#source.signIn(token);
    } catch (error) {
      console.error("The launch token could not be exchanged.", error);
      return undefined;
    }
  }
}
