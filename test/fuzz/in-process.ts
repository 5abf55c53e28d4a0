/**
 * The whole service in this process, without its sockets: the real composition over SQLite in memory, and a wallet with
 * the input's reply.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import type { DescService } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { SignedApi } from "../../src/adapters/rest/signed-api.ts";
import type { Database } from "../../src/adapters/sql/connection/database.ts";
import { migrate } from "../../src/adapters/sql/schema/migrate.ts";
import { SystemClock } from "../../src/adapters/system/system-clock.ts";
import { readReply } from "../../src/adapters/wallet-http/reply.ts";
import { Settings } from "../../src/app/runtime/settings.ts";
import { readConfig } from "../../src/config.ts";
import { createContainer } from "../../src/container/container.ts";
import { API_URL, DATABASE, EXTERNAL_SERVICES, INTERNAL_SERVICES } from "../../src/container/tokens.ts";
import { bindTracing } from "../../src/container/tracing.ts";
import type { Content } from "../../src/domain/transaction/transaction.ts";
import type { PlayerId, ProviderCode } from "../../src/domain/values/identifiers.ts";
import type { Currency } from "../../src/domain/values/money.ts";
import { Clock } from "../../src/ports/clock.ts";
import { SessionStore } from "../../src/ports/session-store.ts";
import { SettingsStore } from "../../src/ports/settings-store.ts";
import { GameLauncher } from "../../src/ports/sources/game-launcher.ts";
import { StoreUnavailable } from "../../src/ports/store-unavailable.ts";
import { Telemetry } from "../../src/ports/telemetry.ts";
import { Wallet, type WalletReply, type WalletTarget } from "../../src/ports/wallet.ts";
import { merchantRecord } from "../../testbed/directory/records.ts";
import type { WalletBytes } from "./kinds/parsers/wallet-replies.ts";

export const NOW = 1_767_225_600_000;
export const SECRET = "sk_fuzz_not_a_real_secret";
export const KEYS = {
  ACME: "key-of-acme-0123456789",
  OTHER: "key-of-other-0123456789",
  SPORTSBOOK: "key-of-sportsbook-0123456789",
  ADMIN: "the-first-key",
} as const;
/** Sessions that exist from the start, by their provider. */
export const SESSIONS = {
  ACME: ["a".repeat(32), "b".repeat(32)],
  OTHER: ["c".repeat(32)],
  SPORTSBOOK: ["d".repeat(32), "e".repeat(32)],
} as const;
export const MERCHANTS = ["shop-brl", "shop-clp", "shop-ip", "shop-off"] as const;

/**
 * The wall clock stands still at the time of the test vectors. The monotonic clock and timers run this many times
 * faster.
 */
const SPEEDUP = 10;

class FastClock extends SystemClock {
  override now(): number {
    return NOW;
  }
  override monotonic(): number {
    return super.monotonic() * SPEEDUP;
  }
  override after(ms: number, run: () => void): () => void {
    return super.after(ms / SPEEDUP, run);
  }
}

/** The wallet's answer while an input is checked. */
export const walletReply = new AsyncLocalStorage<WalletBytes>();

class FuzzedWallet extends Wallet {
  override async send({ walletUrl }: WalletTarget, { currency }: Content): Promise<WalletReply> {
    return this.#reply(walletUrl, currency);
  }
  override async balance(
    { walletUrl }: WalletTarget,
    { currency }: { readonly currency: Currency },
  ): Promise<WalletReply> {
    return this.#reply(walletUrl, currency);
  }
  #reply(walletUrl: string | null, currency: Currency): WalletReply {
    const { status, body } = walletReply.getStore() ?? { status: 200, body: Buffer.from('{"ok":true,"balance":1}') };
    const { answer, result } = readReply(walletUrl === null ? 503 : status, Buffer.from(body), currency);
    return { answer, result, httpStatus: status, requestId: "00000000-0000-4000-8000-000000000000", durationMs: 1 };
  }
}

class OpeningLauncher extends GameLauncher {
  override async open(): Promise<string> {
    return "https://games.example/opened";
  }
}

/** Records the internal errors whose cause is hidden from callers. */
class FaultTelemetry extends Telemetry {
  readonly faults: string[] = [];
  override alert(): void {}
  override error(what: string, cause: unknown): void {
    // The caller got SERVICE_UNAVAILABLE because of the load, which is not a fault.
    if (cause instanceof StoreUnavailable) return;
    if (this.faults.length < 5) this.faults.push(`${what}: ${cause instanceof Error ? cause.stack : String(cause)}`);
  }
  override transaction(): void {}
  override wrongKey(): void {}
  override walletCall(): void {}
  override sourceAnswer(): void {}
}

