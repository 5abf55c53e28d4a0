import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import test from "ava";
import { builtConsole } from "../../console/build/built-console.ts";

/** What a browser loads to show the console in one language, without fonts. */
const GZIP_MAX = 60 * 1024;

test("the console has at most 60 KB in any language, compressed with gzip", async (t) => {
  const assets = join(await builtConsole(), "assets");
  const index = await readFile(join(assets, "../index.html"), "utf8");
  const sizes = new Map<string, number>();
  for (const name of await readdir(assets))
    if ([".js", ".css"].includes(extname(name)))
      sizes.set(name, gzipSync(await readFile(join(assets, name)), { level: 9 }).length);
  // Everything that the page does not name is the texts of a language, of which a browser loads one.
  const sum = [...sizes].filter(([name]) => index.includes(name)).reduce((all, [, size]) => all + size, 0);
  const languages = [...sizes].filter(([name]) => !index.includes(name)).map(([, size]) => size);
  t.is(languages.length, 3, "one file of texts for each language");
  t.log(`${sum} bytes and ${languages.join(", ")} bytes of texts`);
  t.true(sum > 20_000);
  t.true(sum + Math.max(...languages) <= GZIP_MAX, `${sum} + ${Math.max(...languages)} bytes`);
});
