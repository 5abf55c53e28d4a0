import type { Cell } from "../../connection/statement.ts";

/**
 * The lines of a batch as one JSON array of arrays, which SQLite reads with json_each. A bigint is written as a plain
 * number of any length. SQLite reads 64 bits exactly, and a STRICT table refuses a longer number.
 */
export const jsonLines = (lines: readonly (readonly Cell[])[]): string =>
  `[${lines.map((line) => `[${line.map((cell) => (typeof cell === "bigint" ? String(cell) : JSON.stringify(cell))).join()}]`).join()}]`;
