import { csvLine, textCell } from "../../../../web-files/csv.ts";

/** A table as CSV, with the same cells as the API's. A decimal is a number, also with a minus. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => csvLine(row.map((text) => (/^-?\d+(\.\d+)?$/.test(text) ? text : textCell(text))))).join("");

/** Without this mark, Excel reads a file that is opened by a double click in the computer's old character set. */
const BYTE_ORDER_MARK = "\ufeff";

/** Gives a text to the reader as a file. */
export function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([BYTE_ORDER_MARK, text], { type: "text/csv;charset=utf-8" }));
  link.download = name;
  link.click();
  // The browser reads the file some time after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
