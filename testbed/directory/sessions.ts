import { randomBytes } from "node:crypto";
import type { PlayerId, ProviderCode } from "../../src/domain/values/identifiers.ts";
import type { SessionStore } from "../../src/ports/session-store.ts";

export interface SessionOf {
  readonly merchantId: number;
  readonly playerId: string;
  readonly provider: string;
  readonly game: string;
}

/** Stores a player's session, as a launch does. Returns its id. */
export async function storeSession(
  sessions: SessionStore,
  of: SessionOf,
  id: string = randomBytes(16).toString("hex"),
): Promise<string> {
  const { merchantId, game } = of;
  const player = { merchantId, playerId: of.playerId as PlayerId, playerRef: randomBytes(16).toString("hex") };
  await sessions.create({
    id,
    ...player,
    provider: of.provider as ProviderCode,
    game,
    demo: false,
    language: "pt",
    country: "BR",
  });
  return id;
}
