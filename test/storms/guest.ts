import { createHash, randomBytes } from "node:crypto";
import { SqlSessionStore } from "../../src/adapters/sql/access/session-store.ts";
import { SecretBox } from "../../src/adapters/sql/settings/secret-box.ts";
import { SqlSettingsStore } from "../../src/adapters/sql/settings/settings-store.ts";
import { SPORTSBOOK, SPORTSBOOK_GAME } from "../../src/domain/catalog/provider.ts";
import type { GameRef } from "../../src/domain/transaction/transaction.ts";
import type { PlayerId, ProviderCode } from "../../src/domain/values/identifiers.ts";
import { gameOf, type Installation, type Player } from "../../testbed/stage/installation.ts";

/** A provider beside the installation's own, whose game everybody plays as well. */
export interface Guest {
  readonly code: ProviderCode;
  readonly apiKey: string;
  readonly game: GameRef;
  readonly sessionOf: (seat: Player) => string;
}

export const OTHER = "OTHER";
const GAMES = { [OTHER]: "wheels", [SPORTSBOOK]: SPORTSBOOK_GAME } as const;

/** Sets a provider up with its key, its game and a session of everybody. Before the replicas start, so that all know it. */
export async function invite(installation: Installation, provider: keyof typeof GAMES): Promise<Guest> {
  const { database, env, seats } = installation;
  const code = provider as ProviderCode;
  const game = GAMES[provider];
  const apiKey = randomBytes(32).toString("hex");
  const settings = new SqlSettingsStore(database, new SecretBox([Buffer.from(env.MASTER_KEY ?? "", "base64")]));
  const key = { name: "storms", hash: createHash("sha256").update(apiKey).digest("hex"), expiresAt: null, revoked: false };
  await settings.save({ kind: "provider", provider: { code, name: provider, active: true, sources: [], keys: [key] } });
  if (provider === SPORTSBOOK) {
    for (const merchant of (await settings.load(0n)).merchants)
      await settings.save({ kind: "merchant", merchant: { ...merchant, products: ["slot", "sportsbook"] } });
  } else {
    await settings.save({ kind: "games", provider: code, games: [{ code: game, name: game, type: "slot", demoAvailable: false, active: true, details: {} }] });
  }
  const sessions = new SqlSessionStore(database);
  const ids = new Map<Player, string>();
  for (const seat of seats) {
    const id = randomBytes(16).toString("hex");
    const player = { merchantId: seat.merchant.id, playerId: seat.playerId as PlayerId, playerRef: randomBytes(16).toString("hex") };
    await sessions.create({ id, ...player, provider: code, game, demo: false, language: "pt", country: "BR" });
    ids.set(seat, id);
  }
  return { code, apiKey, game: await gameOf(database, { provider, game }), sessionOf: (seat) => ids.get(seat) ?? "" };
}
