import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { visible } from "../../../web-files/visible.ts";
import { bold, type Terminal } from "./terminal.ts";

const GAP = "  ";
/** The smallest width to which a column is shortened. */
const NARROWEST = 8;

/** A value as one line of text for people. */
function cell(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "-";
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map(cell).join(",");
  // Names may contain line breaks, or characters that control the terminal.
  return visible(typeof value === "object" ? JSON.stringify(value) : String(value)).replace(
    /[\p{Cc}\p{Zl}\p{Zp}]/gu,
    " ",
  );
}

/** A table with aligned columns. Lines are shortened only for a terminal, beginning with the widest columns. */
export function table(terminal: Terminal, columns: readonly string[], rows: readonly JsonObject[]): string {
  const cells = rows.map((row) => columns.map((column) => cell(row[column])));
  const natural = columns.map((column, i) => Math.max(column.length, ...cells.map((row) => length(row[i] ?? ""))));
  const widths = terminal.columns === null ? natural : fitted(natural, terminal.columns);
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, i) => padded(cut(text, widths[i] ?? 0), widths[i] ?? 0))
      .join(GAP)
      .trimEnd();
  return [bold(terminal, line(columns)), ...cells.map(line)].map((text) => `${text}\n`).join("");
}

/**
 * One line for each field, with its name and value. The fields of an object are shown by their paths
 * (`limits.launch_rate`), unless all of them are null. Values are never shortened.
 */
export function fields(record: JsonObject): string {
  const rows = Object.entries(record).flatMap(([name, value]): [string, JsonValue][] => {
    if (!isObject(value)) return [[name, value]];
    const inner = Object.entries(value);
    return inner.every(([, one]) => one === null) ? [[name, null]] : inner.map(([key, one]) => [`${name}.${key}`, one]);
  });
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${padded(name, width)}${GAP}${cell(value)}\n`).join("");
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const length = (text: string): number => [...text].length;
const padded = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - length(text)));
const cut = (text: string, width: number): string =>
  length(text) <= width ? text : `${[...text].slice(0, width - 1).join("")}…`;

/** Makes the widest column narrower, repeatedly, until a line fits. */
function fitted(natural: readonly number[], columns: number): number[] {
  const widths = [...natural];
  const room = columns - GAP.length * (widths.length - 1);
  for (let over = widths.reduce((sum, width) => sum + width, 0) - room; over > 0; over--) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}
