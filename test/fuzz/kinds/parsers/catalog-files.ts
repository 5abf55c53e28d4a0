import { parse } from "csv-parse/sync";
import {
  type CatalogFormat,
  catalogFile,
  type FileRow,
  UnreadableFile,
} from "../../../../src/domain/catalog/catalog-file.ts";
import { CsvFault, CsvReader } from "../../../../src/domain/catalog/csv.ts";
import { readGame } from "../../../../src/domain/catalog/game.ts";
import { isGameCode, isProviderCode } from "../../../../src/domain/values/identifiers.ts";
import type { SeededRandom } from "../../../../testbed/seeded-random.ts";
import type { Kind } from "../../kind.ts";
import { mutateText } from "../../mutate.ts";
import { lobbyFaults } from "./json-bodies.ts";

interface Input {
  readonly format: CatalogFormat;
  readonly text: string;
  /** Positions of the cuts in the text. */
  readonly cut: number;
}

const GAMES: readonly Readonly<Record<string, unknown>>[] = [
  { provider: "ACME", code: "fruits", name: "Fruits", type: "slot", demo_available: true },
  {
    provider: "ACME",
    code: "roulette",
    name: 'A "quoted", name',
    type: "live",
    rtp: 97.3,
    tags: ["a", "b"],
    blocked_countries: ["US"],
    released_at: "0000-01-01T00:00:00Z",
  },
  {
    provider: "ACME",
    code: "x",
    name: "linha\nnova",
    type: "slot",
    images: { thumb: "https://cdn.example/x.png" },
    names: { pt: "Frutas", "en-US": "Fruits" },
    released_at: "2025-01-12",
  },
];
const CSV = [
  'provider,code,name,type,demo_available,tags\r\nACME,fruits,Fruits,slot,true,a|b\r\nACME,x,"a ""b"", c",live,,\r\n',
  "provider,code,name,type,images.thumb,names.pt\nACME,fruits,Fruits,slot,https://cdn.example/x.png,Frutas\n\nACME,y,,slot\n",
];

/**
 * Files of games. The result is rows, or faults by line, or an unreadable file. It does not depend on the positions of
 * the cuts.
 */
export const catalogFiles: Kind<Input> = {
  name: "catalog-files",
  reader: "domain/catalog/catalog-file, csv, json-items, game",
  perMillion: 5_000,
  generate: (random) =>
    random.chance(0.5)
      ? { format: "csv", text: random.pick(CSV), cut: random.int(0, 60) }
      : { format: "json", text: JSON.stringify([random.pick(GAMES), random.pick(GAMES)]), cut: random.int(0, 60) },
  mutate: (random: SeededRandom, { format, text, cut }) =>
    random.chance(0.05)
      ? { text, cut, format: format === "csv" ? "json" : "csv" }
      : { format, cut, text: mutateText(random, text) },
  check: ({ format, text, cut }) => {
    const rows = rowsOf(format, [text]);
    const pieces = rowsOf(format, [text.slice(0, cut), text.slice(cut, cut + 1), text.slice(cut + 1)]);
    const faults =
      JSON.stringify(rows) === JSON.stringify(pieces)
        ? []
        : [`cut at ${cut} it is ${JSON.stringify(pieces)}, else ${JSON.stringify(rows)}`];
    for (const row of rows ?? []) if ("fields" in row) faults.push(...gameFaults(row.fields));
    return format === "csv" && text.isWellFormed() ? [...faults, ...csvFaults(text)] : faults;
  },
};

/** `undefined`: the file can't be read. If there are several reasons, the reported one depends on the pieces. */
function rowsOf(format: CatalogFormat, pieces: readonly string[]): FileRow[] | undefined {
  const file = catalogFile(format);
  const rows: FileRow[] = [];
  try {
    for (const piece of pieces) rows.push(...file.push(piece));
    rows.push(...file.end());
  } catch (cause) {
    if (!(cause instanceof UnreadableFile)) throw cause;
    return undefined;
  }
  return rows;
}

function gameFaults(fields: Readonly<Record<string, unknown>>): string[] {
  const read = readGame(fields);
  if ("faults" in read) return read.faults.length > 0 ? [] : ["refused without a fault"];
  const { provider, code, details } = read.game;
  const faults = isProviderCode(provider) && isGameCode(code) ? [] : [`the game ${provider}/${code}`];
  const again = readGame({ provider, code, name: read.game.name, type: read.game.type, ...details });
  // A game in the form of the catalog's answer can be imported again.
  if (!("game" in again) || JSON.stringify(again.game.details) !== JSON.stringify(details))
    faults.push(`${JSON.stringify(details)} can't be imported again`);
  const images = Object.values((details.images ?? {}) as Record<string, string | null>);
  return [...faults, ...images.flatMap((url) => (url === null ? [] : lobbyFaults(url)))];
}

/**
 * The result of another reader of RFC 4180. That reader is more lenient about quotes, so only files that our reader
 * accepts are compared.
 */
function csvFaults(text: string): string[] {
  const reader = new CsvReader();
  let cells: readonly (readonly string[])[];
  try {
    cells = [...reader.push(text), ...reader.end()].map((record) => record.cells);
  } catch (cause) {
    if (cause instanceof CsvFault) return [];
    throw cause;
  }
  const others = parse(text, {
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ["\r\n", "\n", "\r"],
  }) as string[][];
  return JSON.stringify(cells) === JSON.stringify(others)
    ? []
    : [`others read ${JSON.stringify(others)}, here it is ${JSON.stringify(cells)}`];
}
