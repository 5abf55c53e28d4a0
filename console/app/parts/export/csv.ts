import { BYTE_ORDER_MARK, type CsvCell, type CsvDialect, csvLine } from "../../../../web-files/csv.ts";

/** A table as CSV, with the same cells as the API's. */
export const csvOf = (rows: readonly (readonly CsvCell[])[], dialect: CsvDialect): string =>
  rows.map((row) => csvLine(row, dialect)).join("");

/** Gives a text to the reader as a file. People open it with a spreadsheet, so each dialect has the mark. */
export function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([BYTE_ORDER_MARK, text], { type: "text/csv;charset=utf-8" }));
  link.download = name;
  link.click();
  // The browser reads the file some time after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
