import { gameLife, leftMs, type SessionLife, SPORTSBOOK_LIFE } from "../../domain/access/session-life.ts";
import { SPORTSBOOK } from "../../domain/catalog/provider.ts";
import { ok, type Refusal, type Result, refuse } from "../../domain/errors.ts";
import { type PlayerFields, playerFaults, sessionFaults } from "../../domain/transaction/request-faults.ts";
import type { DbTime, GameRef } from "../../domain/transaction/transaction.ts";
import { dotFault, isDotSegment, type PlayerId } from "../../domain/values/identifiers.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Session, SessionStore } from "../../ports/session-store.ts";
import type { Game, Merchant, Provider } from "../../ports/settings-store.ts";
import type { Settings } from "../runtime/settings.ts";

/**
 * The number of sessions kept in memory. If there are more, the session that was not used for the longest time is
 * removed.
 */
const CACHE_MAX = 50_000;

/** Player, merchant and game of a request. They are found by its session, player reference and game. */
export interface PlayerContext {
  readonly merchant: Merchant;
  readonly playerId: PlayerId;
  readonly game: GameRef;
  readonly catalog: Game;
  readonly provider: Provider;
  /** The session of the request. null: the request had a player reference instead of a session. */
  readonly session: Session | null;
}

/** A session as a provider sees it. */
export interface SessionStanding {
  readonly session: Session;
  readonly merchant: Merchant;
  /** The session takes no bets after this time, unless it is used before. By the database's clock. */
  readonly expiresAt: DbTime;
  /** Whether a bet in the session's game may begin now. */
  readonly acceptsBets: boolean;
}

/** A request whose player is looked up. If its `game` is empty, the session's game is meant. */
export interface PlayerRequest extends PlayerFields {
  readonly provider: Provider;
}

/** A session in memory. Times are by Clock.monotonic(). */
interface Cached {
  readonly session: Session;
  readonly createdAt: number;
  /** When the session was last used, as far as this replica knows. */
  usedAt: number;
  /** When the last use was last written to the store. */
  writtenAt: number;
}

/** Finds players by session or by player reference. Sessions that were read once are kept in memory. */
export class PlayerLookup {
  readonly #sessions = new Map<string, Cached>();
  readonly #store: SessionStore;
  readonly #settings: Settings;
  readonly #clock: Clock;
  readonly #gameLife: SessionLife;

  /**
   * @param sessionMs - for how long after its last use a game's session takes bets, in ms. Sessions of the sportsbook
   * have their own duration.
   */
  constructor(store: SessionStore, settings: Settings, clock: Clock, sessionMs: number) {
    this.#store = store;
    this.#settings = settings;
    this.#clock = clock;
    this.#gameLife = gameLife(sessionMs);
  }

