import { hash } from "node:crypto";
import { type MerchantSecrets, type SecretsInForce, secretsInForce } from "../../domain/merchant/secret-rotation.ts";
import type { DbTime } from "../../domain/transaction/transaction.ts";
import { DatabaseClock } from "../../domain/values/database-clock.ts";
import type { ProviderCode } from "../../domain/values/identifiers.ts";
import type { WholeMs } from "../../domain/values/whole-ms.ts";
import { type Clock, sleep } from "../../ports/clock.ts";
import type {
  AdminKey,
  ApiKey,
  Brand,
  EpochReading,
  Game,
  Merchant,
  Provider,
  SettingsChanges,
  SettingsStore,
} from "../../ports/settings-store.ts";
import { StoreUnavailable } from "../../ports/store-unavailable.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { WalletTarget } from "../../ports/wallet.ts";
import { GameCatalogue } from "./game-catalogue.ts";
import { GameChanges } from "./game-changes.ts";

/** The time between two reads of the epoch. */
const POLL_MS = 250;
/**
 * Settings are fresh while their last read began at most this long ago. Stale settings are read again before they are
 * used to answer a request.
 */
export const FRESH_MS = 1_000;
/** A read of the epoch that takes longer than this is abandoned and repeated, because its connection may be dead. */
const EPOCH_DEADLINE_MS = 1_000;
/** A caller waits at most this long for fresh settings. */
const WAIT_MS = 2_000;
/** The pause between two reads for unknown merchants or keys. So there are at most ten such reads a second. */
const UNKNOWN_READ_GAP_MS = 100;

/**
 * Merchants, providers, their keys, brands and games, held in memory. Every write of settings raises a number, the
 * epoch. This class reads the epoch every 250 ms and then loads the changes. So this replica uses a change within a
 * second. Look-ups never wait and need no query. A request calls {@link ensureFresh} once, before its first look-up.
 *
 * One load runs at a time. It reads everything except games, and then the games of small changes. The games of a large
 * change (an import) are read after the load, slice by slice. A game keeps its old state until its slice is read.
 * Nothing else waits for these games.
 */
export class Settings {
  readonly #store: SettingsStore;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;

  readonly #merchants = new Map<string, Merchant>();
  readonly #merchantsById = new Map<number, Merchant>();
  readonly #providers = new Map<string, Provider>();
  readonly #providersByKeyHash = new Map<string, Provider>();
  readonly #brands = new Map<string, Brand>();
  readonly #adminKeysByHash = new Map<string, AdminKey>();
  readonly #games = new GameCatalogue();
  readonly #gameChanges: GameChanges;

  #epoch = 0n;
  #revision = 0;
  readonly #databaseClock = new DatabaseClock();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<boolean> | null = null;
  /** The read that begins when the present read has ended. */
  #queued: Promise<boolean> | null = null;
  #unknownRead: Promise<boolean> | null = null;
  #unknownReadAt = Number.NEGATIVE_INFINITY;
  #cancelPoll: (() => void) | null = null;
  #running = false;

  constructor(store: SettingsStore, clock: Clock, telemetry: Telemetry) {
    this.#store = store;
    this.#clock = clock;
    this.#telemetry = telemetry;
    const take = (games: readonly Game[]): void => {
      this.#games.set(games);
      this.#revision += 1;
    };
    this.#gameChanges = new GameChanges(store, take, (cause) => telemetry.error("games could not be read", cause));
  }

  /** Loads everything, also the games. Then loads changes until {@link stop}. Throws if the first load fails. */
  async start(): Promise<void> {
    if (this.#running) return;
    const begun = this.#clock.monotonic();
    const changes = await this.#store.load(0n);
    this.#observe(changes.now, begun);
    this.#apply(changes);
    this.#gameChanges.addTogether(changes.games, changes.epoch);
    await this.#gameChanges.readAll();
    this.#readAt = begun;
    this.#running = true;
    this.#schedulePoll();
  }

  stop(): void {
    this.#running = false;
    this.#gameChanges.stop();
    this.#cancelPoll?.();
    this.#cancelPoll = null;
  }

  /**
   * When the last successful read began, by Clock.monotonic(). This replica knows everything that was written before,
   * except games of large changes.
   */
  get readAt(): number {
    return this.#readAt;
  }

  /** Whether this replica knows everything that was written more than a second ago, except games of large changes. */
  isFresh(): boolean {
    return this.#clock.monotonic() - this.#readAt <= FRESH_MS;
  }

  /**
   * Like {@link isFresh}, but first reads the settings if they are stale. Waits at most 2 s. `false`: the settings
   * can't be confirmed, so the request must get SERVICE_UNAVAILABLE. Never throws.
   */
  async ensureFresh(): Promise<boolean> {
    return this.isFresh() || this.#withTimeout(WAIT_MS, this.#freshen());
  }

  /** The first read may be one that other calls began too long ago. Then a second read begins after this call. */
  async #freshen(): Promise<boolean> {
    await this.#read();
    if (this.isFresh()) return true;
    await this.#read();
    return this.isFresh();
  }

