import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import test from "ava";
import { anchors, linked, links, page, pages } from "./markdown.ts";

test("every link between the pages leads to an existing file, and to an existing heading or anchor", (t) => {
  const all = pages().flatMap((from) => links(page(from)).map((to) => ({ from, to })));
  t.true(all.length > 30, "the links were found");
  const broken = all.filter(({ from, to }) => {
    const [path = "", anchor] = to.split("#");
    const target = linked(from, path === "" ? basename(from) : path);
    if (!existsSync(target)) return true;
    return anchor !== undefined && target.endsWith(".md") && !anchors(readFileSync(target, "utf8")).includes(anchor);
  });
  t.deepEqual(broken, []);
});

test("no page has two headings or anchors with the same name, because a link could not distinguish them", (t) => {
  // The changelog is left out, because it repeats its headings in each version, and no link leads to them.
  for (const path of pages().filter((one) => basename(one) !== "CHANGELOG.md")) {
    const names = anchors(page(path));
    t.deepEqual(names, [...new Set(names)], path);
  }
});
