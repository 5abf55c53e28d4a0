/** A row of a table: its cells in Markdown. */
export type Row = readonly string[];

export interface Table {
  /** The document, or the proto that has the table in a comment. */
  readonly path: string;
  /** The first row is the header. */
  readonly rows: readonly Row[];
}

/**
 * Puts these rows into the table of the text that has the header `rows[0]`. The table may stand in a comment of a proto.
 *
 * @throws if the text does not have exactly one table with this header.
 */
export function withTable(text: string, rows: readonly Row[], path: string): string {
  const [head = [], ...body] = rows;
  const lines = text.split("\n");
  const starts = lines.flatMap((line, i) => (bare(line) === written(head) ? [i] : []));
  const [start] = starts;
  if (start === undefined || starts.length > 1)
    throw new Error(`${path} must have exactly one table with the header ${written(head)}`);
  const length = lines.slice(start).findIndex((line) => !bare(line).startsWith("|"));
  const indent = /^(?: *\/\/ )?/.exec(lines[start] ?? "")?.[0] ?? "";
  const table = [head, head.map(() => "---"), ...body].map((row, i) => (i === 1 ? `|${row.join("|")}|` : written(row)));
  return [...lines.slice(0, start), ...table.map((line) => indent + line), ...lines.slice(start + length)].join("\n");
}

const bare = (line: string): string => line.replace(/^ *\/\/ /, "");
const written = (row: Row): string => `| ${row.join(" | ")} |`;
