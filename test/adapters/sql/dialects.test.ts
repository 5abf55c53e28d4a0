import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "ava";

const ROOT = "src/adapters/sql";
const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
const textOf = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** For each file of this adapter, the adapter's files that it imports, including imports of types. */
const imports = new Map(
  files.map((file) => {
    const specifiers = [...textOf(file).matchAll(/from "(\.[^"]+)"/g)].map((match) => match[1] as string);
    return [file, specifiers.map((specifier) => join(file, "..", specifier)).filter((path) => !path.startsWith(".."))];
  }),
);

test("only the list of databases imports the folder of a database, and no other code depends on which database is used", (t) => {
  const outside = files.filter((file) => !/^dialects\/.+\//.test(file));
  const importers = outside.filter((file) => imports.get(file)?.some((path) => /^dialects\/.+\//.test(path)));
  t.deepEqual(importers, ["connection/database.ts"]);
  t.deepEqual(
    outside.filter((file) => /dialect(\.name)? (===|!==)|\bdialect\.name\b/.test(textOf(file))),
    [],
  );
});

test("the imports of the SQL adapter form no circle", (t) => {
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at !== -1) circles.push([...path.slice(at), file]);
    if (at !== -1 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  t.true(files.length > 50);
  t.deepEqual(circles, []);
});
