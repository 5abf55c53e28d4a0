import { readFileSync } from "node:fs";
import test from "ava";
import { generatedFiles } from "../../tools/generate/files.ts";
import { withTable } from "../../tools/generate/table.ts";

test("every generated file, and every generated table in a document or a proto, is up to date", (t) => {
  const files = [...generatedFiles()];
  t.true(files.length > 15);
  for (const [path, text] of files) t.is(readFileSync(path, "utf8"), text, `${path}: run npm run generate`);
});

test("a table replaces the old rows and keeps the text around it, also in the comment of a proto", (t) => {
  const rows = [
    ["status", "reasons"],
    ["INTERNAL", "A, B"],
  ];
  t.is(
    withTable("x\n| status | reasons |\n|--|--|\n| OLD | C |\n\ny\n", rows, "a.md"),
    "x\n| status | reasons |\n|---|---|\n| INTERNAL | A, B |\n\ny\n",
  );
  t.is(
    withTable("// | status | reasons |\n// |---|---|\nservice S {", rows, "a.proto"),
    "// | status | reasons |\n// |---|---|\n// | INTERNAL | A, B |\nservice S {",
  );
});

test("a document without the table, or with two, is an error and not silently left as it is", (t) => {
  const rows = [["status", "reasons"]];
  t.throws(() => withTable("no table", rows, "a.md"), { message: /a\.md must have exactly one table/ });
  t.throws(() => withTable("| status | reasons |\n\n| status | reasons |\n", rows, "a.md"));
});
