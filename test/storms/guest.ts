import { randomBytes } from "node:crypto";
import { SqlSessionStore } from "../../src/adapters/sql/access/session-store.ts";
import { SPORTSBOOK, SPORTSBOOK_GAME } from "../../src/domain/catalog/provider.ts";
import type { GameRef } from "../../src/domain/transaction/transaction.ts";
import type { ProviderCode } from "../../src/domain/values/identifiers.ts";
import type { SettingsStore } from "../../src/ports/settings-store.ts";
import { gameRecord, keyRecord, providerRecord } from "../../testbed/directory/records.ts";
import { storeSession } from "../../testbed/directory/sessions.ts";
import { addSportsbook } from "../../testbed/directory/sportsbook.ts";
import { gameOf, type Installation, type Player } from "../../testbed/stage/installation.ts";

/** A second provider in addition to the installation's own. All players also play the second provider's game. */
export interface Guest {
  readonly code: ProviderCode;
  readonly apiKey: string;
  readonly game: GameRef;
  readonly sessionOf: (player: Player) => string;
}

export const OTHER = "OTHER";
const GAMES = { [OTHER]: "wheels", [SPORTSBOOK]: SPORTSBOOK_GAME } as const;

/**
 * Sets a provider up with its key, its game and a session for each player. Call it before the replicas start, so that
 * every replica has the provider.
 */
export async function invite(installation: Installation, provider: keyof typeof GAMES): Promise<Guest> {
  const { database, settings, players } = installation;
  const code = provider as ProviderCode;
  const game = GAMES[provider];
  const apiKey = provider === SPORTSBOOK ? await addSportsbook(settings) : await addProvider(settings, code, game);
  const sessions = new SqlSessionStore(database);
  const ids = new Map<Player, string>();
  for (const player of players) {
    const { merchant, playerId } = player;
    ids.set(player, await storeSession(sessions, { merchantId: merchant.id, playerId, provider: code, game }));
  }
  return {
    code,
    apiKey,
    game: await gameOf(database, { provider, game }),
    sessionOf: (player) => ids.get(player) ?? "",
  };
}

async function addProvider(settings: SettingsStore, code: ProviderCode, game: string): Promise<string> {
  const apiKey = randomBytes(32).toString("hex");
  await settings.save({ kind: "provider", provider: { ...providerRecord(code, []), keys: [keyRecord(apiKey)] } });
  await settings.save({ kind: "games", provider: code, games: [gameRecord(game, { demoAvailable: false })] });
  return apiKey;
}
