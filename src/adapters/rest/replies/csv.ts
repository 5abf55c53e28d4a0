/** Spreadsheets read a cell as a formula if it begins with one of these characters. */
const FORMULA = /^[=+\-@\t\r]/;

/** A cell with text; empty for null. A text that a spreadsheet would run as a formula begins with an apostrophe. */
export function textCell(text: string | null): string {
  if (text === null) return "";
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * One line of a CSV file (RFC 4180).
 *
 * @param cells - numbers, and texts that {@link textCell} returned.
 */
export const csvLine = (cells: readonly (string | number)[]): string => `${cells.join(",")}\r\n`;
