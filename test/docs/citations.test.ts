import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "ava";
import { page, table } from "./markdown.ts";

const FOLDERS = ["src", "sandbox", "test", "tools", "bench"];

/** The numbered sections that comments of the code cite, as in "(decisions: section 4, Wallet HTTP)". */
function citedSections(): Set<string> {
  const files = FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)));
  const code = files.filter((file) => file.endsWith(".ts") && !file.startsWith(join("test", "docs")));
  return new Set(code.flatMap((file) => [...readFileSync(file, "utf8").matchAll(/decisions: section (\d+)/g)].map(([, number = ""]) => number)));
}

test("every section that comments cite has its place in docs/specification", (t) => {
  const cited = citedSections();
  t.true(cited.has("4"), "the citations were found");
  const placed = table(page("docs/specification/README.md"), "Citations in the code").flatMap(
    (row) => /decisions: section ([\d, ]+)/.exec(row["cited as"] ?? "")?.[1]?.split(", ") ?? [],
  );
  t.deepEqual(
    [...cited].filter((number) => !placed.includes(number)),
    [],
  );
});
