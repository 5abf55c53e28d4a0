import test from "ava";
import { page as textOf } from "../docs/markdown.ts";
import { accessible } from "./accessible.ts";
import { type Casino, openCasino, Tab } from "./casino.ts";
import { fits } from "./fits.ts";
import { Sportsbook } from "./sportsbook-page.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

async function finish(event: string, home: number, away: number): Promise<unknown> {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ event, home, away }),
  };
  return (await fetch(`${casino.sportsbook}/control/finish`, init)).json();
}

interface Placed {
  readonly betIds: string[];
  readonly stake: number;
}

for (const { currency, amount, stake, wire, match } of [
  { currency: "BRL", amount: "12,50", stake: 1_250, wire: 12.5, match: "copa-austral-1" },
  { currency: "CLP", amount: "2001", stake: 2_001, wire: 2_001, match: "copa-austral-2" },
]) {
  test.serial(
    `${currency}: a bet in the frame is debited, the page hears of it in minor units, and its win is credited`,
    async (t) => {
      const book = await Sportsbook.open(casino, "Ana", currency);
      await book.odds(`${match}:result:0:home`).click();
      t.deepEqual(await book.heard("onBetslipChanged"), [{ count: 1 }]);
      await book.stake(amount);
      const promised = await book.promised();
      const odds = Number(await book.odds(`${match}:result:0:home`).locator(".price").textContent());
      await book.place.click();
      await book.frame.getByText("Bet placed").first().waitFor();

      const [placed] = await book.heard<Placed>("onBetPlaced");
      const bet = await book.tab.callback(({ action }) => action === "bet");
      t.like(bet, { verdict: "Accepted", amount: wire, signed: true });
      t.is(placed?.stake, stake);
      t.is(bet.tx, `SPORTSBOOK:bet-${placed?.betIds[0]}`);
      t.is(
        await book.frame.locator("#balance").textContent(),
        await book.tab.balance(),
        "both show the wallet's balance",
      );

      t.deepEqual(await finish(match, 3, 0), { finished: true });
      const win = await book.tab.callback(({ action }) => action === "win");
      const scale = currency === "CLP" ? 1 : 100;
      const paid = Math.floor((stake * Math.round(odds * 100)) / 100);
      t.like(win, { verdict: "Accepted", amount: paid / scale });
      await book.heard<{ amount: number; currency: string }>(
        "onBalanceChange",
        ([change]) => change?.currency === currency && change.amount > paid,
      );
      await book.frame
        .locator("#balance")
        .filter({ hasText: await book.tab.balance() })
        .waitFor();

      await book.frame.getByRole("link", { name: "My bets" }).first().click();
      await book.heard("onRouteChange", ([path]) => path === "/bets");
      await book.frame.getByRole("radio", { name: /Settled/ }).check();
      const card = book.frame.locator(`[data-bet="${placed?.betIds[0]}"][data-status="won"]`);
      await card.waitFor();
      t.true((await card.textContent())?.includes(promised), "what the betslip promised is what was paid");
      await book.tab.close();
    },
  );
}