  /**
   * Reads the changed settings before an unknown merchant or key, or a wrong signature, is refused. So a secret that
   * was changed a moment ago works at once. Callers share one read, which begins after their calls. At most ten such
   * reads begin per second. `false`: the read failed or took more than 2 s, so no change is known. Never throws.
   */
  readForUnknown(): Promise<boolean> {
    this.#unknownRead ??= this.#scheduleUnknownRead();
    return this.#withTimeout(WAIT_MS, this.#unknownRead);
  }

  /**
   * Reads until this replica knows every write that was acknowledged before this call, except games of large changes.
   * Call this before you read what was just written. A read that fails is repeated once, because its connection may be
   * dead, or this process may have stood still for longer than the read's deadline. `false`: both reads failed. Never
   * throws.
   */
  async refresh(): Promise<boolean> {
    return (await this.#readFromNow()) || this.#readFromNow();
  }

  /** Like {@link refresh}, but also reads the games of every change. */
  async refreshGames(): Promise<boolean> {
    return (await this.refresh()) && this.#readAllGames();
  }

  /**
   * Waits until the games of every known change have been read. Resolves at once unless a large change is being read;
   * then it waits at most 2 s. Call this if a game was not found. `false`: some games are still not known. Never
   * throws.
   */
  async waitForAllGames(): Promise<boolean> {
    return this.#gameChanges.isEmpty || this.#withTimeout(WAIT_MS, this.#readAllGames());
  }

  async #readAllGames(): Promise<boolean> {
    try {
      await this.#gameChanges.readAll();
      return this.#gameChanges.isEmpty || this.#running;
    } catch {
      return false;
    }
  }

  merchant(code: string): Merchant | undefined {
    return this.#merchants.get(code);
  }

  merchantById(id: number): Merchant | undefined {
    return this.#merchantsById.get(id);
  }

