import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import test from "ava";
import { builtConsole } from "../../console/build/built-console.ts";

/** What a browser loads to show any one page in one language, without fonts. */
const GZIP_MAX = 60 * 1024;
/** Texts of which only the file of that language, or only the file of the plots, has one. */
const LANGUAGES = ["Back office", "Retaguarda", "Administración"];
const PLOT = "u-over";
const PAGES = join(import.meta.dirname, "../../console/app/pages");

test("a page of the console has at most 60 KB in any language, compressed with gzip", async (t) => {
  const assets = join(await builtConsole(), "assets");
  const index = await readFile(join(assets, "../index.html"), "utf8");
  const [start, languages, plots, pages]: number[][] = [[], [], [], []];
  for (const name of await readdir(assets)) {
    if (![".js", ".css"].includes(extname(name))) continue;
    const file = await readFile(join(assets, name));
    const has = (text: string): boolean => file.includes(text);
    const kind = index.includes(name) ? start : LANGUAGES.some(has) ? languages : has(PLOT) ? plots : pages;
    kind?.push(gzipSync(file, { level: 9 }).length);
  }
  const sum = (sizes: number[] = []): number => sizes.reduce((all, size) => all + size, 0);
  const page = sum(start) + Math.max(...(languages ?? [])) + sum(plots) + Math.max(...(pages ?? []));
  const all = sum(start) + Math.max(...(languages ?? [])) + sum(plots) + sum(pages);
  t.log(
    `start ${start}, languages ${languages}, plots ${plots}, pages ${pages}: at most ${page}, all pages ${all} bytes`,
  );
  t.is(languages?.length, 3, "one file of texts for each language");
  t.is(plots?.length, 1, "one file of the library that draws plots");
  t.is(pages?.length, (await readdir(PAGES)).filter((name) => extname(name) === "").length, "one file for each folder");
  t.true(sum(start) > 15_000);
  t.true(page <= GZIP_MAX, `${page} bytes`);
});
