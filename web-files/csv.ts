/**
 * How texts of strangers are written into CSV files, which people open with a spreadsheet. This is own code, because
 * csv-stringify 6 would replace only the quotes and the commas, which are three lines here, at 1 MB of files and 222 000
 * instead of 263 000 rows a second. Its `escape_formulas` sees a formula only at the beginning of a cell, not after a
 * `;` or a space.
 */
import { visible } from "./visible.ts";

/**
 * What a spreadsheet could take for a formula at the beginning of a cell. Some skip spaces and quotes before it, and
 * take a full-width sign for the sign.
 */
export const FORMULA = '(?:[^\\S\\t\\r\\n]|")*[=+\\-@%|＝＋－＠]';
const AT_THE_BEGINNING = new RegExp(`^(?:[\\t\\r\\n]|${FORMULA})`, "u");
/**
 * After these characters a cell or a line can begin. The spreadsheets of Brazil, Argentina, Chile and Colombia separate
 * by `;`, and an import may separate by tab.
 */
const AFTER_A_SEPARATOR = new RegExp(`[,;|\\t\\r\\n](?=${FORMULA})`, "gu");

/**
 * The text as a spreadsheet may show it: invisible characters are written out, and an apostrophe stands before each
 * place at which a formula could begin. A text that this function returned stays as it is.
 */
export function protectedText(text: string): string {
  const safe = visible(text).replace(AFTER_A_SEPARATOR, "$&'");
  return AT_THE_BEGINNING.test(safe) ? `'${safe}` : safe;
}

/** How the cells of a file are written. */
interface Dialect {
  readonly separator: string;
  readonly decimalSign: string;
  /** What the file begins with. */
  readonly start: string;
}

/** Without this mark, Excel reads a file that is opened by a double click in the computer's old character set. */
export const BYTE_ORDER_MARK = "\ufeff";

/**
 * `standard`: RFC 4180. `semicolon`: what a spreadsheet opens by a double click where people write a decimal comma.
 */
export const CSV_DIALECTS = {
  standard: { separator: ",", decimalSign: ".", start: "" },
  semicolon: { separator: ";", decimalSign: ",", start: BYTE_ORDER_MARK },
} as const satisfies Readonly<Record<string, Dialect>>;

export type CsvDialect = keyof typeof CSV_DIALECTS;
export const CSV_DIALECT_NAMES = Object.keys(CSV_DIALECTS) as readonly CsvDialect[];

/** A decimal with these digits and a decimal point. The API writes the same object as a number of JSON. */
interface DecimalCell {
  readonly rawJSON: string;
}

/** A text is a text of anyone. null is an empty cell. */
export type CsvCell = string | number | DecimalCell | null;

/** One line of a CSV file, with its line break. */
export function csvLine(cells: readonly CsvCell[], dialect: CsvDialect = "standard"): string {
  const { separator, decimalSign } = CSV_DIALECTS[dialect];
  const written = (cell: CsvCell): string => {
    if (cell === null) return "";
    if (typeof cell !== "string")
      return (typeof cell === "number" ? String(cell) : cell.rawJSON).replace(".", decimalSign);
    const safe = protectedText(cell);
    return safe.includes(separator) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return `${cells.map(written).join(separator)}\r\n`;
}
