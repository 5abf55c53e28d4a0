/** GameService for the aggregator: it makes a token of our own for each session, so the provider never sees a session id. */
import { randomBytes } from "node:crypto";
import { gameServer } from "../../kits/typescript-provider/src/game-server.ts";
import { isCurrency } from "../../src/domain/values/money.ts";
import type { OpenGameRequest } from "../../src/gen/aggregator/provider/v1/game_service_pb.ts";
import type { Player, Store } from "./state/store.ts";
import { sha256 } from "./verify.ts";
import type { Watch } from "./watch.ts";

/** The session that the provider opens; null: a demo, which has no wallet. */
export interface Opening {
  readonly session: (Player & { readonly token: string }) | null;
  readonly request: OpenGameRequest;
}

/** Asks the provider for the game's address. Throws if the provider gives none. */
export type Launch = (opening: Opening) => Promise<string>;

/** A token that no one can guess: 32 characters of A-Z a-z 0-9 _ -. */
export const newToken = (): string => randomBytes(24).toString("base64url");

/**
 * The player's id for the provider: the player_ref, or its hash if the player_ref has other characters or is too long.
 * A pure function, so every session of a player has the same id.
 */
export const aliasOf = (playerRef: string): string =>
  /^[A-Za-z0-9]{4,32}$/.test(playerRef) ? playerRef : sha256(playerRef).slice(0, 32);

export function launchServer(
  store: Store,
  launch: Launch,
  watch: Watch,
  tls?: Parameters<typeof gameServer>[1],
): ReturnType<typeof gameServer> {
  return gameServer(async (request) => {
    try {
      return await launch({ request, session: request.demo ? null : await begin(request, store) });
    } catch (cause) {
      watch.log.warn({ err: cause, game: request.gameCode }, "a game could not be opened");
      throw cause;
    }
  }, tls);
}

async function begin(request: OpenGameRequest, store: Store): Promise<Player & { readonly token: string }> {
  const { sessionId, playerRef, gameCode: game, currency, country, language } = request;
  if (!isCurrency(currency)) throw new Error(`the currency ${currency} is not known`);
  const player = { alias: aliasOf(playerRef), playerRef, currency, country, language, game };
  const token = newToken();
  await store.addSession({ ...player, sessionId }, token);
  return { ...player, token };
}
