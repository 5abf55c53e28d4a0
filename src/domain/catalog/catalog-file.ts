/**
 * Reads a file of games, CSV or JSON, in pieces (docs/specification/administration.md#admin-import). Fields have the
 * names that the API uses.
 */

import type { FieldFault } from "../errors.ts";
import { fieldFault } from "../values/field-fault.ts";
import { CsvFault, CsvReader } from "./csv.ts";
import { GAME_FIELDS, IMAGE_COLUMNS, isNameColumn } from "./game.ts";
import { JsonFault, JsonItems } from "./json-items.ts";

/**
 * The fields of one game in the file, or its faults. `line` is the line of the file on which the game begins, from 1.
 */
export type FileRow =
  | { readonly line: number; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly faults: readonly FieldFault[] };

export interface CatalogFile {
  push(text: string): FileRow[];
  /** Call this at the end of the file. */
  end(): FileRow[];
}

export type CatalogFormat = "csv" | "json";

export const catalogFile = (format: CatalogFormat): CatalogFile =>
  format === "csv" ? new CsvCatalog() : new JsonCatalog();

/** A fault of the file's syntax, after which nothing more of the file can be read. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
  readonly row: Extract<FileRow, { readonly faults: unknown }>;

  constructor(line: number, rule: string) {
    super(rule);
    this.row = { line, faults: [fieldFault("", rule)] };
  }
}

/** Runs `read`, and throws {@link UnreadableFile} for a fault of the file's syntax. */
function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof CsvFault || cause instanceof JsonFault) throw new UnreadableFile(cause.line, cause.message);
    throw cause;
  }
}

class JsonCatalog implements CatalogFile {
  readonly #items = new JsonItems();

  push(text: string): FileRow[] {
    return reading(() => this.#items.push(text)).map(({ line, text: item }) => {
      const value = parse(item);
      const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
      return isObject
        ? { line, fields: value as Record<string, unknown> }
        : { line, faults: [fieldFault("", value === undefined ? "JSON" : "an object")] };
    });
  }

  end(): FileRow[] {
    reading(() => this.#items.end());
    return [];
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Converts the cells of some columns. A cell that cannot be converted stays a text, which the rules of games then
 * refuse.
 */
const CELLS: Readonly<Record<string, (cell: string) => unknown>> = {
  demo_available: flag,
  active: flag,
  rtp: (cell) => (/^\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell),
  free_rounds: flag,
  jackpot: flag,
  tags: list,
  platforms: list,
  languages: list,
  blocked_countries: list,
};

function flag(cell: string): unknown {
  return cell === "true" ? true : cell === "false" ? false : cell;
}

function list(cell: string): string[] {
  return cell.split("|").map((item) => item.trim());
}

class CsvCatalog implements CatalogFile {
  readonly #records = new CsvReader();
  #columns: readonly string[] | undefined;

  push(text: string): FileRow[] {
    return this.#rows(reading(() => this.#records.push(text)));
  }

  end(): FileRow[] {
    const rows = this.#rows(reading(() => this.#records.end()));
    if (this.#columns === undefined) throw new UnreadableFile(1, "a header with the names of the columns");
    return rows;
  }

  #rows(records: readonly { readonly line: number; readonly cells: readonly string[] }[]): FileRow[] {
    const rows: FileRow[] = [];
    for (const { line, cells } of records) {
      if (this.#columns === undefined) this.#columns = header(line, cells);
      else rows.push(row(line, this.#columns, cells, this.#records));
    }
    return rows;
  }
}

function header(line: number, cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  const [only = "", ...more] = names;
  if (more.length === 0 && only.includes("\t"))
    throw new UnreadableFile(line, "commas or semicolons between the cells; it has tabs");
  if (new Set(names).size !== names.length) throw new UnreadableFile(line, "a header that has each column once");
  const known = [...GAME_FIELDS.filter((field) => field !== "images" && field !== "names"), ...IMAGE_COLUMNS];
  const unknown = names.filter((name) => !known.includes(name) && !isNameColumn(name));
  if (unknown.length > 0)
    throw new UnreadableFile(line, `a header of these columns: ${known.join(", ")}, names.<language>`);
  return names;
}

function row(line: number, columns: readonly string[], cells: readonly string[], records: CsvReader): FileRow {
  if (cells.length !== columns.length)
    return { line, faults: [fieldFault("", `${columns.length} cells like the header; it has ${cells.length}`)] };
  const fields: Record<string, unknown> = {};
  /** Fields that are objects: the column `images.thumb` is the field `thumb` of `images`. */
  const objects: Record<string, Record<string, string>> = {};
  for (const [i, column] of columns.entries()) {
    const cell = column === "rtp" ? records.number(cells[i] ?? "") : (cells[i] ?? "");
    if (cell === "") continue;
    const [field = "", key] = column.split(".");
    if (key !== undefined) objects[field] = { ...objects[field], [key]: cell };
    else fields[column] = Object.hasOwn(CELLS, column) ? CELLS[column]?.(cell) : cell;
  }
  return { line, fields: { ...fields, ...objects } };
}
