import { readFileSync } from "node:fs";
import test from "ava";
import { generatedFiles } from "../../tools/generate/files.ts";
import { withTable } from "../../tools/generate/table.ts";
import { withLists } from "../../tools/generate/values/list.ts";

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

test("a list of values gets a new value in the form of each place, and a right list stays as it is", (t) => {
  const values = ["day", "game", "type", "player"];
  const corrected = (text: string): string => withLists(text, values, /[a-z]+/);
  for (const right of [
    "`day`, `game`, `type` or `player`",
    '["day", "game", "type", "player"] as const',
    '"day" | "game" | "type" | "player";',
    "  // One of day, game,\n  // type or player.",
  ])
    t.is(corrected(right), right);
  t.is(corrected("`day`, `game` or `player` |"), "`day`, `game`, `type` or `player` |");
  t.is(corrected('["day", "game", "player"] as const'), '["day", "game", "type", "player"] as const');
  t.is(corrected("a day, a game"), "a day, a game");
  t.is(withLists("a: day, b, c; b: day, b, c", ["day", "c", "d"], /[a-z]+/, "b: "), "a: day, b, c; b: day, c, d");
});
