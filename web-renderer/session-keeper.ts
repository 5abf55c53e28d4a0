/** How often the merchant is asked for a token before the player becomes a visitor: once, and once more when that token was refused. */
const QUESTIONS_MAX = 2;

export interface SessionSource<Session> {
  /** See FrameHandlers.signIn. */
  signIn(token: string): Promise<Session | undefined>;
  onSession(session: Session | undefined): void;
  /** Asks the merchant for a token; null when there will be none. May call back late or never: then another token or `close` ends the wait. */
  ask(answer: (token: string | null) => void): void;
}

/**
 * The frame's session: tokens in, one after the other, the last one wins. Whatever happens at once (five 401s, a login during a renewal) is one run, and each
 * launch jwt is tried once, for it can only be exchanged once.
 */
export class SessionKeeper<Session> {
  session: Session | undefined;
  /** The source was told of the first session. */
  #known = false;
  readonly #source: SessionSource<Session>;
  /** A token that came and was not tried yet. */
  #given: string | null | undefined;
  #tried: string | undefined;
  #answer: ((token: string | null) => void) | undefined;
  #run: Promise<void> | undefined;
  #closed = false;

  constructor(source: SessionSource<Session>) {
    this.#source = source;
  }

  /** The page's token: a login, or a logout (null). Fulfilled when it is settled who the player is. */
  give(token: string | null): Promise<void> {
    if (this.#answer === undefined) this.#given = token;
    else this.#answer(token);
    return this.#settle();
  }

  async renew(expired: Session): Promise<Session | undefined> {
    // A late 401 of an older session: there is a newer one already.
    if (this.#run !== undefined || expired === this.session) await this.#settle();
    return this.session;
  }

  close(): void {
    this.#closed = true;
    this.#answer?.(null);
  }

  #settle(): Promise<void> {
    // A turn later, so that the run is noted before it can end.
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
        // A token that came meanwhile counts more than the one just tried.
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
        // One answer; whatever else comes is a token of its own.
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
