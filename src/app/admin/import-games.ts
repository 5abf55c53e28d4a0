import { GAME_FIELDS } from "../../../contract/games/fields.ts";
import {
  type CatalogFile,
  type CatalogFormat,
  catalogFile,
  type FileRow,
  UnreadableFile,
} from "../../domain/catalog/catalog-file.ts";
import { type GameDescription, readGame } from "../../domain/catalog/game.ts";
import {
  bothPreviews,
  type ImportPreview,
  NOTHING,
  type PreviewedGame,
  previewOf,
  withMissing,
} from "../../domain/catalog/import-preview.ts";
import { ok, type Result } from "../../domain/errors.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import type { Decision } from "../../ports/admin-store.ts";
import type { Game, GameRecord } from "../../ports/settings-store.ts";
import type { Settings } from "../runtime/settings.ts";
import { type AdminRequest, auditEntry, type Changes, reasonFaults, refuseFaults } from "./changes.ts";
import { gameChanges, typeFault } from "./games.ts";

const GAMES_MAX = 50_000;
const BYTES_MAX = 64 * 1024 * 1024;
/** The import returns at most this many faults. It only counts the others. */
const FAULTS_MAX = 1_000;
/**
 * The number of games in one change. One change with a whole catalog would hold the database's write lock, and SQLite's
 * only connection, for so long that the service refuses bets.
 */
const STEP = 250;

interface ImportFault {
  /** The line of the file on which the game begins, counted from 1. */
  readonly line: number;
  /** The field that has the fault. Empty: the whole game or the whole file has the fault. */
  readonly field: string;
  readonly rule: string;
  /** `<provider>/<code>` as the file has it. Empty: the game is not known. */
  readonly game: string;
  /** The field's value in the file. Empty: it has none. At most {@link VALUE_SHOWN} characters. */
  readonly value: string;
}

const VALUE_SHOWN = 128;

/** The result of an import: what has changed, or why nothing has changed. */
export interface Imported {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly faults: readonly ImportFault[];
  readonly faultCount: number;
  /** What a dry run without faults has found; otherwise empty. */
  readonly preview: ImportPreview;
}

export interface ImportOptions {
  readonly format: string;
  /** If true, the import changes nothing and only reports what it would change. */
  readonly dryRun: boolean;
}

/**
 * Imports a file of games into the catalog. A file with a fault changes nothing. A file without faults is stored in
 * changes of {@link STEP} games.
 */
export class ImportGames {
  readonly #changes: Changes;
  readonly #settings: Settings;

  constructor(changes: Changes, settings: Settings) {
    this.#changes = changes;
    this.#settings = settings;
  }

