import { randomBytes } from "node:crypto";
import { SqlSessionStore } from "../../src/adapters/sql/access/session-store.ts";
import { type Database, openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { migrate } from "../../src/adapters/sql/schema/migrate.ts";
import { SecretBox } from "../../src/adapters/sql/settings/secret-box.ts";
import { SqlSettingsStore } from "../../src/adapters/sql/settings/settings-store.ts";
import type { ProviderCode } from "../../src/domain/values/identifiers.ts";
import type { SettingsStore } from "../../src/ports/settings-store.ts";
import type { BenchMerchant, Directory } from "./directory.ts";
import { brandRecord, gameRecord, keyRecord, merchantRecord, providerRecord, UNLIMITED } from "./records.ts";
import { storeSession } from "./sessions.ts";

/** Merchants that share a wallet URL. */
export interface Party {
  readonly merchants: number;
  readonly sessionsEach: number;
  readonly walletUrl: string;
  /** Set if the operator API's usual rate limits apply to these merchants. Otherwise no run reaches their limits. */
  readonly limited?: true;
}

const PROVIDER = "BENCH" as ProviderCode;
const GAME = "reels";

/**
 * Generates merchants and sessions without storing them. Their row numbers are the numbers that an empty database will
 * assign.
 */
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
      sessions: Array.from({ length: sessionsEach }, (_, n) => ({
        id: randomBytes(16).toString("hex"),
        playerId: `player-${i + 1}-${n + 1}`,
      })),
    })),
  };
}

/** Migrates an empty database and writes the directory into it. */
export async function seed(databaseUrl: string, masterKey: Uint8Array, directory: Directory): Promise<void> {
  const database = openDatabase(databaseUrl);
  try {
    await migrate(database);
    await seedDirectory(database, new SqlSettingsStore(database, new SecretBox([masterKey])), directory);
  } finally {
    await database.close();
  }
}

/** Writes the directory into a database without merchants, through the service's own stores. */
export async function seedDirectory(database: Database, settings: SettingsStore, directory: Directory): Promise<void> {
  await settings.save({ kind: "brand", brand: brandRecord("bench") });
  await settings.save({
    kind: "provider",
    provider: { ...providerRecord(PROVIDER, []), keys: [keyRecord(directory.apiKey)] },
  });
  await settings.save({ kind: "games", provider: PROVIDER, games: [gameRecord(GAME, { demoAvailable: false })] });
  for (const { code, secret, walletUrl, limited } of directory.merchants) {
    const limits = limited ? {} : UNLIMITED;
    await settings.save({
      kind: "merchant",
      merchant: merchantRecord(code, { brand: "bench", walletUrl, products: ["slot"], secret, limits }),
    });
  }
  const { merchants } = await settings.load(0n);
  for (const { code, id } of directory.merchants) {
    if (merchants.find((stored) => stored.code === code)?.id !== id)
      throw new Error(`merchant ${code} got another row number than ${id}: the database was not empty`);
  }
  const sessions = new SqlSessionStore(database);
  await Promise.all(directory.merchants.map((merchant) => seedSessions(sessions, merchant)));
}

async function seedSessions(sessions: SqlSessionStore, merchant: BenchMerchant): Promise<void> {
  for (const { id, playerId } of merchant.sessions)
    await storeSession(sessions, { merchantId: merchant.id, playerId, provider: PROVIDER, game: GAME }, id);
}
