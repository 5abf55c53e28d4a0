import { readFileSync } from "node:fs";

/** The statement of docs/deployment.md that begins with these words. */
export function documented(beginning: string): string {
  const page = readFileSync("docs/deployment.md", "utf8");
  const statement = [...page.matchAll(/```sql\n([^`]*?);\n```/g)].find(([, sql]) => sql?.startsWith(beginning))?.[1];
  if (statement === undefined) throw new Error(`docs/deployment.md has no statement that begins with ${beginning}`);
  return statement;
}
