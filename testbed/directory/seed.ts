import { createHash, randomBytes } from "node:crypto";
import { SqlSessionStore } from "../../src/adapters/sql/access/session-store.ts";
import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { migrate } from "../../src/adapters/sql/schema/migrate.ts";
import { SecretBox } from "../../src/adapters/sql/settings/secret-box.ts";
import { SqlSettingsStore } from "../../src/adapters/sql/settings/settings-store.ts";
import type { PlayerId, ProviderCode } from "../../src/domain/values/identifiers.ts";
import type { BenchMerchant, Directory } from "./directory.ts";

/** Merchants that share a wallet URL. */
export interface Party {
  readonly merchants: number;
  readonly sessionsEach: number;
  readonly walletUrl: string;
  /** They may call the operator API as often as anyone, and no oftener. */
  readonly limited?: true;
}

const PROVIDER = "BENCH" as ProviderCode;
const GAME = "reels";

/** Invents who plays: nothing is stored yet. Row numbers are those that an empty database will give. */
export function invent(parties: readonly Party[]): Directory {
  const merchants = parties.flatMap((party) => Array.from({ length: party.merchants }, () => party));
  return {
    provider: PROVIDER,
    apiKey: randomBytes(32).toString("hex"),
    game: GAME,
    currency: "BRL",
    merchants: merchants.map(({ walletUrl, sessionsEach, limited = false }, i) => ({
      id: i + 1,
      code: `bench-${i + 1}`,
      secret: `sk_${randomBytes(32).toString("base64url")}`,
      walletUrl,
      limited,
      sessions: Array.from({ length: sessionsEach }, (_, n) => ({ id: randomBytes(16).toString("hex"), playerId: `player-${i + 1}-${n + 1}` })),
    })),
  };
}

/** Migrates an empty database and writes the directory into it, through the service's own stores. */
export async function seed(databaseUrl: string, masterKey: Uint8Array, directory: Directory): Promise<void> {
  const database = openDatabase(databaseUrl);
  try {
    await migrate(database);
    const settings = new SqlSettingsStore(database, new SecretBox([masterKey]));
    await settings.save({ kind: "brand", brand: { code: "bench", name: "Bench", theme: "mint-carbon", layout: "sidebar", settings: {}, allowedOrigins: [] } });
    const key = { name: "bench", hash: createHash("sha256").update(directory.apiKey).digest("hex"), expiresAt: null, revoked: false };
    await settings.save({ kind: "provider", provider: { code: PROVIDER, name: "Bench", active: true, sources: [], keys: [key] } });
    await settings.save({
      kind: "games",
      provider: PROVIDER,
      games: [{ code: GAME, name: "Reels", type: "slot", demoAvailable: false, active: true, details: {} }],
    });
    for (const merchant of directory.merchants) await settings.save({ kind: "merchant", merchant: settingsOf(merchant) });
    const { merchants } = await settings.load(0n);
    for (const { code, id } of directory.merchants) {
      if (merchants.find((stored) => stored.code === code)?.id !== id)
        throw new Error(`merchant ${code} got another row number than ${id}: the database was not empty`);
    }
    const sessions = new SqlSessionStore(database);
    await Promise.all(directory.merchants.map((merchant) => seedSessions(sessions, merchant)));
  } finally {
    await database.close();
  }
}

const UNLIMITED = { launchRate: 10_000, catalogRate: 10_000, transactionsRate: 10_000, reportsRate: 10_000 };

const settingsOf = ({ code, secret, walletUrl, limited }: BenchMerchant) => ({
  code,
  name: code,
  currency: "BRL" as const,
  brand: "bench",
  walletUrl,
  defaultLanguage: null,
  products: ["slot" as const],
  ipList: [],
  enabled: true,
  secret,
  secretVersion: 1,
  previousSecret: null,
  limits: limited ? {} : UNLIMITED,
});

async function seedSessions(sessions: SqlSessionStore, merchant: BenchMerchant): Promise<void> {
  for (const { id, playerId } of merchant.sessions) {
    const playerRef = randomBytes(16).toString("hex");
    await sessions.create({
      id,
      merchantId: merchant.id,
      playerId: playerId as PlayerId,
      playerRef,
      provider: PROVIDER,
      game: GAME,
      demo: false,
      language: "pt",
      country: "BR",
    });
  }
}