test.serial(
  "an accumulator is one bet; a void leg returns its stake as a win, a lost bet brings nothing",
  async (t) => {
    const book = await Sportsbook.open(casino, "Bruno", "USD");
    for (const id of ["coast-premier-1:result:0:home", "liga-andina-1:result:0:away"]) await book.odds(id).click();
    t.true(await book.frame.getByRole("radio", { name: "Accumulator" }).isChecked());
    await book.stake("10");
    await book.place.click();
    const [accumulator] = await book.heard<Placed>("onBetPlaced");
    t.is(accumulator?.betIds.length, 1);

    await book.frame.getByRole("button", { name: "Done" }).click();
    await book.tab.page.getByRole("textbox", { name: "Route" }).fill("/event/coast-premier-1");
    await book.tab.page.getByRole("button", { name: "navigate" }).click();
    await book.odds("coast-premier-1:draw_no_bet:0:home").click();
    await book.stake("20");
    await book.place.click();
    const [single] = await book.heard<Placed>("onBetPlaced", ([placed]) => placed?.stake === 2_000);

    await finish("coast-premier-1", 1, 1);
    t.like(await book.tab.callback(({ action }) => action === "win"), { verdict: "Accepted", amount: 20 });
    await finish("liga-andina-1", 0, 1);
    await book.frame.getByRole("link", { name: "My bets" }).first().click();
    await book.frame.getByRole("radio", { name: /Settled/ }).check();
    await book.frame.locator(`[data-bet="${single?.betIds[0]}"][data-status="void"]`).waitFor();
    await book.frame.locator(`[data-bet="${accumulator?.betIds[0]}"][data-status="lost"]`).waitFor();
    t.deepEqual(
      (await book.tab.callbacks()).map(({ action }) => action).filter((action) => action !== "balance"),
      ["win", "bet", "bet"],
    );
    await book.tab.close();
  },
);

test.serial(
  "who has too little deposits at the merchant's, and the sportsbook sees it; who is blocked is told so",
  async (t) => {
    const poor = await Sportsbook.open(casino, "Carla", "BRL");
    await poor.odds("liga-do-sol-1:result:0:home").click();
    await poor.stake("50");
    await poor.frame.getByText("Your balance does not cover this stake.").waitFor();
    t.true(await poor.place.isDisabled());
    await poor.frame.locator("#slip").getByRole("button", { name: "Deposit" }).click();
    await poor.heard("onRecharge");
    await poor.heard<{ amount: number }>("onBalanceChange", ([change]) => change?.amount === 50_500);
    await poor.place.click();
    await poor.heard<Placed>("onBetPlaced", ([placed]) => placed?.stake === 5_000);
    await poor.tab.close();

    const blocked = await Sportsbook.open(casino, "Diego", "BRL");
    await blocked.odds("liga-do-sol-1:result:0:home").click();
    await blocked.stake("5");
    await blocked.place.click();
    await blocked.frame.getByText("Your account does not take bets at the moment.").waitFor();
    t.is(await blocked.count("onBetPlaced"), 0);
    t.is((await blocked.tab.callback(({ action }) => action === "bet")).verdict, "PLAYER_BLOCKED");
    await blocked.tab.close();
  },
);

test.serial("a wallet whose reply is lost: the slip fails, the page says so, and the stake is back", async (t) => {
  const book = await Sportsbook.open(casino, "Bruno", "COP");
  const before = await book.tab.balance();
  await book.odds("liga-andina-3:result:0:home").click();
  await book.stake("7000");
  await book.tab.setWallet("Reply lost");
  await book.place.click();
  t.is((await book.tab.callback(({ action }) => action === "bet")).verdict, "No answer");
  t.not(await book.tab.balance(), before, "the money has moved");
  await book.tab.setWallet("Healthy");
  t.is((await book.tab.callback(({ action, verdict }) => action === "refund" && verdict === "Accepted")).amount, 7_000);
  await book.frame.getByText("The bet was not taken").waitFor();
  await book.frame.locator("#balance").filter({ hasText: before }).waitFor();
  t.is(await book.tab.balance(), before);
  t.is(await book.count("onBetPlaced"), 0);
  await book.tab.close();
});

test.serial(
  "a visitor fills a betslip, logs in over it, and places it; after the logout the frame is a visitor's again",
  async (t) => {
    const tab = await Tab.open(casino);
    await tab.page.getByRole("link", { name: "Visit the sportsbook first" }).click();
    const book = new Sportsbook(tab);
    await book.odds("liga-do-sol-2:result:0:draw").click();
    await book.frame.locator("#slip").getByRole("button", { name: "Sign up" }).click();
    await book.heard("onRegister");
    await tab.page.getByRole("button", { name: "Not now" }).click();
    await book.frame.locator("#slip").getByRole("button", { name: "Log in" }).click();
    await book.heard("onLogin");
    await tab.page.getByRole("button", { name: "Enter the casino" }).click();
    await book.frame.locator("#balance").filter({ hasNotText: "…" }).waitFor();
    t.is(await book.frame.locator("#slip-count").textContent(), "1", "the betslip is as it was");
    await book.stake("5");
    await book.place.click();
    await book.heard("onBetPlaced");
    await tab.page.getByRole("button", { name: "Log out" }).click();
    await book.frame.getByRole("banner").getByRole("button", { name: "Log in" }).waitFor();
    t.is(await book.frame.locator("#balance").count(), 0);
    await tab.close();
  },
);

