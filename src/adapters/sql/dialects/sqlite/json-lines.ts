import type { Cell } from "../../connection/statement.ts";

/**
 * Lines as one JSON array of arrays, which SQLite reads by json_each. A bigint is written as a bare number of any
 * length: SQLite reads 64 bits exactly, and a STRICT table refuses a longer one.
 */
export const jsonLines = (lines: readonly (readonly Cell[])[]): string =>
  `[${lines.map((line) => `[${line.map((cell) => (typeof cell === "bigint" ? String(cell) : JSON.stringify(cell))).join()}]`).join()}]`;
