/** The page gets new odds over one connection, without further requests. */
import test from "ava";
import type { Page } from "playwright-core";
import { type Casino, openCasino } from "../casino.ts";
import { Sportsbook } from "../sportsbook-page.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

const setOdds = (selection: string, odds: number) =>
  fetch(`${casino.sportsbook}/control/odds`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ selection, odds }),
  });

/**
 * The page's requests to the sportsbook from now on. Requests for the balance are left out: the page repeats one that
 * fails on a busy machine, which has nothing to do with odds.
 */
function requestsOf(page: Page): URL[] {
  const requests: URL[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin === casino.sportsbook && url.pathname !== "/api/balance") requests.push(url);
  });
  return requests;
}

test.serial("odds change on the board and in the betslip without a request of the page", async (t) => {
  const book = await Sportsbook.open(casino, "Ana", "BRL");
  const requests = requestsOf(book.tab.page);
  const [first, second] = ["copa-austral-1:result:0:home", "copa-austral-1:result:0:away"] as const;
  await book.odds(first).click();
  for (const odds of [777, 778, 779]) {
    await setOdds(first, odds);
    await setOdds(second, odds + 100);
    await book
      .odds(first)
      .filter({ hasText: `7.${odds - 700}` })
      .waitFor();
    await book
      .odds(second)
      .filter({ hasText: `8.${odds - 700}` })
      .waitFor();
    await book.frame
      .locator("#slip .line")
      .filter({ hasText: `7.${odds - 700}` })
      .waitFor();
  }
  await book.tab.page.waitForTimeout(5_000);
  t.deepEqual(requests.map(String), []);
  await book.tab.close();
});

test.serial(
  "one connection gets the changes of the open match and of a selection that the board does not show",
  async (t) => {
    const book = await Sportsbook.open(casino, "Ana", "MXN");
    const requests = requestsOf(book.tab.page);
    const selection = "copa-austral-2:both_score:0:yes";
    await book.frame.locator('a[data-path="/event/copa-austral-2"]').first().click();
    await book.odds(selection).click();
    await setOdds(selection, 555);
    await book.odds(selection).filter({ hasText: "5.55" }).waitFor();
    await book.frame.locator('a[data-path="/"]').first().click();
    await book.odds("copa-austral-1:result:0:home").waitFor();
    await setOdds(selection, 566);
    await book.frame.locator("#slip .line").filter({ hasText: "5.66" }).waitFor();
    t.deepEqual(
      requests.map(({ pathname, searchParams }) => [pathname, searchParams.get("follow")]),
      [["/api/board", "copa-austral-2"]],
    );
    await book.tab.close();
  },
);

test.serial("after a gap the page continues after its last message, and shows the present odds", async (t) => {
  const book = await Sportsbook.open(casino, "Ana", "PEN");
  const context = book.tab.page.context();
  const selection = "copa-austral-3:result:0:home";
  await setOdds(selection, 611);
  await book.odds(selection).filter({ hasText: "6.11" }).waitFor();
  await context.setOffline(true);
  await book.frame.locator(`main .odds[data-id="${selection}"]:disabled`).first().waitFor();
  await setOdds(selection, 622);
  const requests = requestsOf(book.tab.page);
  const answered = book.tab.page.waitForResponse((response) => response.url().includes("/api/board"));
  await context.setOffline(false);
  t.is((await answered).headers()["content-type"], "text/event-stream; charset=utf-8");
  await book.odds(selection).filter({ hasText: "6.22" }).waitFor();
  t.false(await book.odds(selection).isDisabled());
  t.deepEqual(
    requests.map(({ pathname }) => pathname),
    ["/api/board"],
  );
  t.regex(requests[0]?.searchParams.get("after") ?? "", /^[0-9a-f]{8}-\d+$/);
  await book.tab.close();
});
