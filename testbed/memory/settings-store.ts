import { namesIn, searchText } from "../../src/domain/catalog/game-name.ts";
import type { Clock } from "../../src/ports/clock.ts";
import {
  type AdminKey,
  type Brand,
  type EpochReading,
  type Game,
  type GamePosition,
  type GameRecord,
  type GameSlice,
  type Merchant,
  type Provider,
  type SettingsChanges,
  SettingsStore,
  type SettingsWrite,
} from "../../src/ports/settings-store.ts";

interface Row<T> {
  readonly record: T;
  /** The epoch of the record's last write. */
  readonly epoch: bigint;
}

/**
 * Settings of one process, for tests and simulation. Like every settings store, it begins with the provider SPORTSBOOK
 * and its game.
 */
export class MemorySettingsStore extends SettingsStore {
  readonly #clock: Clock;
  #epoch = 0n;
  readonly #brands = new Map<string, Row<Brand>>();
  readonly #merchants = new Map<string, Row<Merchant>>();
  readonly #providers = new Map<string, Row<Provider>>();
  readonly #games = new Map<string, Row<Game>>();
  readonly #adminKeys = new Map<string, AdminKey>();

  constructor(clock: Clock) {
    super();
    this.#clock = clock;
    const provider = {
      code: "SPORTSBOOK" as Provider["code"],
      name: "Sportsbook",
      active: true,
      sources: [],
      keys: [],
    };
    this.#write({ kind: "provider", provider });
    this.#write({
      kind: "games",
      provider: provider.code,
      games: [
        { code: "sportsbook", name: "Sportsbook", type: "sportsbook", demoAvailable: false, active: true, details: {} },
      ],
    });
  }

  override async epoch(): Promise<EpochReading> {
    return { epoch: this.#epoch, now: this.#clock.now() };
  }

  override async load(since: bigint): Promise<SettingsChanges> {
    const changed = <T>(rows: Map<string, Row<T>>): T[] =>
      [...rows.values()].filter((row) => row.epoch > since).map((row) => row.record);
    return {
      epoch: this.#epoch,
      now: this.#clock.now(),
      brands: changed(this.#brands),
      merchants: changed(this.#merchants),
      providers: changed(this.#providers),
      games: [
        ...Map.groupBy(this.#gamesAfter({ epoch: since, id: Number.MAX_SAFE_INTEGER }), ({ epoch }) => epoch),
      ].map(([epoch, rows]) => ({
        epoch,
        count: rows.length,
      })),
      adminKeys: [...this.#adminKeys.values()],
    };
  }

  override async games(after: GamePosition, upTo: bigint, limit: number): Promise<GameSlice> {
    const left = this.#gamesAfter(after).filter(({ epoch }) => epoch <= upTo);
    const rows = left.slice(0, limit);
    const last = rows.at(-1);
    const next = last === undefined || left.length <= limit ? null : { epoch: last.epoch, id: last.record.id };
    return { games: rows.map(({ record }) => record), next };
  }

  #gamesAfter(after: GamePosition): Row<Game>[] {
    return [...this.#games.values()]
      .filter(({ epoch, record }) => epoch > after.epoch || (epoch === after.epoch && record.id > after.id))
      .sort((a, b) => Number(a.epoch - b.epoch) || a.record.id - b.record.id);
  }

  override async save(write: SettingsWrite): Promise<void> {
    this.#write(write);
  }

  #write(write: SettingsWrite): void {
    const epoch = this.#epoch + 1n;
    if (write.kind === "brand") this.#brands.set(write.brand.code, { record: write.brand, epoch });
    else if (write.kind === "merchant") this.#put(this.#merchants, write.merchant, epoch);
    else if (write.kind === "adminKey") this.#adminKeys.set(write.key.hash, write.key);
    else if (write.kind === "provider")
      this.#put(
        this.#providers,
        {
          ...write.provider,
          activeChangedAt: this.#activeChangedAt(write.provider),
          endsRoundsSince: this.#providers.get(write.provider.code)?.record.endsRoundsSince ?? null,
        },
        epoch,
      );
    else if (write.kind === "endsRounds") {
      const provider = this.#providers.get(write.provider)?.record;
      if (provider?.endsRoundsSince === null)
        this.#put<Provider>(this.#providers, { ...provider, endsRoundsSince: this.#clock.now() }, epoch);
    } else {
      const provider = this.#providers.get(write.provider)?.record;
      if (provider === undefined) throw new Error(`no provider ${write.provider}`);
      for (const game of write.games) this.#putGame(provider, game, epoch);
    }
    this.#epoch = epoch;
  }

  #put<T extends { readonly code: string }>(
    rows: Map<string, Row<T & { readonly id: number }>>,
    record: T,
    epoch: bigint,
  ): void {
    rows.set(record.code, { record: { ...record, id: rows.get(record.code)?.record.id ?? rows.size + 1 }, epoch });
  }

  #activeChangedAt({ code, active }: Pick<Provider, "code" | "active">): number {
    const known = this.#providers.get(code)?.record;
    return known?.active === active ? known.activeChangedAt : this.#clock.now();
  }

  #putGame(provider: Provider, game: GameRecord, epoch: bigint): void {
    const key = `${provider.code}/${game.code}`;
    const id = this.#games.get(key)?.record.id ?? this.#games.size + 1;
    const made = { updatedAt: this.#clock.now(), searchText: searchText(game.code, game.name, namesIn(game.details)) };
    this.#games.set(key, { record: { ...game, id, provider: provider.code, providerId: provider.id, ...made }, epoch });
  }
}
