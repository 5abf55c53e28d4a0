import { hash } from "node:crypto";
import type { ProviderCode } from "../domain/identifiers.ts";
import { type Clock, sleep } from "../ports/clock.ts";
import type { AdminKey, ApiKey, Brand, Game, Merchant, Provider, SettingsChanges, SettingsStore } from "../ports/settings-store.ts";
import type { Telemetry } from "../ports/telemetry.ts";

/** How often the epoch is read. */
const POLL_MS = 250;
/** Settings whose last read began longer ago are read again before anyone is answered by them. */
const FRESH_MS = 1_000;
/** A read that takes longer counts as failed; should it come in late, it is used all the same. */
const READ_DEADLINE_MS = 1_000;
/** At least this long between two looks on behalf of callers nobody knows: ten a second in all. */
const LOOK_GAP_MS = 100;

const gameKey = (provider: string, code: string): string => `${provider}/${code}`;

/**
 * Merchants, providers, their keys, brands and games, held in memory. Every write of settings raises an epoch; it is read
 * every 250 ms and what changed is loaded, so a change acts here within a second. Look-ups never wait and never query;
 * who answers by them asks {@link ensureFresh} first.
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
  readonly #games = new Map<string, Game>();
  readonly #gamesByCode = new Map<string, readonly Game[]>();
  #catalogue: readonly Game[] = [];

  #epoch = 0n;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<boolean> | null = null;
  #look: Promise<boolean> | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #cancelPoll: (() => void) | null = null;
  #running = false;

  constructor(store: SettingsStore, clock: Clock, telemetry: Telemetry) {
    this.#store = store;
    this.#clock = clock;
    this.#telemetry = telemetry;
  }

  /** Loads everything, then follows the changes until {@link stop}. Throws when the first load fails. */
  async start(): Promise<void> {
    if (this.#running) return;
    const begun = this.#clock.monotonic();
    this.#apply(await this.#store.load(0n), begun);
    this.#running = true;
    this.#schedulePoll();
  }

  stop(): void {
    this.#running = false;
    this.#cancelPoll?.();
    this.#cancelPoll = null;
  }

  /** When the last read that succeeded began, by Clock.monotonic(): all that was written before is known. */
  get readAt(): number {
    return this.#readAt;
  }

  /** Whether everything written more than a second ago is known here. */
  isFresh(): boolean {
    return this.#clock.monotonic() - this.#readAt <= FRESH_MS;
  }

  /** As {@link isFresh}, after a read where one is needed. `false`: the settings can't be confirmed, answer SERVICE_UNAVAILABLE. Never throws. */
  async ensureFresh(): Promise<boolean> {
    if (this.isFresh()) return true;
    // A read that was already under way may have begun too long ago to count.
    await this.#read();
    if (this.isFresh()) return true;
    await this.#read();
    return this.isFresh();
  }

  /**
   * Looks for changed settings before an unknown merchant or key, or a wrong signature, is refused: a secret that was
   * changed a moment ago works at once. Callers share one look, which begins after they asked; at most ten begin a second.
   * `false`: it failed, and nothing new is known. Never throws.
   */
  lookAgain(): Promise<boolean> {
    this.#look ??= this.#lookSoon();
    return this.#look;
  }

  /** Reads until all that was acknowledged before this call is known here: for who reads what was just written. Never throws. */
  async refresh(): Promise<boolean> {
    await this.#reading;
    return this.#read();
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

  provider(code: string): Provider | undefined {
    return this.#providers.get(code);
  }

  providers(): readonly Provider[] {
    return [...this.#providers.values()];
  }

  /** Whose API key this is; expired and revoked keys are nobody's. */
  providerByKey(keyText: string): Provider | undefined {
    const hash = hashOf(keyText);
    const provider = this.#providersByKeyHash.get(hash);
    const key = provider?.keys.find((candidate) => candidate.hash === hash);
    return key !== undefined && this.#isLive(key) ? provider : undefined;
  }

  /** The admin key with this text, unless it is expired or revoked. */
  adminKeyByText(keyText: string): AdminKey | undefined {
    const key = this.#adminKeysByHash.get(hashOf(keyText));
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
    return this.#games.get(gameKey(provider, code));
  }

  /** The games that have this code, inactive ones too, at most one per provider. */
  gamesByCode(code: string): readonly Game[] {
    return this.#gamesByCode.get(code) ?? [];
  }

  /** Every game, inactive ones too, by provider and then code, as UTF-16 units compare. */
  games(): readonly Game[] {
    return this.#catalogue;
  }

  /** Of the last write that is known here: while it stays, everything stays. */
  get epoch(): bigint {
    return this.#epoch;
  }

  #isLive({ revoked, expiresAt }: ApiKey): boolean {
    return !revoked && (expiresAt === null || expiresAt > this.#clock.now());
  }

  #schedulePoll(): void {
    this.#cancelPoll = this.#clock.after(POLL_MS, () => void this.#read().then(() => this.#running && this.#schedulePoll()));
  }

  async #lookSoon(): Promise<boolean> {
    const wait = this.#lookedAt + LOOK_GAP_MS - this.#clock.monotonic();
    if (wait > 0) await sleep(this.#clock, wait);
    await this.#reading;
    // From here on a new caller needs a look of its own: this one may be too early to show what made it ask.
    this.#look = null;
    this.#lookedAt = this.#clock.monotonic();
    return this.#read();
  }

  /** One read at a time; whoever comes meanwhile gets its result. */
  #read(): Promise<boolean> {
    this.#reading ??= this.#readInTime().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readInTime(): Promise<boolean> {
    let cancel = (): void => {};
    const late = new Promise<boolean>((resolve) => {
      cancel = this.#clock.after(READ_DEADLINE_MS, () => resolve(false));
    });
    try {
      return await Promise.race([this.#readChanges(), late]);
    } finally {
      cancel();
    }
  }

  async #readChanges(): Promise<boolean> {
    const begun = this.#clock.monotonic();
    try {
      if ((await this.#store.epoch()) === this.#epoch) this.#readAt = Math.max(this.#readAt, begun);
      else this.#apply(await this.#store.load(this.#epoch), begun);
      return true;
    } catch (cause) {
      this.#telemetry.error("settings could not be read", cause);
      return false;
    }
  }

  #apply(changes: SettingsChanges, begun: number): void {
    // A read that was given up may come in after a newer one: then it brings nothing new.
    if (changes.epoch >= this.#epoch) {
      this.#epoch = changes.epoch;
      for (const brand of changes.brands) this.#brands.set(brand.code, brand);
      for (const key of changes.adminKeys) this.#adminKeysByHash.set(key.hash, key);
      for (const merchant of changes.merchants) this.#setMerchant(merchant);
      for (const provider of changes.providers) this.#setProvider(provider);
      for (const game of changes.games) this.#setGame(game);
      if (changes.games.length > 0) this.#catalogue = merged(this.#catalogue, [...changes.games].sort(inCatalogue), inCatalogue);
    }
    this.#readAt = Math.max(this.#readAt, begun);
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

  #setGame(game: Game): void {
    this.#games.set(gameKey(game.provider, game.code), game);
    const others = this.gamesByCode(game.code).filter((other) => other.provider !== game.provider);
    this.#gamesByCode.set(game.code, [...others, game]);
  }
}

const hashOf = (keyText: string): string => hash("sha256", keyText);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const inCatalogue = (a: Game, b: Game): number => compare(a.provider, b.provider) || compare(a.code, b.code);

/** Two sorted lists as one; of equals the newer one stays. */
function merged<T>(list: readonly T[], newer: readonly T[], order: (a: T, b: T) => number): T[] {
  const all: T[] = [];
  let next = 0;
  for (const one of newer) {
    for (; next < list.length && order(list[next] as T, one) < 0; next++) all.push(list[next] as T);
    if (next < list.length && order(list[next] as T, one) === 0) next += 1;
    all.push(one);
  }
  return all.concat(list.slice(next));
}