test.serial(
  "a session that is over is renewed by the merchant, once, and the bet is placed with the new one",
  async (t) => {
    const book = await Sportsbook.open(casino, "Bruno", "PEN");
    const sessions: string[] = [];
    book.tab.page.on("request", (request) => {
      const session = request.headers()["x-sportsbook-session"];
      if (session !== undefined && sessions.at(-1) !== session) sessions.push(session);
    });
    await book.frame.getByRole("link", { name: "My bets" }).first().click();
    await book.frame.getByText("No open bets").waitFor();
    t.is(sessions.length, 1);
    const ended = await fetch(`${casino.sportsbook}/control/expire`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-sportsbook-session": sessions[0] ?? "" },
      body: "{}",
    });
    t.is(ended.status, 200);
    await book.frame.getByRole("link", { name: "Sports" }).first().click();
    await book.odds("liga-do-sol-3:result:0:home").click();
    await book.stake("5");
    await book.place.click();
    await book.heard("onBetPlaced");
    t.is(await book.count("onTokenExpired"), 1);
    t.is(sessions.length, 2);
    t.like(await book.tab.callback(({ action }) => action === "bet"), { verdict: "Accepted", amount: 5 });
    await book.tab.close();
  },
);

test.serial("a bet whose session is over is not placed for another player who logged in meanwhile", async (t) => {
  const book = await Sportsbook.open(casino, "Ana", "PEN");
  const { page } = book.tab;
  await book.odds("liga-do-sol-3:result:0:home").click();
  await book.stake("5");
  const asked = page.waitForRequest((request) => request.headers()["x-sportsbook-session"] !== undefined);
  await page.getByRole("button", { name: "refreshBalance" }).click();
  const session = (await asked).headers()["x-sportsbook-session"] ?? "";
  const headers = { "content-type": "application/json", "x-sportsbook-session": session };
  t.is((await fetch(`${casino.sportsbook}/control/expire`, { method: "POST", headers, body: "{}" })).status, 200);
  // Another tab of the merchant's site, the same browser.
  await page.request.post(`${casino.url}/api/login`, { data: { merchant: "casa-luna-pen", player: "bruno-pen" } });
  const places: string[] = [];
  page.on(
    "request",
    (request) =>
      void (request.url().endsWith("/api/place") && places.push(request.headers()["x-sportsbook-session"] ?? "")),
  );
  const next = page.waitForResponse((response) => response.url().endsWith("/api/session"));
  await book.place.click();
  const { session_id } = (await (await next).json()) as { session_id: string };
  // The other player is in, and asks for the balance and the bets.
  await page.waitForResponse(
    (response) =>
      response.url().endsWith("/api/account") && response.request().headers()["x-sportsbook-session"] === session_id,
  );
  await book.place.waitFor();
  t.deepEqual(places, [session]);
  t.is(await book.count("onBetPlaced"), 0);
  t.is(await book.frame.locator("#slip-count").textContent(), "1", "the betslip is as it was");
  await book.tab.close();
});

