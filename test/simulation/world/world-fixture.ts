/** The merchants, provider, players and sessions of a run. Nothing here ever fails. */
import type { PlayerId, ProviderCode } from "../../../src/domain/values/identifiers.ts";
import { AdminStore } from "../../../src/ports/admin-store.ts";
import { type Player, type Session, SessionStore } from "../../../src/ports/session-store.ts";
import {
  type EpochReading,
  type Game,
  type GameSlice,
  type Merchant,
  type Provider,
  type SettingsChanges,
  SettingsStore,
} from "../../../src/ports/settings-store.ts";
import { StoreUnavailable } from "../../../src/ports/store-unavailable.ts";
import { Telemetry } from "../../../src/ports/telemetry.ts";
import { StoreFault } from "../../../src/ports/transactions/transaction-store.ts";

export const PROVIDER: Provider = {
  id: 3,
  code: "ACME" as ProviderCode,
  name: "Acme",
  active: true,
  activeChangedAt: 0,
  // It has ended rounds long before the run.
  endsRoundsSince: -3_600_000,
  sources: [],
  keys: [],
};

/** The part of a merchant's settings that money movements use. */
const merchant = (id: number, code: string, currency: Merchant["currency"]): Merchant =>
  ({
    id,
    code,
    currency,
    walletUrl: `https://${code}.example/wallet`,
    products: ["slot"],
    enabled: true,
    secret: `sk_${code}`,
  }) as unknown as Merchant;

/**
 * The second merchant has a currency without decimals. Both merchants have players with the same names, and providers
 * use the same ids for both.
 */
export const MERCHANTS = [merchant(1, "north", "BRL"), merchant(2, "south", "CLP")] as const;
export const PLAYERS = ["ana", "eva"] as const;

const game = (id: number, code: string): Game => ({
  id,
  provider: PROVIDER.code,
  providerId: PROVIDER.id,
  code,
  name: code,
  type: "slot",
  demoAvailable: false,
  active: true,
  details: {},
  updatedAt: 0,
  searchText: "",
});
export const GAMES = [game(11, "fruits"), game(12, "gems")] as const;

/** Replaces a method that no run calls. */
export const notHere = (): never => {
  throw new Error("nothing in the simulation asks for this");
};

export class FixedSettingsStore extends SettingsStore {
  override epoch(): Promise<EpochReading> {
    return Promise.resolve({ epoch: 1n, now: 0 });
  }
  override load(): Promise<SettingsChanges> {
    const nothing = { brands: [], adminKeys: [] };
    return Promise.resolve({
      ...nothing,
      epoch: 1n,
      now: 0,
      merchants: MERCHANTS,
      providers: [PROVIDER],
      games: [{ epoch: 1n, count: GAMES.length }],
    });
  }
  override games(): Promise<GameSlice> {
    return Promise.resolve({ games: GAMES, next: null });
  }
  override save(): Promise<void> {
    throw new Error("settings are fixed here");
  }
}

export const sessionId = (merchantId: number, playerId: string): string => `${merchantId}-${playerId}`;

const SESSIONS = new Map<string, Session>(
  MERCHANTS.flatMap(({ id: merchantId }) =>
    PLAYERS.map((playerId): [string, Session] => {
      const id = sessionId(merchantId, playerId);
      const player: Player = { merchantId, playerId: playerId as PlayerId, playerRef: id };
      const usedAt = { createdAt: 0, usedAt: 0, idleMs: 0, endedAt: null };
      return [
        id,
        {
          ...player,
          ...usedAt,
          id,
          provider: PROVIDER.code,
          game: "fruits",
          demo: false,
          language: "pt",
          country: "BR",
        },
      ];
    }),
  ),
);

export class FixedSessionStore extends SessionStore {
  override forget(): Promise<number> {
    return Promise.resolve(0);
  }
  override create(): Promise<Session> {
    throw new Error("sessions are fixed here");
  }
  override read(id: string): Promise<Session | undefined> {
    return Promise.resolve(SESSIONS.get(id));
  }
  override player(playerRef: string): Promise<Player | undefined> {
    return Promise.resolve(SESSIONS.get(playerRef));
  }
  override touch(): Promise<void> {
    return Promise.resolve();
  }
  override end(): Promise<void> {
    throw new Error("sessions are fixed here");
  }
}

/** An admin store whose methods are never called: a closing by support writes its audit entry together with the row. */
export class NoAdminStore extends AdminStore {
  override change = notHere;
  override record = notHere;
  override entries = notHere;
  override entry = notHere;
  override reseal = notHere;
  override forgetEndedSecrets = notHere;
}

/** Whether the simulated database threw this, and not the code under test. */
export const isDatabaseFault = (cause: unknown): boolean =>
  cause instanceof StoreFault || cause instanceof StoreUnavailable;

/** Counts alerts and faults, and reports them to nobody. */
export class CountingTelemetry extends Telemetry {
  readonly counts = new Map<string, number>();
  override alert(name: string): void {
    this.#count(`alert ${name}`);
  }
  override error(what: string, cause: unknown): void {
    this.#count(
      isDatabaseFault(cause) ? "faults met" : `error ${what}: ${cause instanceof Error ? cause.stack : String(cause)}`,
    );
  }
  override transaction(): void {}
  override wrongKey(): void {}
  override walletCall(): void {}
  override sourceAnswer(): void {}
  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}
