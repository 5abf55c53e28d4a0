/** The README is short, with small pictures, and docs/commands.md lists all commands. */
import { readFileSync, statSync } from "node:fs";
import test from "ava";
import { links, page } from "./markdown.ts";

test("the README has at most 130 lines", (t) => {
  t.true(page("README.md").split("\n").length <= 131);
});

test("the README shows three pictures, each smaller than 200 kB", (t) => {
  const pictures = links(page("README.md")).filter((to) => to.startsWith("docs/pictures/"));
  t.is(pictures.length, 3);
  for (const picture of pictures) t.true(statSync(picture).size < 200_000, picture);
});

test("docs/commands.md has every script of package.json", (t) => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly scripts: Record<string, string> };
  const listed = [...page("docs/commands.md").matchAll(/^\| `npm (?:run )?([\w:-]+)/gm)].map(([, name = ""]) => name);
  t.deepEqual(listed.toSorted(), Object.keys(scripts).toSorted());
});