  /**
   * Finds player, merchant and game. Refusals: SESSION_NOT_FOUND (the session is unknown, or belongs to another
   * provider), DEMO_SESSION, GAME_NOT_FOUND, VALIDATION_ERROR, SERVICE_UNAVAILABLE.
   */
  async find(request: PlayerRequest): Promise<Result<PlayerContext>> {
    const { provider } = request;
    const faults = playerFaults(request);
    if (faults.length > 0) return refuse("VALIDATION_ERROR", { details: faults });
    if (request.sessionId === "") return this.#findPlayer(request);
    const cached = this.#sessions.get(request.sessionId) ?? (await this.#load(request.sessionId));
    const own = ownSession(cached?.session, provider);
    if (!own.ok) return own;
    const session = own.value;
    if (cached !== undefined && this.#isAlive(cached)) await this.#use(cached);
    return this.#contextOf(provider, session.merchantId, session.playerId, request.game || session.game, session);
  }

  /**
   * The refusal of a transaction or slip whose id is new; `undefined`: it may begin. The currency is checked for every
   * action, the other conditions only for bets. A credit may belong to a round of an earlier release.
   *
   * @param currency - the request's currency, which may be any text.
   * @param bets - the rounds of the request's bets, and the names of their fields; empty: a win, refund or rollback.
   */
  async gate(
    { merchant, catalog, provider, session }: PlayerContext,
    currency: string,
    bets: readonly { readonly roundId: string; readonly field: string }[],
  ): Promise<Refusal | undefined> {
    if (currency !== merchant.currency) return { code: "CURRENCY_NOT_ENABLED", field: "currency" };
    if (bets.length === 0) return undefined;
    const dots = bets.filter(({ roundId }) => isDotSegment(roundId));
    if (dots.length > 0) return { code: "VALIDATION_ERROR", details: dots.map(({ field }) => dotFault(field)) };
    if (session === null) return { code: "VALIDATION_ERROR", details: sessionFaults("") };
    return (
      settingsRefusal({ merchant, catalog, provider }) ??
      ((await this.#takesBets(session)) ? undefined : { code: "SESSION_EXPIRED", field: "session_id" })
    );
  }

  /**
   * The merchants that a request means: the one of its session or player, or all if it names neither. This is no use of
   * the session. Refusals: SESSION_NOT_FOUND (the session or the player is unknown, or belongs to another provider),
   * DEMO_SESSION.
   */
  async merchantsOf(
    named: Omit<PlayerRequest, "game">,
  ): Promise<Result<{ readonly ids: readonly number[]; readonly isOne: boolean }>> {
    if (named.sessionId === "" && named.playerRef === "")
      return ok({ ids: this.#settings.merchants().map(({ id }) => id), isOne: false });
    const merchant = await this.#merchantOf(named);
    return merchant.ok ? ok({ ids: [merchant.value], isOne: true }) : merchant;
  }

  /**
   * The session as it is stored now. Every replica gives the same answer, because what this replica remembers is not
   * used.
   *
   * @param touch - whether this is a use of the session. Its time is stored before this returns.
   * Refusals: SESSION_NOT_FOUND, DEMO_SESSION, SERVICE_UNAVAILABLE.
   */
  async session(provider: Provider, sessionId: string, touch: boolean): Promise<Result<SessionStanding>> {
    const own = ownSession(await this.#store.read(sessionId), provider);
    if (!own.ok) return own;
    const session = touch ? await this.#touched(own.value) : own.value;
    const { merchantId, playerId, game } = session;
    const found = await this.#contextOf(provider, merchantId, playerId, game, session);
    if (!found.ok && found.refusal.code !== "GAME_NOT_FOUND") return found;
    const merchant = this.#merchant(merchantId);
    const life = this.#lifeOf(session);
    const expiresAt = Math.min(
      session.usedAt + life.idleMs,
      session.createdAt + life.wholeMs,
      session.endedAt ?? Number.POSITIVE_INFINITY,
    );
    const acceptsBets = found.ok && settingsRefusal(found.value) === undefined && this.#takesBetsNow(session);
    return ok({ session, merchant, expiresAt, acceptsBets });
  }

  async #merchantOf({ provider, sessionId, playerRef }: Omit<PlayerRequest, "game">): Promise<Result<number>> {
    if (sessionId === "") {
      const player = await this.#store.player(playerRef, provider.code);
      return player === undefined ? refuse("SESSION_NOT_FOUND", { field: "player_ref" }) : ok(player.merchantId);
    }
    const session = this.#sessions.get(sessionId)?.session ?? (await this.#store.read(sessionId));
    const own = ownSession(session, provider);
    return own.ok ? ok(own.value.merchantId) : own;
  }

  /** Stores a use of the session, unless it has expired. Returns the session as it is stored then. */
  async #touched(session: Session): Promise<Session> {
    const known = this.#sessions.get(session.id);
    // The stored time of the last use may be older than the last use on this replica.
    if (!this.#takesBetsNow(session) && !(known !== undefined && this.#isAlive(known))) return session;
    await this.#store.touch(session.id);
    return (await this.#load(session.id))?.session ?? session;
  }

  /** Whether the stored session takes bets. */
  #takesBetsNow(session: Session): boolean {
    const { idleMs, usedAt, createdAt, endedAt } = session;
    return leftMs({ idleMs, ageMs: usedAt - createdAt + idleMs, ended: endedAt !== null }, this.#lifeOf(session)) > 0;
  }

  /**
   * Whether a bet may still be placed in the session. If so, this counts as a use of the session. A session that has
   * expired stays expired.
   */
  async #takesBets(session: Session): Promise<boolean> {
    const known = this.#sessions.get(session.id);
    // Another replica may have ended a session of the sportsbook, so such a session is read again.
    if (session.provider !== SPORTSBOOK && known !== undefined && this.#isAlive(known)) return true;
    // Another replica may have seen a later use.
    const current = await this.#load(session.id);
    if (current === undefined || !this.#isAlive(current)) return false;
    await this.#use(current);
    return true;
  }

  #isAlive(cached: Cached): boolean {
    const now = this.#clock.monotonic();
    const age = { idleMs: now - cached.usedAt, ageMs: now - cached.createdAt, ended: cached.session.endedAt !== null };
    return leftMs(age, this.#lifeOf(cached.session)) > 0;
  }

  #lifeOf({ provider }: Session): SessionLife {
    return provider === SPORTSBOOK ? SPORTSBOOK_LIFE : this.#gameLife;
  }

  async #use(cached: Cached): Promise<void> {
    const now = this.#clock.monotonic();
    cached.usedAt = now;
    // A map keeps the order of insertion, so this moves the session to the end.
    this.#sessions.delete(cached.session.id);
    this.#sessions.set(cached.session.id, cached);
    if (now - cached.writtenAt < this.#lifeOf(cached.session).noteUseEveryMs) return;
    cached.writtenAt = now;
    await this.#store.touch(cached.session.id);
  }

  async #findPlayer({ provider, playerRef, game }: PlayerRequest): Promise<Result<PlayerContext>> {
    const player = await this.#store.player(playerRef, provider.code);
    if (player === undefined) return refuse("SESSION_NOT_FOUND", { field: "player_ref" });
    return this.#contextOf(provider, player.merchantId, player.playerId, game, null);
  }

  async #contextOf(
    provider: Provider,
    merchantId: number,
    playerId: PlayerId,
    code: string,
    session: Session | null,
  ): Promise<Result<PlayerContext>> {
    const merchant = this.#merchant(merchantId);
    const known = this.#settings.game(provider.code, code);
    // Another replica may have launched a game of an import that this replica is still reading.
    if (known === undefined && !(await this.#settings.waitForAllGames())) return refuse("SERVICE_UNAVAILABLE");
    const catalog = known ?? this.#settings.game(provider.code, code);
    if (catalog === undefined) return refuse("GAME_NOT_FOUND", { field: "game" });
    return ok({
      merchant,
      playerId,
      game: { id: catalog.id, code, providerId: provider.id, provider: provider.code },
      catalog,
      provider,
      session,
    });
  }

  #merchant(merchantId: number): Merchant {
    const merchant = this.#settings.merchantById(merchantId);
    if (merchant === undefined)
      throw new Error(`the settings have no merchant ${merchantId}, but a player of it exists`);
    return merchant;
  }

  async #load(id: string): Promise<Cached | undefined> {
    const sentAt = this.#clock.monotonic();
    const session = await this.#store.read(id);
    return session && this.#remember(session, sentAt);
  }

  /**
   * @param sentAt - when the read of the session was sent. The session's age counts from this moment, however long the
   * read took, because later callers use the same age.
   */
  #remember(session: Session, sentAt: number): Cached {
    if (this.#sessions.size >= CACHE_MAX) {
      const oldest = this.#sessions.keys().next().value;
      if (oldest !== undefined) this.#sessions.delete(oldest);
    }
    const usedAt = sentAt - session.idleMs;
    const cached = { session, createdAt: usedAt - (session.usedAt - session.createdAt), usedAt, writtenAt: usedAt };
    this.#sessions.set(session.id, cached);
    return cached;
  }
}

/** The refusal of a new bet by the settings of merchant, provider and game; `undefined`: they allow it. */
function settingsRefusal({
  merchant,
  catalog,
  provider,
}: Pick<PlayerContext, "merchant" | "catalog" | "provider">): Refusal | undefined {
  if (!merchant.enabled) return { code: "MERCHANT_DISABLED" };
  if (!catalog.active || !provider.active) return { code: "GAME_NOT_FOUND", field: "game" };
  if (!merchant.products.includes(catalog.type)) return { code: "PRODUCT_NOT_ENABLED", field: "game" };
  return undefined;
}

/** The session if it is the provider's own. Refusals: SESSION_NOT_FOUND, DEMO_SESSION. */
function ownSession(session: Session | undefined, provider: Provider): Result<Session> {
  if (session === undefined || session.provider !== provider.code)
    return refuse("SESSION_NOT_FOUND", { field: "session_id" });
  return session.demo ? refuse("DEMO_SESSION", { field: "session_id" }) : ok(session);
}
