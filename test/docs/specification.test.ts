/** The specification's anchors, and the files that cite them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "ava";
import { anchors, ids, page, table } from "./markdown.ts";

const SPECIFICATION = "docs/specification";

/** Every page of the specification with the prefixes of its anchors, as its README lists them. */
const prefixes = new Map(
  table(page(`${SPECIFICATION}/README.md`), "Pages").map((row) => {
    const [, file = ""] = /^\[(.+)\]/.exec(row.page ?? "") ?? [];
    return [file, (row["its anchors begin with"] ?? "").split(", ")] as const;
  }),
);

const FOLDERS = [
  "src",
  "contract",
  "test",
  "testbed",
  "bench",
  "sandbox",
  "web-files",
  "web-renderer",
  "proto",
  "reconcile",
  "certify",
  "tools",
  "docs",
];
const TEXT = /\.(ts|mjs|js|md|proto|json|html|css)$/;

/** Every text of the project, by its path from the project's root. */
function texts(): Map<string, string> {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  const paths = [...readdirSync("."), ...below].filter((path) => TEXT.test(path));
  return new Map(paths.map((path) => [path, readFileSync(path, "utf8")]));
}

test("the specification's README lists every page, with the prefix of the page's anchors", (t) => {
  t.deepEqual([...prefixes.keys()].sort(), readdirSync(SPECIFICATION).sort());
  const all = [...prefixes.values()].flat();
  t.deepEqual(all, [...new Set(all)], "no two pages share a prefix");
});

test("every rule in a list has an anchor, and no page has more than 400 lines", (t) => {
  for (const file of prefixes.keys()) {
    const lines = page(`${SPECIFICATION}/${file}`).split("\n");
    t.deepEqual(
      lines.filter((line) => /^(- |\d+\. )/.test(line) && ids(line).length === 0),
      [],
      file,
    );
    t.true(lines.length <= 400, file);
  }
});

test("an anchor is in kebab case, begins with a prefix of its page, and is unique over all pages", (t) => {
  const all = [...prefixes].flatMap(([file, own]) =>
    ids(page(`${SPECIFICATION}/${file}`)).map((id) => ({ file, id, own })),
  );
  t.true(all.length > 300, "the anchors were found");
  t.deepEqual(
    all.filter(
      ({ id, own }) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(id) || !own.some((prefix) => id.startsWith(`${prefix}-`)),
    ),
    [],
  );
  const names = all.map(({ id }) => id);
  t.deepEqual(
    names.filter((id, i) => names.indexOf(id) !== i),
    [],
  );
});

test("every page and anchor under docs/ that a file of the project cites exists", (t) => {
  const cited = [...texts()].flatMap(([from, text]) =>
    [...text.matchAll(/(?<![\w/.-])(docs\/[\w/.-]+\.md)(?:#([\w-]+))?/g)].map(([, file = "", anchor]) => ({
      from,
      file,
      anchor,
    })),
  );
  t.true(cited.length > 50, "the citations were found");
  t.deepEqual(
    cited.filter(
      ({ file, anchor }) => !existsSync(file) || (anchor !== undefined && !anchors(page(file)).includes(anchor)),
    ),
    [],
  );
});

test("no file cites a document that is not part of the project", (t) => {
  // The names are composed of parts, because otherwise this file would cite them.
  const outside = new RegExp(
    [["service", "md"].join("\\."), ["decisions", "md"].join("\\."), `${"decisions"}(: section|, section)`].join("|"),
  );
  const citing = [...texts()].flatMap(([path, text]) =>
    text.split("\n").flatMap((line, i) => (outside.test(line) ? [`${path}:${i + 1}`] : [])),
  );
  t.deepEqual(citing, []);
});
