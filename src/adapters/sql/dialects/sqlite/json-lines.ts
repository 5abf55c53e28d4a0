export type Cell = string | number | bigint | null;

/**
 * Lines as one JSON array of arrays, which SQLite reads by json_each. A bigint is a bare number of any length: SQLite reads 64 bits
 * exactly, and a STRICT table refuses what is longer.
 */
export const jsonLines = (lines: readonly (readonly Cell[])[]): string =>
  `[${lines.map((line) => `[${line.map((cell) => (typeof cell === "bigint" ? String(cell) : JSON.stringify(cell))).join()}]`).join()}]`;
