import { ok, type Result, refuse } from "../../domain/errors.ts";
import { decideLaunch, type Launch, type LaunchRequest, passedOn } from "../../domain/merchant/launch-policy.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { NewSession, Session, SessionStore } from "../../ports/session-store.ts";
import type { Game, Merchant, Provider } from "../../ports/settings-store.ts";
import type { GameLauncher } from "../../ports/sources/game-launcher.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { Settings } from "../runtime/settings.ts";
import type { SportsbookLaunch } from "../sportsbook/sportsbook-launch.ts";

/** All sources of a provider together have this much time to open a game. */
const LAUNCH_DEADLINE_MS = 9_000;

/** A launched game. */
export interface Launched {
  /** The player's browser must open this address at once. */
  readonly launchUrl: string;
  readonly game: string;
  readonly provider: string;
  readonly demo: boolean;
}

type GameLaunch = Launch<{ readonly game: Game; readonly provider: Provider }>;

/** Opens a game for a player of a merchant (docs/specification/launch.md#launch-order). */
export class LaunchGame {
  readonly #settings: Settings;
  readonly #sessions: SessionStore;
  readonly #launcher: GameLauncher;
  readonly #random: Random;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;
  readonly #sportsbook: SportsbookLaunch | null;

  /** @param sportsbook - null: this service has no sportsbook. */
  constructor(
    settings: Settings,
    sessions: SessionStore,
    launcher: GameLauncher,
    random: Random,
    clock: Clock,
    telemetry: Telemetry,
    sportsbook: SportsbookLaunch | null,
  ) {
    this.#settings = settings;
    this.#sessions = sessions;
    this.#launcher = launcher;
    this.#random = random;
    this.#clock = clock;
    this.#telemetry = telemetry;
    this.#sportsbook = sportsbook;
  }

  /**
   * Creates a session and opens the game at the first source that answers.
   *
   * @param merchant - the authenticated caller.
   */
  async launch(merchant: Merchant, request: LaunchRequest): Promise<Result<Launched>> {
    const { game } = request;
    // The game may belong to an import that this replica is still reading.
    if (this.#candidates(game).length === 0 && !(await this.#settings.waitForAllGames()))
      return refuse("SERVICE_UNAVAILABLE");
    const decided = decideLaunch(request, merchant, this.#candidates(game), this.#sportsbook !== null);
    if (!decided.ok) return decided;
    const launch = decided.value;
    try {
      const { session, launchUrl } = await this.#open(merchant, launch);
      if (launchUrl === undefined) return refuse("LAUNCH_FAILED");
      return ok({ launchUrl, game: session.game, provider: session.provider, demo: session.demo });
    } catch (cause) {
      this.#telemetry.error("launch failed", cause);
      return refuse("LAUNCH_GAME_FAILED");
    }
  }

  #candidates(code: string): GameLaunch["candidate"][] {
    return this.#settings.gamesByCode(code).flatMap((game) => {
      const provider = this.#settings.provider(game.provider);
      return provider === undefined ? [] : [{ game, provider }];
    });
  }

  /** Creates a session for the launch and opens the game. The first launch of a player creates the player. */
  async #open(merchant: Merchant, launch: GameLaunch): Promise<{ session: Session; launchUrl: string | undefined }> {
    const newSession = this.#sessionOf(merchant, launch);
    if (launch.candidate.game.type === "sportsbook" && this.#sportsbook !== null)
      return this.#sportsbook.open(newSession, merchant.brand);
    const session = await this.#sessions.create({ ...newSession, id: this.#random.token() });
    return { session, launchUrl: await this.#openAtSource(session, merchant, launch) };
  }

  #sessionOf(merchant: Merchant, { candidate, playerId, demo, language, country }: GameLaunch): Omit<NewSession, "id"> {
    return {
      merchantId: merchant.id,
      playerId,
      playerRef: this.#random.token(),
      provider: candidate.provider.code,
      game: candidate.game.code,
      demo,
      language,
      country,
    };
  }

  /** Tries the provider's sources in their order. `undefined`: no source opened the game in time. */
  async #openAtSource(session: Session, merchant: Merchant, launch: GameLaunch): Promise<string | undefined> {
    const game = {
      sessionId: session.id,
      playerRef: session.playerRef,
      gameCode: session.game,
      currency: launch.currency,
      language: session.language,
      country: session.country,
      demo: session.demo,
      merchant: merchant.code,
      brand: merchant.brand,
      jurisdiction: merchant.jurisdiction,
      ...passedOn(launch),
    };
    const deadline = this.#clock.monotonic() + LAUNCH_DEADLINE_MS;
    for (const source of launch.candidate.provider.sources.filter((one) => one.enabled)) {
      const began = this.#clock.monotonic();
      const left = deadline - began;
      if (left <= 0) break;
      const { address, deadlineMs } = source;
      const answered = (fault?: unknown) => {
        const durationMs = this.#clock.monotonic() - began;
        this.#telemetry.sourceAnswer({ provider: session.provider, address, game: session.game, durationMs, fault });
      };
      try {
        const launchUrl = await this.#launcher.open(source, game, Math.min(deadlineMs, left));
        answered();
        return launchUrl;
      } catch (cause) {
        answered(cause);
      }
    }
    return undefined;
  }
}
