/** The merchants, provider, players and sessions of a run. Nothing here ever fails. */
import type { PlayerId, ProviderCode } from "../../../src/domain/values/identifiers.ts";
import type { AdminStore } from "../../../src/ports/admin-store.ts";
import type { Player, Session, SessionStore } from "../../../src/ports/session-store.ts";
import type { Game, Merchant, Provider, SettingsStore } from "../../../src/ports/settings-store.ts";
import { StoreUnavailable } from "../../../src/ports/store-unavailable.ts";
import { Telemetry } from "../../../src/ports/telemetry.ts";
import { StoreFault } from "../../../src/ports/transactions/transaction-store.ts";
import { only } from "../../../testbed/in-process/only.ts";

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

export const fixedSettings: SettingsStore = only<SettingsStore>({
  epoch: () => Promise.resolve({ epoch: 1n, now: 0 }),
  load: () =>
    Promise.resolve({
      brands: [],
      adminKeys: [],
      epoch: 1n,
      now: 0,
      merchants: MERCHANTS,
      providers: [PROVIDER],
      games: [{ epoch: 1n, count: GAMES.length }],
    }),
  games: () => Promise.resolve({ games: GAMES, next: null }),
});

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

export const fixedSessions: SessionStore = only<SessionStore>({
  forget: () => Promise.resolve(0),
  read: (id) => Promise.resolve(SESSIONS.get(id)),
  player: (playerRef) => Promise.resolve(SESSIONS.get(playerRef)),
  touch: () => Promise.resolve(),
});

/** No method is called: a closing by support writes its audit entry together with the row. */
export const noAdminStore: AdminStore = only<AdminStore>({});

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
