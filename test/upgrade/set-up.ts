import type { OpenGameRequest } from "../../src/gen/aggregator/provider/v1/game_service_pb.ts";
import { ADMIN_KEY, adminOf, inPieces } from "../../testbed/callers/administration.ts";
import { signedCall } from "../../testbed/callers/signed-call.ts";
import type { BenchMerchant, Directory } from "../../testbed/directory/directory.ts";
import { UNLIMITED } from "../../testbed/directory/records.ts";
import { startGameService } from "../../testbed/provider/game-service.ts";
import type { Release, Replica } from "../../testbed/service/replica.ts";
import type { Deployment } from "../../testbed/stage/deployment.ts";

const PROVIDER = "ACME";
const GAME = "reels";
const MERCHANTS = 8;
const SESSIONS_EACH = 2;

/** A provider's server that opens games, and what it was asked to open. */
export interface Games {
  readonly address: string;
  readonly opened: readonly OpenGameRequest[];
  close(): void;
}

export async function startGames(): Promise<Games> {
  const opened: OpenGameRequest[] = [];
  const { port, close } = await startGameService(opened);
  return { address: `http://127.0.0.1:${port}`, opened, close };
}

/**
 * Makes merchants, a provider, a game and sessions through the public APIs of a release. The stores of this release
 * cannot write them, because the schema is not its own.
 */
export async function setUp(
  deployment: Deployment,
  walletUrl: string,
  release: Release,
  games: Games,
): Promise<Directory> {
  const replica = await deployment.startReplica({ ADMIN_KEY }, release);
  const admin = adminOf(replica);
  await admin.brands.createBrand({ code: "shop" });
  const { key } = await admin.providers.createProvider({ code: PROVIDER });
  await admin.providers.addSource({ code: PROVIDER, address: games.address });
  const catalog = JSON.stringify([{ provider: PROVIDER, code: GAME, name: "Reels", type: "slot" }]);
  await admin.catalog.importGames(inPieces(catalog, "json"));
  const made = await Promise.all(
    Array.from({ length: MERCHANTS }, async (_, i) => {
      const code = `shop-${i + 1}`;
      const fields = { brand: "shop", products: ["slot"], currency: "BRL", limits: UNLIMITED };
      const { secret } = await admin.merchants.createMerchant({ code, walletUrl, ...fields });
      return { code, secret };
    }),
  );
  const rows: { id: number; code: string }[] = await deployment.database.knex("merchants").select("id", "code");
  const ids = new Map(rows.map(({ id, code }) => [code, Number(id)]));
  const merchants: BenchMerchant[] = [];
  for (const { code, secret } of made) {
    const sessions = [];
    for (let n = 1; n <= SESSIONS_EACH; n++) {
      const playerId = `${code}-player-${n}`;
      sessions.push({ id: await launch(replica, { code, secret }, playerId, games), playerId });
    }
    merchants.push({ id: ids.get(code) ?? 0, code, secret, walletUrl, limited: false, sessions });
  }
  await replica.drain();
  return { provider: PROVIDER, apiKey: key, game: GAME, currency: "BRL", merchants };
}

/** Launches the game at a replica. Returns the session's id, which the provider got. */
export async function launch(
  { origin }: Replica,
  merchant: Pick<BenchMerchant, "code" | "secret">,
  playerId: string,
  { opened }: Games,
): Promise<string> {
  const reply = await signedCall(origin, merchant, "POST", "/v1/game/launch", { player_id: playerId, game: GAME });
  if (!reply.ok) throw new Error(`a launch at ${origin} failed: ${reply.code}`);
  return opened.at(-1)?.sessionId ?? "";
}