  merchants(): readonly Merchant[] {
    return [...this.#merchants.values()];
  }

  /**
   * The database's time, computed from reads of the epoch. It may be ahead by the duration of the fastest of the last
   * reads.
   */
  databaseNow(): WholeMs {
    return this.#databaseClock.atMost(this.#clock.monotonic());
  }

  /** The secrets of a merchant that are accepted at this moment. */
  secretsOf(merchant: MerchantSecrets): SecretsInForce {
    return secretsInForce(merchant, this.databaseNow());
  }

  /**
   * A merchant's wallet URL and secrets, as they are now.
   *
   * @throws Error for an unknown merchant.
   */
  walletTarget(merchantId: number): WalletTarget {
    const merchant = this.merchantById(merchantId);
    if (merchant === undefined) throw new Error(`merchant ${merchantId} is not in the settings`);
    const { current, next } = this.secretsOf(merchant);
    return {
      merchantId,
      merchantCode: merchant.code,
      walletUrl: merchant.walletUrl,
      secret: current,
      nextSecret: next,
      traceContext: merchant.traceContext,
    };
  }

  provider(code: string): Provider | undefined {
    return this.#providers.get(code);
  }

  providers(): readonly Provider[] {
    return [...this.#providers.values()];
  }

  /** The provider with this API key. Undefined if the key is unknown, expired or revoked. */
  providerByKey(keyText: string): Provider | undefined {
    const hash = hashOf(keyText);
    const provider = this.#providersByKeyHash.get(hash);
    const key = provider?.keys.find((candidate) => candidate.hash === hash);
    return key !== undefined && this.#isLive(key) ? provider : undefined;
  }

  /** The admin key whose text has this SHA-256 (lowercase hex). Undefined for unknown, expired and revoked keys. */
  adminKeyByHash(keyHash: string): AdminKey | undefined {
    const key = this.#adminKeysByHash.get(keyHash);
    return key !== undefined && this.#isLive(key) ? key : undefined;
  }

  adminKeys(): readonly AdminKey[] {
    return [...this.#adminKeysByHash.values()];
  }

  brands(): readonly Brand[] {
    return [...this.#brands.values()];
  }

  brand(code: string): Brand | undefined {
    return this.#brands.get(code);
  }

  game(provider: ProviderCode | string, code: string): Game | undefined {
    return this.#games.game(provider, code);
  }

  /** The games with this code, also inactive games, at most one for each provider. */
  gamesByCode(code: string): readonly Game[] {
    return this.#games.byCode(code);
  }

  /** All games, also inactive games, sorted by provider and then by code, in the order of UTF-16 units. */
  games(): readonly Game[] {
    return this.#games.all();
  }

  /**
   * A number that rises with every change that this replica loads. If the number is the same, all settings are the
   * same.
   */
  get revision(): number {
    return this.#revision;
  }

  #isLive({ revoked, expiresAt }: ApiKey): boolean {
    return !revoked && (expiresAt === null || expiresAt > this.#clock.now());
  }

  #schedulePoll(): void {
    this.#cancelPoll = this.#clock.after(
      POLL_MS,
      () => void this.#read().then(() => this.#running && this.#schedulePoll()),
    );
  }

  async #scheduleUnknownRead(): Promise<boolean> {
    const wait = this.#unknownReadAt + UNKNOWN_READ_GAP_MS - this.#clock.monotonic();
    if (wait > 0) await sleep(this.#clock, wait);
    do await this.#reading;
    while (this.#reading !== null);
    // Callers that come after this point need the next read. The present read may begin too early to show their change.
    this.#unknownRead = null;
    this.#unknownReadAt = this.#clock.monotonic();
    return this.#read();
  }

  /** Starts a read after this call. Calls that come while a read runs share the next read. */
  #readFromNow(): Promise<boolean> {
    if (this.#reading === null) return this.#read();
    this.#queued ??= this.#readNext();
    return this.#queued;
  }

  async #readNext(): Promise<boolean> {
    do await this.#reading;
    while (this.#reading !== null);
    this.#queued = null;
    return this.#read();
  }

  /** Only one read runs at a time. Calls that come during a read get its result. */
  #read(): Promise<boolean> {
    this.#reading ??= this.#readChanges().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** Resolves to `false` if the answer takes longer than `ms`. */
  async #withTimeout(ms: number, answer: Promise<boolean>): Promise<boolean> {
    const late = Promise.withResolvers<false>();
    const cancel = this.#clock.after(ms, () => late.resolve(false));
    return Promise.race([answer, late.promise]).finally(cancel);
  }

  async #readChanges(): Promise<boolean> {
    const begun = this.#clock.monotonic();
    try {
      const { epoch, now } = await this.#readEpoch();
      this.#observe(now, begun);
      if (epoch !== this.#epoch) {
        const changes = await this.#store.load(this.#epoch);
        this.#apply(changes);
        this.#gameChanges.add(changes.games);
      }
      await this.#gameChanges.readSmall();
      this.#readAt = begun;
      return true;
    } catch (cause) {
      this.#telemetry.error("settings could not be read", cause);
      return false;
    }
  }

  async #readEpoch(): Promise<EpochReading> {
    const late = Promise.withResolvers<never>();
    const cancel = this.#clock.after(EPOCH_DEADLINE_MS, () =>
      late.reject(new StoreUnavailable(`the epoch was not read within ${EPOCH_DEADLINE_MS} ms`)),
    );
    return Promise.race([this.#store.epoch(), late.promise]).finally(cancel);
  }

  #observe(now: DbTime, begun: number): void {
    this.#databaseClock.observe(now, begun, this.#clock.monotonic());
  }

  #apply(changes: SettingsChanges): void {
    this.#epoch = changes.epoch;
    this.#revision += 1;
    for (const brand of changes.brands) this.#brands.set(brand.code, brand);
    for (const key of changes.adminKeys) this.#adminKeysByHash.set(key.hash, key);
    for (const merchant of changes.merchants) this.#setMerchant(merchant);
    for (const provider of changes.providers) this.#setProvider(provider);
  }

  #setMerchant(merchant: Merchant): void {
    this.#merchants.set(merchant.code, merchant);
    this.#merchantsById.set(merchant.id, merchant);
  }

  #setProvider(provider: Provider): void {
    for (const key of this.#providers.get(provider.code)?.keys ?? []) this.#providersByKeyHash.delete(key.hash);
    for (const key of provider.keys) this.#providersByKeyHash.set(key.hash, provider);
    this.#providers.set(provider.code, provider);
  }
}

const hashOf = (keyText: string): string => hash("sha256", keyText);