test.serial(
  "a slip whose reply is lost is asked for again as it was, also when the odds have changed since: it never becomes two",
  async (t) => {
    const book = await Sportsbook.open(casino, "Ana", "ARS");
    const { page } = book.tab;
    const places: { slip_id: string; bets: { stake_minor: number }[] }[] = [];
    let replies = "lost";
    await page.route("**/api/place", async (route) => {
      places.push(route.request().postDataJSON());
      const response = await route.fetch();
      return replies === "lost" ? route.abort() : route.fulfill({ response });
    });
    await page.route("**/api/board?*", async (route) => {
      const response = await route.fetch();
      const board = (await response.json()) as { selections: { odds: number }[] };
      for (const selection of board.selections) if (places.length > 0) selection.odds--;
      await route.fulfill({ response, json: board });
    });
    await book.odds("liga-do-sol-2:result:0:away").click();
    await book.stake("500");
    await book.place.click();
    await book.frame.getByRole("button", { name: "Accept new odds" }).click();
    replies = "told";
    await book.place.click();
    await book.frame.getByText("Bet placed").first().waitFor();
    t.is(places.length, 2);
    t.deepEqual(places[1], places[0]);
    await book.frame.getByRole("button", { name: "Done" }).click();
    t.is(await book.frame.locator("#slip .line").count(), 0, "the selection was placed");

    // Never taken, and refused when it is asked for: then what is in the betslip now is placed.
    places.length = 0;
    await page.unroute("**/api/place");
    await page.route("**/api/place", (route) => {
      places.push(route.request().postDataJSON());
      if (places.length === 1)
        return route.fulfill({ status: 500, json: { error: { code: "INTERNAL_ERROR", message: "" } } });
      if (places.length === 2)
        return route.fulfill({ status: 409, json: { error: { code: "ODDS_CHANGED", message: "" } } });
      return route.continue();
    });
    await page.unroute("**/api/board?*");
    await book.odds("liga-do-sol-4:result:0:home").click();
    await book.stake("500");
    await book.place.click();
    await book.frame.getByText("the bet may stand or not").waitFor();
    await book.stake("700");
    await book.place.click();
    await book.heard<Placed>("onBetPlaced", ([placed]) => placed?.stake === 70_000);
    t.deepEqual(places[1], places[0]);
    t.is(places[2]?.bets[0]?.stake_minor, 70_000);
    t.not(places[2]?.slip_id, places[0]?.slip_id);
    t.is((await book.tab.callbacks()).filter(({ action }) => action === "bet").length, 2);
    await book.tab.close();
  },
);

test.serial(
  "theme, layout, language and odds change live; a kill removes the frame, and another initialize brings it back",
  async (t) => {
    const book = await Sportsbook.open(casino, "Ana", "MXN");
    const look = () =>
      book.frame
        .locator("html")
        .evaluate((html) => ["data-theme", "data-layout", "lang"].map((name) => html.getAttribute(name)));
    t.deepEqual(await look(), ["lilac-plum", "sidebar", "en"], "the brand's, in the launch's language");
    const price = book.odds("liga-do-sol-1:result:0:home").locator(".price");
    const decimal = Number(await price.textContent());
    for (const [label, value] of [
      ["Theme", "navy-light"],
      ["Layout", "classic"],
      ["Language", "es"],
      ["Odds", "american"],
    ] as const) {
      await book.tab.page.getByLabel(label, { exact: true }).selectOption(value);
    }
    await book.frame.getByRole("link", { name: "Mis apuestas" }).first().waitFor();
    t.deepEqual(await look(), ["navy-light", "classic", "es"]);
    const american = decimal >= 2 ? `+${Math.round(decimal * 100 - 100)}` : `-${Math.round(100 / (decimal - 1))}`;
    t.is(await price.textContent(), american);
    await book.tab.page.getByRole("button", { name: "kill" }).click();
    await book.tab.page.locator("iframe").waitFor({ state: "detached" });
    await book.tab.page.getByRole("button", { name: "initialize" }).click();
    await book.frame.locator("#balance").waitFor();
    await book.tab.close();
  },
);

