import { gzipSync } from "node:zlib";
import test from "ava";
import { LANGUAGES } from "../../web-renderer/protocol.ts";
import { PAGES } from "./pages.ts";
import { FileScope, openConsole } from "./stage.ts";

/** What a browser loads to show one page of the console in one language, without fonts. */
const GZIP_MAX = 60 * 1024;

test("each page loads at most 60 KB of scripts and styles in any language, compressed with gzip", async (t) => {
  t.timeout(420_000);
  const scope = new FileScope();
  t.teardown(scope.end);
  const stage = await openConsole(scope);
  await stage.world.request("bet", { sessionId: await stage.world.session(), txId: "b1" });
  const sizes = new Map<string, Promise<number>>();
  const sizeOf = async (url: string): Promise<number> => {
    const file = await fetch(url);
    t.true(file.ok, url);
    return gzipSync(await file.bytes(), { level: 9 }).length;
  };
  const weigh = async (language: string): Promise<void> => {
    for (const { address } of PAGES) {
      // A tab of its own has no files of the page before.
      const page = await stage.page(t, "owner", "nowhere");
      const loaded = new Set<string>();
      page.on("request", (request) => {
        if (["script", "stylesheet"].includes(request.resourceType())) loaded.add(request.url());
      });
      await page.goto(`${stage.origin}/console/?lang=${language}#/${address}`);
      await page.locator("h1").waitFor();
      await page.waitForLoadState("networkidle");
      for (const url of loaded) if (!sizes.has(url)) sizes.set(url, sizeOf(url));
      const weights = await Promise.all([...loaded].map((url) => sizes.get(url) ?? 0));
      const sum = weights.reduce((all, size) => all + size, 0);
      await page.context().close();
      t.true(loaded.size >= 3, `${address}: scripts, styles and texts`);
      t.true(sum > 20_000, `${address}: ${sum} bytes`);
      t.true(sum <= GZIP_MAX, `${address} in ${language}: ${sum} bytes`);
      t.log(`${address} in ${language}: ${sum} bytes`);
    }
  };
  await Promise.all(LANGUAGES.map(weigh));
});
