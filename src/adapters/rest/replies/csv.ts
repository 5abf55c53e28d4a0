/** A spreadsheet takes a cell that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A cell of text; empty for null. What a spreadsheet would run gets an apostrophe in front. */
export function textCell(text: string | null): string {
  if (text === null) return "";
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A record by RFC 4180. @param cells - numbers as they are, text out of {@link textCell}. */
export const csvLine = (cells: readonly (string | number)[]): string => `${cells.join(",")}\r\n`;
