/** The requests and bytes of the first load of the embedded sportsbook. */
import test from "ava";
import { Network } from "../../../testbed/browser/network.ts";
import { type Casino, openCasino } from "../casino.ts";
import { Sportsbook } from "../sportsbook-page.ts";

const REQUESTS_MAX = 10;
const BYTES_MAX = 100_000;

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

test.serial("a player's first visit needs at most 10 requests and 100 kB", async (t) => {
  const book = await Sportsbook.open(casino, "Ana", "BRL");
  const { page } = book.tab;
  const network = await Network.watch(page);
  await network.forget();
  await page.reload();
  await book.heard("onAppInitialized");
  await book.frame.locator("#balance").filter({ hasNotText: "…" }).waitFor();
  await book.odds("copa-austral-1:result:0:home").waitFor();
  // The page, its script, its styles and its fonts. Then the page has a second for requests that it should not make.
  while (network.to(casino.sportsbook).filter(({ bytes }) => bytes > 5_000).length < 4) await page.waitForTimeout(50);
  await page.waitForTimeout(1_000);
  const loaded = network.to(casino.sportsbook);
  const bytes = loaded.reduce((sum, one) => sum + one.bytes, 0);
  const list = loaded.map((one) => `${one.bytes} ${one.url.pathname}`).join(", ");
  t.log(`${loaded.length} requests, ${bytes} bytes: ${list}`);
  t.true(
    loaded.every(({ fromCache }) => !fromCache),
    "nothing came from the cache",
  );
  t.true(loaded.length <= REQUESTS_MAX, list);
  t.true(bytes <= BYTES_MAX, list);
  await book.tab.close();
});

test.serial("a second visit takes every file whose name contains a hash from the cache", async (t) => {
  const book = await Sportsbook.open(casino, "Ana", "MXN");
  const { page } = book.tab;
  const network = await Network.watch(page);
  await page.goto("about:blank");
  await page.goto(`${casino.url}#/sportsbook`);
  await book.heard("onAppInitialized");
  const named = () => network.to(casino.sportsbook).filter(({ url }) => /^\/[0-9a-f]{20}\./.test(url.pathname));
  while (named().length < 3) await page.waitForTimeout(50);
  t.deepEqual(
    named()
      .filter(({ fromCache }) => !fromCache)
      .map(({ url }) => url.pathname),
    [],
  );
  await book.tab.close();
});
