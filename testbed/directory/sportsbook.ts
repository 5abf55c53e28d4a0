import { randomBytes } from "node:crypto";
import { SPORTSBOOK } from "../../src/domain/catalog/provider.ts";
import type { SettingsStore } from "../../src/ports/settings-store.ts";
import { keyRecord, providerRecord } from "./records.ts";

/** Adds the sportsbook and enables it for every merchant. Returns its API key. */
export async function addSportsbook(settings: SettingsStore): Promise<string> {
  const apiKey = randomBytes(32).toString("hex");
  await settings.save({
    kind: "provider",
    provider: { ...providerRecord(SPORTSBOOK, []), name: "Sportsbook", keys: [keyRecord(apiKey)] },
  });
  for (const merchant of (await settings.load(0n)).merchants)
    await settings.save({ kind: "merchant", merchant: { ...merchant, products: ["slot", "sportsbook"] } });
  return apiKey;
}