test.serial("every page fits and is accessible, in each layout, wide and at 360 px", async (t) => {
  const book = await Sportsbook.open(casino, "Ana", "COP");
  const look = async (path: string, until: string, where: string) => {
    await book.inner().evaluate((to) => (location.hash = to), path);
    await book.frame.locator(until).first().waitFor();
    await fits(t, book.inner(), `${where}: ${path}`);
    await accessible(t, book.inner(), `${where}: ${path}`);
  };
  for (const id of ["liga-do-sol-4:result:0:home", "liga-andina-4:result:0:away"]) await book.odds(id).click();
  for (const [layout, theme, wide, narrow] of [
    ["sidebar", "mint-carbon", "/", "/league/liga-do-sol"],
    ["classic", "coral-light", "/league/liga-andina", "/bets"],
    ["tile", "canary-plum", "/live", "/event/liga-do-sol-4"],
  ] as const) {
    await book.tab.page.getByLabel("Layout", { exact: true }).selectOption(layout);
    await book.tab.page.getByLabel("Theme", { exact: true }).selectOption(theme);
    await book.frame.locator(`html[data-layout="${layout}"][data-theme="${theme}"]`).waitFor();
    // A colour on its way from one theme to the next is nobody's to judge.
    await book.inner().waitForFunction(() => !document.getAnimations().some((one) => one instanceof CSSTransition));
    await book.tab.page.setViewportSize({ width: 1800, height: 1000 });
    await look(wide, "main .odds", `${layout}, wide`);
    await book.tab.page.setViewportSize({ width: 360, height: 1000 });
    await look(narrow, "main .odds, main .notice", `${layout} at 360 px`);
    await book.frame.getByRole("button", { name: /^\d? ?Betslip/ }).click();
    await book.frame.locator("#slip.open").waitFor();
    await accessible(t, book.inner(), `${layout}: the betslip's sheet`);
    await book.frame.locator("#slip .close").click();
  }
  await accessible(t, book.tab.page.mainFrame(), "the merchant's page");
  await fits(t, book.tab.page.mainFrame(), "the merchant's page");
  await book.tab.close();
});