  /**
   * Throws StoreUnavailable if a change can't be stored. The earlier changes stay stored. A second import of the same
   * file makes the other changes. Another import may create one of the games with another type meanwhile. Then this
   * import stops at that change and returns a fault.
   *
   * @param pieces - the file's bytes, cut anywhere.
   */
  async run(
    request: AdminRequest,
    { format, dryRun }: ImportOptions,
    pieces: AsyncIterable<Uint8Array>,
  ): Promise<Result<Imported>> {
    const wrong = [
      ...(format === "csv" || format === "json" ? [] : [fieldFault("format", "csv or json")]),
      ...reasonFaults(request),
    ];
    if (wrong.length > 0) return refuseFaults(wrong);
    const known = await this.#changes.readGames(() => ok(undefined));
    if (!known.ok) return known;
    const file = await readFile(format as CatalogFormat, pieces, (code) => this.#settings.provider(code) !== undefined);
    if (file.faultCount > 0) return ok(refused(file));
    const faults = file.games.flatMap((game) =>
      typeFaults(game, this.#settings.game(game.provider, game.code), file.lines),
    );
    if (faults.length > 0) return ok(refused({ faults: faults.slice(0, FAULTS_MAX), faultCount: faults.length }));
    let sum = refused({ faults: [], faultCount: 0 });
    for (let from = 0; from < file.games.length && sum.faultCount === 0; from += STEP) {
      const games = file.games.slice(from, from + STEP);
      const made = await this.#change(request, { games, lines: file.lines }, dryRun);
      if (!made.ok) return made;
      sum = plus(sum, made.value);
    }
    // After this answer every listing contains the imported games, even if another import runs at the same time.
    return this.#changes.readGames(() =>
      ok(dryRun ? { ...sum, preview: withMissing(sum.preview, file.games, this.#settings.games()) } : sum),
    );
  }

  #change(request: AdminRequest, part: GamesRead, dryRun: boolean): Promise<Result<Imported>> {
    const providers = [...new Set(part.games.map((game) => game.provider))];
    const codes = [...new Set(part.games.map((game) => game.code))];
    return this.#changes.make({ providers, games: codes }, (found) => difference(request, part, found.games, dryRun));
  }
}

const plus = (a: Imported, b: Imported): Imported => ({
  created: a.created + b.created,
  updated: a.updated + b.updated,
  unchanged: a.unchanged + b.unchanged,
  faults: [...a.faults, ...b.faults],
  faultCount: a.faultCount + b.faultCount,
  preview: bothPreviews(a.preview, b.preview),
});

const refused = ({ faults, faultCount }: Pick<Imported, "faults" | "faultCount">): Imported => ({
  created: 0,
  updated: 0,
  unchanged: 0,
  faults,
  faultCount,
  preview: NOTHING,
});

/** The games of a file without faults. `lines`: the line of the file on which each game begins, by provider/code. */
interface GamesRead {
  readonly games: readonly GameDescription[];
  readonly lines: ReadonlyMap<string, number>;
}

/** Collects games and faults while a file is read, up to the limits. */
class Reading implements GamesRead {
  readonly games: GameDescription[] = [];
  readonly faults: ImportFault[] = [];
  faultCount = 0;
  readonly lines = new Map<string, number>();
  readonly #isProvider: (code: string) => boolean;
  #rows = 0;

  constructor(isProvider: (code: string) => boolean) {
    this.#isProvider = isProvider;
  }

  add(rows: readonly FileRow[]): void {
    for (const row of rows) {
      this.#rows += 1;
      if (this.#rows > GAMES_MAX) throw new UnreadableFile(row.line, `at most ${GAMES_MAX} games`);
      if ("faults" in row) this.refuse(row);
      else this.#read(row.line, row.fields);
    }
  }

  /** @param fields - of the game; empty if they could not be read. */
  refuse({ line, faults }: Extract<FileRow, { readonly faults: unknown }>, fields: Fields = {}): void {
    for (const { field, rule } of faults) {
      this.faultCount += 1;
      if (this.faults.length < FAULTS_MAX)
        this.faults.push({ line, field, rule, game: gameIn(fields), value: shown(fields[field]) });
    }
  }

  #read(line: number, fields: Fields): void {
    const read = readGame(fields);
    if ("faults" in read) return this.refuse({ line, faults: read.faults }, fields);
    const { game } = read;
    if (!this.#isProvider(game.provider))
      return this.refuse({ line, faults: [fieldFault("provider", GAME_FIELDS.provider.rule.en)] }, fields);
    const key = nameOf(game);
    const before = this.lines.get(key);
    if (before !== undefined)
      return this.refuse({ line, faults: [fieldFault("code", `a game once; it is on line ${before}, too`)] }, fields);
    this.lines.set(key, line);
    this.games.push(game);
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** A value of the file in one short line. */
function shown(value: unknown): string {
  const text = typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
  return text.length <= VALUE_SHOWN ? text : `${text.slice(0, VALUE_SHOWN - 3).toWellFormed()}...`;
}

const gameIn = ({ provider, code }: Fields): string =>
  provider === undefined && code === undefined ? "" : `${shown(provider)}/${shown(code)}`;

async function readFile(
  format: CatalogFormat,
  pieces: AsyncIterable<Uint8Array>,
  isProvider: (code: string) => boolean,
): Promise<Reading> {
  const reading = new Reading(isProvider);
  const file: CatalogFile = catalogFile(format);
  // The decoder drops a byte order mark.
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      bytes += piece.byteLength;
      if (bytes > BYTES_MAX) throw new UnreadableFile(1, `at most ${BYTES_MAX} bytes`);
      reading.add(file.push(utf8(() => decoder.decode(piece, { stream: true }))));
    }
    reading.add(file.push(utf8(() => decoder.decode())));
    reading.add(file.end());
  } catch (cause) {
    if (!(cause instanceof UnreadableFile)) throw cause;
    reading.refuse(cause.row);
  }
  return reading;
}

function utf8(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw new UnreadableFile(1, "UTF-8");
  }
}

/**
 * The changes that the games of a file make in the catalog.
 * @param found - the games of the catalog with the codes of the file. It may contain other games, too.
 */
export function difference(
  request: AdminRequest,
  { games, lines }: GamesRead,
  found: readonly Game[],
  dryRun: boolean,
): Result<Decision<Imported>> {
  const known = new Map(found.map((game) => [nameOf(game), game]));
  const before = (game: GameDescription): Game | undefined => known.get(nameOf(game));
  const faults = games.flatMap((game) => typeFaults(game, before(game), lines));
  if (faults.length > 0) return ok({ writes: [], audit: [], value: refused({ faults, faultCount: faults.length }) });
  const writes = new Map<GameDescription["provider"], GameRecord[]>();
  const created: PreviewedGame[] = [];
  const updated: PreviewedGame[] = [];
  for (const game of games) {
    const { provider, ...description } = game;
    const old = before(game);
    const record: GameRecord = { ...description, active: description.active ?? old?.active ?? true };
    const changes = old === undefined ? [] : gameChanges(old, record);
    if (old !== undefined && changes.length === 0) continue;
    (old === undefined ? created : updated).push({ provider, code: description.code, name: description.name, changes });
    writes.set(provider, [...(writes.get(provider) ?? []), record]);
  }
  const value: Imported = {
    created: created.length,
    updated: updated.length,
    unchanged: games.length - created.length - updated.length,
    faults: [],
    faultCount: 0,
    preview: dryRun ? previewOf(created, updated) : NOTHING,
  };
  if (dryRun || writes.size === 0) return ok({ writes: [], audit: [], value });
  const updates = updated.map((game) => auditEntry(request, "game import", `game ${nameOf(game)}`, game.changes));
  const summary = auditEntry(request, "game import", "games", [
    { field: "created", to: created.map(nameOf) },
    { field: "updated", to: updated.length },
  ]);
  const all = [...writes].map(([provider, records]) => ({ kind: "games", provider, games: records }) as const);
  return ok({ writes: all, audit: [...updates, summary], value });
}

const typeFaults = (game: GameDescription, known: Game | undefined, lines: GamesRead["lines"]): ImportFault[] =>
  known === undefined || known.type === game.type
    ? []
    : [{ line: lines.get(nameOf(game)) ?? 1, ...typeFault(known), game: nameOf(game), value: game.type }];

const nameOf = ({ provider, code }: { readonly provider: string; readonly code: string }): string =>
  `${provider}/${code}`;
