import { type CatalogFile, type CatalogFormat, catalogFile, type FileRow, UnreadableFile } from "../../domain/catalog-file.ts";
import { ok, type Result } from "../../domain/errors.ts";
import { fieldFault } from "../../domain/field-fault.ts";
import { type GameDescription, readGame } from "../../domain/game.ts";
import type { Decision, NewAuditEntry, Steps } from "../../ports/admin-store.ts";
import type { Game, GameRecord, SettingsWrite } from "../../ports/settings-store.ts";
import type { Settings } from "../settings.ts";
import { type Asked, auditEntry, type Changes, reasonFaults, refuseFaults } from "./changes.ts";
import { gameChanges, typeFault } from "./games.ts";

const GAMES_MAX = 50_000;
const BYTES_MAX = 64 * 1024 * 1024;
/** Faults that are told; more are only counted. */
const FAULTS_MAX = 1_000;
/** Games between two turns of everything else: a whole catalog at once would hold up bets. */
const STEP = 500;

interface ImportFault {
  /** Line of the file on which the game begins, from 1 on. */
  readonly line: number;
  /** Empty: the whole game, or the file. */
  readonly field: string;
  readonly rule: string;
}

/** What was done, or why nothing was. */
export interface Imported {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly faults: readonly ImportFault[];
  readonly faultCount: number;
}

export interface ImportSaid {
  readonly format: string;
  /** Only say what would be done. */
  readonly dryRun: boolean;
}

/** Reads a file of games into the catalog: all of it or nothing. */
export class ImportGames {
  readonly #changes: Changes;
  readonly #settings: Settings;

  constructor(changes: Changes, settings: Settings) {
    this.#changes = changes;
    this.#settings = settings;
  }

  /** @param pieces - the file's bytes, cut anywhere. */
  async run(asked: Asked, { format, dryRun }: ImportSaid, pieces: AsyncIterable<Uint8Array>): Promise<Result<Imported>> {
    const wrong = [...(format === "csv" || format === "json" ? [] : [fieldFault("format", "csv or json")]), ...reasonFaults(asked)];
    if (wrong.length > 0) return refuseFaults(wrong);
    const known = await this.#changes.read(() => ok(undefined));
    if (!known.ok) return known;
    const file = await readFile(format as CatalogFormat, pieces, (code) => this.#settings.provider(code) !== undefined);
    if (file.faultCount > 0) return ok(refused(file));
    const providers = [...new Set(file.games.map((game) => game.provider))];
    return this.#changes.make({ providers, games: "all" }, (found) => difference(asked, file, found.games, dryRun));
  }
}

const refused = ({ faults, faultCount }: Pick<Imported, "faults" | "faultCount">): Imported => ({ created: 0, updated: 0, unchanged: 0, faults, faultCount });

/** The games of a file without faults, and by provider/code the line on which each begins. */
interface GamesRead {
  readonly games: readonly GameDescription[];
  readonly lines: ReadonlyMap<string, number>;
}

/** Collects what is read, up to the limits. */
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

  refuse({ line, faults }: Extract<FileRow, { readonly faults: unknown }>): void {
    for (const { field, rule } of faults) {
      this.faultCount += 1;
      if (this.faults.length < FAULTS_MAX) this.faults.push({ line, field, rule });
    }
  }

  #read(line: number, fields: Readonly<Record<string, unknown>>): void {
    const read = readGame(fields);
    if ("faults" in read) return this.refuse({ line, faults: read.faults });
    const { game } = read;
    if (!this.#isProvider(game.provider)) return this.refuse({ line, faults: [fieldFault("provider", "the code of a provider that exists")] });
    const key = `${game.provider}/${game.code}`;
    const before = this.lines.get(key);
    if (before !== undefined) return this.refuse({ line, faults: [fieldFault("code", `a game once; it is on line ${before}, too`)] });
    this.lines.set(key, line);
    this.games.push(game);
  }
}

async function readFile(format: CatalogFormat, pieces: AsyncIterable<Uint8Array>, isProvider: (code: string) => boolean): Promise<Reading> {
  const reading = new Reading(isProvider);
  const file: CatalogFile = catalogFile(format);
  // Without its byte order mark, if it has one.
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

/** What a file changes in the catalog, in steps of {@link STEP} games. */
export function* difference(asked: Asked, { games, lines }: GamesRead, found: readonly Game[], dryRun: boolean): Steps<Result<Decision<Imported>>> {
  const known = new Map<string, Game>();
  for (const [n, game] of found.entries()) {
    if (n % STEP === STEP - 1) yield;
    known.set(`${game.provider}/${game.code}`, game);
  }
  const writes = new GameWrites();
  const created: string[] = [];
  const updates: NewAuditEntry[] = [];
  const faults: ImportFault[] = [];
  for (const [n, { provider, ...said }] of games.entries()) {
    if (n % STEP === STEP - 1) yield;
    const name = `${provider}/${said.code}`;
    const before = known.get(name);
    if (before !== undefined && before.type !== said.type) {
      const { field, rule } = typeFault(before);
      faults.push({ line: lines.get(name) ?? 1, field, rule });
    }
    const game: GameRecord = { ...said, active: said.active ?? before?.active ?? true };
    if (before === undefined) created.push(name);
    else {
      const changes = gameChanges(before, game);
      if (changes.length === 0) continue;
      updates.push(auditEntry(asked, "game import", `game ${name}`, changes));
    }
    writes.add(provider, game);
  }
  if (faults.length > 0) return ok({ writes: [], audit: [], value: refused({ faults: faults.slice(0, FAULTS_MAX), faultCount: faults.length }) });
  const value: Imported = {
    created: created.length,
    updated: updates.length,
    unchanged: games.length - created.length - updates.length,
    faults: [],
    faultCount: 0,
  };
  if (dryRun || created.length + updates.length === 0) return ok({ writes: [], audit: [], value });
  const summary = auditEntry(asked, "game import", "games", [
    { field: "created", to: created },
    { field: "updated", to: updates.length },
  ]);
  return ok({ writes: writes.all, audit: [...updates, summary], value });
}

/** Games to write, a provider's in writes of at most {@link STEP}. */
class GameWrites {
  readonly all: SettingsWrite[] = [];
  readonly #open = new Map<string, GameRecord[]>();

  add(provider: GameDescription["provider"], game: GameRecord): void {
    const open = this.#open.get(provider);
    if (open !== undefined && open.length < STEP) open.push(game);
    else {
      const games = [game];
      this.#open.set(provider, games);
      this.all.push({ kind: "games", provider, games });
    }
  }
}
