import type { LaunchTokens } from "../../ports/launch-token.ts";
import type { Random } from "../../ports/random.ts";
import type { NewSession, Session, SessionStore } from "../../ports/session-store.ts";

/**
 * Launches the sportsbook: creates a token that can be exchanged once, the session that the exchange opens, and the
 * address.
 */
export class SportsbookLaunch {
  readonly #sessions: SessionStore;
  readonly #tokens: LaunchTokens;
  readonly #random: Random;
  readonly #url: string;

  /** @param url - the sportsbook's address, without a trailing slash. */
  constructor(sessions: SessionStore, tokens: LaunchTokens, random: Random, url: string) {
    this.#sessions = sessions;
    this.#tokens = tokens;
    this.#random = random;
    this.#url = url;
  }

  /**
   * Creates the session. The first launch of a player also creates the player. The address contains the language
   * without its region.
   */
  async open(launch: Omit<NewSession, "id">, brand: string): Promise<{ session: Session; launchUrl: string }> {
    const { token, sessionId } = await this.#tokens.issue(this.#random.token(), brand);
    const session = await this.#sessions.create({ ...launch, id: sessionId });
    const [language] = launch.language.split("-");
    return { session, launchUrl: `${this.#url}/${language}/?jwt=${token}&brand=${encodeURIComponent(brand)}` };
  }
}
