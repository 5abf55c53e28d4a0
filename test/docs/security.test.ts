import { existsSync, readFileSync } from "node:fs";
import test from "ava";
import { page, table } from "./markdown.ts";

const text = page("docs/security.md");

test("every file that docs/security.md names exists", (t) => {
  const named = [
    ...text.matchAll(/`((?:src|test|testbed|tools|certify|deploy|kits|web-renderer|\.github)\/[^`]+)`/g),
  ].map(([, path = ""]) => path);
  t.true(named.length > 40, "the paths were found");
  t.deepEqual(
    named.filter((path) => !existsSync(path)),
    [],
  );
});

test("docs/security.md covers all ten points of OWASP's list, and names tests for each", (t) => {
  const rows = table(text, "OWASP API Security Top 10 (2023)");
  t.deepEqual(
    rows.map((row) => row[""]?.split(" ")[0]),
    Array.from({ length: 10 }, (_, i) => `API${i + 1}`),
  );
  for (const row of rows) t.regex(row.tests ?? "", /test\//, row[""]);
});

test("docs/security.md has the right number of direct dependencies", (t) => {
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly dependencies: object };
  t.true(text.includes(`${Object.keys(dependencies).length} direct dependencies`));
});
