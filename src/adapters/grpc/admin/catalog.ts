import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Games } from "../../../app/admin/games.ts";
import type { ImportGames } from "../../../app/admin/import-games.ts";
import type { ImportPreview, PreviewedGame } from "../../../domain/catalog/import-preview.ts";
import type {
  CatalogAdminService,
  ImportGamesRequest,
  ImportPreviewSchema,
  SetGameRequest,
} from "../../../gen/aggregator/admin/v1/catalog_admin_service_pb.ts";
import { toGame } from "../messages/game-message.ts";
import { fromTimestamp } from "../messages/timestamp.ts";
import { unwrap } from "../server/refusal-error.ts";
import { toChanges } from "./audit.ts";
import type { AdminHandlers } from "./service.ts";

/** A preview of an import cuts values to this many characters. */
const PREVIEWED_MAX = 200;

/** Serves aggregator.admin.v1.CatalogAdminService. */
export const catalogHandlers = (games: Games, importGames: ImportGames): AdminHandlers<typeof CatalogAdminService> => ({
  async importGames(requests, caller) {
    const { first, pieces } = await readFirst(requests);
    const { faults, preview, ...done } = unwrap(
      await importGames.run(
        { ...caller, reason: first?.reason ?? "" },
        { format: first?.format ?? "", dryRun: first?.dryRun ?? false },
        pieces,
      ),
    );
    return {
      ...done,
      faults: faults.map(({ rule, ...fault }) => ({ ...fault, reason: rule })),
      ...(first?.dryRun && done.faultCount === 0 && { preview: toPreview(preview) }),
    };
  },
  async setGame({ provider, code, reason, name, type, demoAvailable, active, clear, ...details }, caller) {
    const fields = { name, type, demoAvailable, active, clear, details: detailsOf(details) };
    return { game: toGame(unwrap(await games.set({ ...caller, reason }, provider, code, fields))) };
  },
  async getGame({ provider, code }) {
    return { game: toGame(unwrap(await games.get(provider, code))) };
  },
  async listGames({ provider, type, active, q, ...page }) {
    const { items, nextCursor, total } = unwrap(await games.list({ provider, type, active, q }, page));
    return { games: items.map(toGame), nextCursor, total };
  },
});

/** Reads the first message, which has the options, and returns it with the bytes of all messages. */
async function readFirst(requests: AsyncIterable<ImportGamesRequest>) {
  const iterator = requests[Symbol.asyncIterator]();
  const { value: first, done } = await iterator.next();
  async function* pieces(): AsyncGenerator<Uint8Array> {
    if (done !== true) yield first.chunk;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      // A fast sender's messages may all have arrived already. So other work of the event loop runs between them.
      await new Promise((resolve) => setImmediate(resolve));
      yield next.value.chunk;
    }
  }
  return { first: done === true ? undefined : first, pieces: pieces() };
}

type Details = Pick<
  SetGameRequest,
  | "images"
  | "tags"
  | "rtp"
  | "volatility"
  | "freeRounds"
  | "jackpot"
  | "platforms"
  | "languages"
  | "blockedCountries"
  | "releasedAt"
  | "names"
>;

const toPreview = ({
  created,
  updated,
  missing,
  ...counts
}: ImportPreview): MessageInitShape<typeof ImportPreviewSchema> => {
  const toGames = (games: readonly PreviewedGame[]) =>
    games.map(({ changes, ...game }) => ({ ...game, changes: toChanges(changes, PREVIEWED_MAX) }));
  return { ...counts, created: toGames(created), updated: toGames(updated), missing: toGames(missing) };
};

/** The details that the request sets, by their JSON names. */
function detailsOf({
  images,
  tags,
  rtp,
  volatility,
  freeRounds,
  jackpot,
  platforms,
  languages,
  blockedCountries,
  releasedAt,
  names,
}: Partial<Details>) {
  const released = fromTimestamp("released_at", releasedAt);
  const details = {
    images: images && {
      thumb: images.thumb || null,
      square: images.square || null,
      background: images.background || null,
    },
    tags: tags?.values,
    rtp,
    volatility,
    free_rounds: freeRounds,
    jackpot,
    platforms: platforms?.values,
    languages: languages?.values,
    blocked_countries: blockedCountries?.values,
    released_at: released === undefined ? undefined : new Date(released).toISOString(),
    names: names?.values,
  };
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}
