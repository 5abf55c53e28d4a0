import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import type { Edit, Mutant } from "./mutant.ts";

const SOURCES = new URL("../../../src/", import.meta.url);

/** After this call, the mutant's files are loaded with its edits. Call it before any file under test is imported. */
export function plant(mutant: Mutant): void {
  const edits = Map.groupBy(mutant.edits, (edit) => new URL(edit.file, SOURCES).href);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const here = edits.get(url);
      return here === undefined ? loaded : { ...loaded, source: here.reduce(apply, String(loaded.source)) };
    },
  });
}

/** Throws when one of the mutant's edits no longer fits its file. */
export function assertFits(mutant: Mutant): void {
  for (const [file, edits] of Map.groupBy(mutant.edits, (edit) => edit.file))
    edits.reduce(apply, readFileSync(new URL(file, SOURCES), "utf8"));
}

function apply(source: string, { file, find, replace }: Edit): string {
  const pattern = patternOf(find);
  const matches = source.match(pattern)?.length ?? 0;
  if (matches !== 1) throw new Error(`${file} has ${matches} places for this mutant's edit: ${find}`);
  return source.replace(pattern, () => replace);
}

/**
 * A pattern for the same tokens in this order, with any line breaks. The formatter may also add a comma before a
 * closing bracket.
 */
function patternOf(find: string): RegExp {
  const tokens = find.trim().match(/\w+|[^\s\w]/g) ?? [];
  const patterns = tokens.map((token) =>
    /[)\]}]/.test(token) ? `,?\\s*${RegExp.escape(token)}` : RegExp.escape(token),
  );
  return new RegExp(patterns.join("\\s*"), "g");
}