export interface InProcess {
  readonly database: Database;
  readonly telemetry: FaultTelemetry;
  readonly api: SignedApi;
  readonly services: ReadonlyMap<DescService, ServiceImpl<DescService>>;
  close(): Promise<void>;
}

export async function startInProcess(): Promise<InProcess> {
  const key = Buffer.alloc(32, 7).toString("base64");
  const config = readConfig({
    ENVIRONMENT: "development",
    DATABASE_URL: "sqlite::memory:",
    MASTER_KEY: key,
    JWT_KEY: key,
    ADMIN_KEY: KEYS.ADMIN,
    SPORTSBOOK_URL: "https://sportsbook.example",
    REFUND_QUIET_PERIOD_MS: "0",
  });
  const container = createContainer(config, "silent");
  container.rebind(Clock).toConstantValue(new FastClock());
  await bindTracing(container, config);
  const telemetry = new FaultTelemetry();
  container.rebind(Telemetry).toConstantValue(telemetry);
  container.rebind(Wallet).toConstantValue(new FuzzedWallet());
  container.rebind(GameLauncher).toConstantValue(new OpeningLauncher());
  const database = container.get(DATABASE);
  await migrate(database);
  await furnish(container.get(SettingsStore), container.get(SessionStore), "https://wallet.example/");
  const settings = container.get(Settings);
  await settings.start();

  const services = new Map<DescService, ServiceImpl<DescService>>();
  const router = {
    service: (service: DescService, implementation: unknown) =>
      services.set(service, implementation as ServiceImpl<DescService>),
  };
  container.bind(API_URL).toConstantValue(() => "https://api.example/v1");
  for (const add of [...container.getAll(EXTERNAL_SERVICES), ...container.getAll(INTERNAL_SERVICES)]) add(router);
  return {
    database,
    telemetry,
    services,
    api: container.get(SignedApi),
    close: async () => {
      settings.stop();
      await database.close();
    },
  };
}

const PLENTY = { launchRate: 1e9, catalogRate: 1e9, transactionsRate: 1e9, reportsRate: 1e9 };

/** The merchants, providers, games and sessions in the inputs. */
export async function furnish(settings: SettingsStore, sessions: SessionStore, walletUrl: string): Promise<void> {
  await settings.save({
    kind: "brand",
    brand: { code: "house", name: "House", theme: "mint-carbon", layout: "sidebar", settings: {}, allowedOrigins: [] },
  });
  const differing = {
    "shop-brl": {},
    "shop-clp": { currency: "CLP" },
    "shop-ip": { ipList: ["192.0.2.0/24"] },
    "shop-off": { enabled: false },
  } as const;
  for (const code of MERCHANTS)
    await settings.save({
      kind: "merchant",
      merchant: merchantRecord(code, { secret: SECRET, walletUrl, limits: PLENTY, ...differing[code] }),
    });
  for (const code of ["ACME", "OTHER", "SPORTSBOOK"] as const) {
    const keys = [
      { name: "fuzz", hash: createHash("sha256").update(KEYS[code]).digest("hex"), expiresAt: null, revoked: false },
    ];
    const sources =
      code === "SPORTSBOOK" ? [] : [{ address: "http://games.example:443", deadlineMs: 5_000, enabled: true }];
    await settings.save({
      kind: "provider",
      provider: { code: code as ProviderCode, name: code, active: true, sources, keys },
    });
    const game = (name: string) =>
      ({ code: name, name, type: "slot", demoAvailable: true, active: name !== "old", details: {} }) as const;
    if (code !== "SPORTSBOOK")
      await settings.save({
        kind: "games",
        provider: code as ProviderCode,
        games: ["fruits", "old", `of-${code}`].map(game),
      });
    for (const [i, id] of SESSIONS[code].entries()) {
      const player = {
        merchantId: 1 + (i % 2),
        playerId: `ana-${i}` as PlayerId,
        playerRef: id.slice(0, 31) + code[0],
      };
      const played = {
        provider: code as ProviderCode,
        game: code === "SPORTSBOOK" ? "sportsbook" : "fruits",
        demo: false,
        language: "pt",
        country: "BR",
      };
      await sessions.create({ id, ...player, ...played });
    }
  }
}