test.serial(
  "opened directly with a jwt, it plays without a merchant's page, and the address forgets the jwt at once",
  async (t) => {
    const tab = await Tab.open(casino);
    await tab.logIn("Bruno", "ARS");
    await tab.page.getByRole("link", { name: "Open the sportsbook" }).click();
    await tab.game.locator("#balance").filter({ hasText: /\d/ }).waitFor();
    const token = await tab.page.evaluate(async () => {
      const reply = await fetch("/api/sportsbook/token", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      return ((await reply.json()) as { token: string }).token;
    });
    const { page } = tab;
    await page.goto(`${casino.sportsbook}/es/?jwt=${token}&brand=casa-luna`);
    await page.locator("#balance").filter({ hasText: /\d/ }).waitFor();
    t.is(page.url(), `${casino.sportsbook}/es/?brand=casa-luna`);
    t.is(await page.locator("html").getAttribute("lang"), "es");
    t.deepEqual(
      (await page.context().cookies()).map(({ name }) => name),
      ["sandbox_merchant"],
      "the merchant's alone",
    );
    // By keyboard alone; what is drawn anew meanwhile leaves the focus where it is.
    const odds = page.locator('[data-id="liga-do-sol-2:result:0:home"]').first();
    await odds.press("Enter");
    await page.locator("#slip .line").waitFor();
    t.true(
      await odds.evaluate(
        (button) => button === document.activeElement && button.getAttribute("aria-pressed") === "true",
      ),
    );
    const stake = page.locator("#slip input[data-input]");
    await stake.pressSequentially("500");
    t.is(await stake.inputValue(), "500");
    await stake.press("Enter");
    await page.getByText("Apuesta hecha").first().waitFor();
    // A token is good for one exchange.
    await page.goto(`${casino.sportsbook}/es/?jwt=${token}&brand=casa-luna`);
    await page.getByRole("banner").getByRole("button", { name: "Ingresar" }).waitFor();
    await tab.close();
  },
);

test.serial("only the brand's sites may frame it; an unknown brand's page nobody, and it says so", async (t) => {
  const policy = async (path: string) =>
    (await fetch(casino.sportsbook + path)).headers.get("content-security-policy") ?? "";
  t.true((await policy("/en/?brand=casa-luna")).endsWith(`frame-ancestors ${casino.url}`));
  t.true((await policy("/?brand=nobody")).endsWith("frame-ancestors 'none'"));
  t.true((await policy("/")).endsWith("frame-ancestors 'none'"));
  const page = await casino.browser.newPage();
  await page.goto(`${casino.sportsbook}/?brand=nobody`);
  await page.getByText("Este sportsbook não está configurado").waitFor();
  await page.close();
});

test.serial(
  "no request of a page can name what is not its own: slips out of form, foreign ids, no session",
  async (t) => {
    const post = async (path: string, body: unknown, session?: string) => {
      const headers = {
        "content-type": "application/json",
        ...(session === undefined ? {} : { "x-sportsbook-session": session }),
      };
      const reply = await fetch(casino.sportsbook + path, { method: "POST", headers, body: JSON.stringify(body) });
      return [reply.status, ((await reply.json()) as { error?: { code: string } }).error?.code];
    };
    t.deepEqual(await post("/api/place", {}), [401, "LOGGED_OUT"]);
    t.deepEqual(await post("/api/balance", {}, "0".repeat(32)), [401, "SESSION_NOT_FOUND"]);
    t.deepEqual(await post("/api/session", { token: "no.such.token" }), [401, "TOKEN_INVALID"]);
    t.deepEqual(await post("/control/finish", { event: "liga-do-sol-1", home: -1, away: 0 }), [
      422,
      "VALIDATION_ERROR",
    ]);
  },
);

test.serial("theme, layout, language and odds of a visitor are the brand's, as they are set up now", async (t) => {
  const [, internal = ""] = /Connect and \/metrics (\S+)/.exec(casino.printed) ?? [];
  const [, key = ""] = /Admin key +(\S+)/.exec(casino.printed) ?? [];
  t.is(key, casino.adminKey);
  const change = {
    code: "casa-luna",
    theme: "red-navy",
    layout: "tile",
    defaultLanguage: "es-CL",
    settings: { odds: "fractional" },
  };
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const set = await fetch(`${internal}/aggregator.admin.v1.BrandAdminService/SetBrand`, {
    method: "POST",
    headers,
    body: JSON.stringify(change),
  });
  t.is(set.status, 200, await set.text());
  const page = await casino.browser.newPage();
  const html = page.locator('html[data-theme="red-navy"][data-layout="tile"][lang="es"]');
  // A change acts within a second, and the sportsbook asks again after two.
  for (let looks = 0; looks < 40 && (await html.count()) === 0; looks++) {
    await page.goto(`${casino.sportsbook}/?brand=casa-luna`);
    await page.locator("main .odds").first().waitFor();
    await page.waitForTimeout(250);
  }
  t.is(await html.count(), 1);
  t.regex((await page.locator("main .price").first().textContent()) ?? "", /^\d+\/\d+$/);
  await page.goto(`${casino.sportsbook}/pt/?brand=casa-luna#/bets`);
  await page.getByRole("heading", { name: "Minhas apostas" }).waitFor();
  await page.close();
});

test("README shows what npm start prints", (t) => {
  const documented = /^Open http.*?nothing is kept\.$/ms.exec(textOf("README.md"))?.[0] ?? "";
  const plain = (text: string) =>
    text
      .replaceAll(/:\d{4,5}\b/g, ":PORT")
      .replaceAll(/sk_[\w-]{43}/g, "SECRET")
      .replaceAll(/[\w+/-]{43}=?(?=\s)/g, "KEY");
  t.is(plain(/^Open http.*?nothing is kept\.$/ms.exec(casino.printed)?.[0] ?? ""), plain(documented));
});
