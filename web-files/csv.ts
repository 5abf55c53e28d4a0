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

/** A cell with text, for {@link csvLine}; empty for null. */
export function textCell(text: string | null): string {
  const safe = protectedText(text ?? "");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * One line of a CSV file (RFC 4180).
 *
 * @param cells - numbers, and texts that {@link textCell} returned.
 */
export const csvLine = (cells: readonly (string | number)[]): string => `${cells.join(",")}\r\n`;
