import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { migrate } from "../../src/adapters/sql/schema/migrate.ts";
import { SecretBox } from "../../src/adapters/sql/settings/secret-box.ts";
import { SqlSettingsStore } from "../../src/adapters/sql/settings/settings-store.ts";
import { readConfig } from "../../src/config.ts";
import { startService } from "../../src/service.ts";
import { brandRecord, gameRecord, keyRecord, merchantRecord, providerRecord } from "../../testbed/directory/records.ts";
import { LOCAL_WALLETS, serviceEnvironment } from "../../testbed/service/environment.ts";
import { startDocumentedWallet } from "./documented-wallet.ts";
import type { Lifetime } from "./markdown.ts";

export const MERCHANT = "acme-br";
export const SECRET = `sk_${randomBytes(32).toString("base64url")}`;
export const KEY = randomBytes(32).toString("base64url");

/** The wallet of docs/merchant-wallet.md, where player u-1 has 100.00. */
export async function startWallet(t: Lifetime) {
  const { folder, db, server, addPlayer, origin } = await startDocumentedWallet(t, {
    [MERCHANT]: { secret: SECRET, currency: "BRL" },
  });
  addPlayer(MERCHANT, "u-1");
  const balance = (): unknown => db.prepare("SELECT balance FROM players").get()?.balance;
  const setBalance = (minor: number): void => void db.prepare("UPDATE players SET balance = ?").run(minor);
  return { folder, server, balance, setBalance, url: `${origin}/wallet` };
}

/**
 * The real service, on free ports and with its own database file. It has the merchant acme-br, and the provider ACME
 * with the game book-of-x.
 */
export async function startAggregator(
  t: Lifetime,
  { walletUrl, source }: { walletUrl: string | null; source: string },
) {
  const folder = mkdtempSync(join(tmpdir(), "docs-service-"));
  const masterKey = randomBytes(32);
  const databaseUrl = `sqlite:${join(folder, "service.db")}`;
  await setUp(databaseUrl, masterKey, walletUrl, source);
  const config = readConfig({
    ...serviceEnvironment(databaseUrl, masterKey),
    ...LOCAL_WALLETS,
    WALLET_TIMEOUT_MS: "3000",
  });
  const { ports, stop } = await startService(config, { logLevel: "silent" });
  t.teardown(async () => {
    await stop();
    rmSync(folder, { recursive: true });
  });
  return {
    base: `http://127.0.0.1:${ports.rest}`,
    grpc: `127.0.0.1:${ports.grpc}`,
    internal: `http://127.0.0.1:${ports.internalHttp}`,
  };
}

/**
 * Writes the settings into the database. The admin API cannot be used, because the documents fix the merchant's secret
 * and the provider's key.
 */
async function setUp(databaseUrl: string, masterKey: Buffer, walletUrl: string | null, source: string): Promise<void> {
  const database = openDatabase(databaseUrl);
  await migrate(database);
  const settings = new SqlSettingsStore(database, new SecretBox([masterKey]));
  await settings.save({ kind: "brand", brand: brandRecord("acme", { name: "Acme" }) });
  const merchant = { name: "Acme Brasil", brand: "acme", walletUrl, defaultLanguage: "pt", secret: SECRET };
  await settings.save({
    kind: "merchant",
    merchant: merchantRecord(MERCHANT, { ...merchant, products: ["slot", "live"] }),
  });
  const acme = { ...providerRecord("ACME", [source]), name: "Acme Games", keys: [keyRecord(KEY)] };
  await settings.save({ kind: "provider", provider: acme });
  await settings.save({
    kind: "games",
    provider: acme.code,
    games: [gameRecord("book-of-x", { name: "Book of X", details: { rtp: 96.2 } })],
  });
  await database.close();
}
