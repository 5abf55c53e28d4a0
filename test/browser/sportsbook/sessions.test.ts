/** The sessions of the players in the frame, and the sites that may frame it. */
import test from "ava";
import { type Casino, openCasino, Tab } from "../casino.ts";
import { Sportsbook } from "../sportsbook-page.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

test.serial(
  "a visitor fills a betslip, logs in without losing it, and places it; after the logout the frame is for a visitor again",
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

test.serial("the merchant renews an expired session once, and the bet is placed with the new session", async (t) => {
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
});

test.serial(
  "a bet whose session has expired is not placed for another player who has logged in meanwhile",
  async (t) => {
    const book = await Sportsbook.open(casino, "Ana", "PEN");
    const { page } = book.tab;
    await book.odds("liga-do-sol-3:result:0:home").click();
    await book.stake("5");
    const asked = page.waitForRequest((request) => request.headers()["x-sportsbook-session"] !== undefined);
    await page.getByRole("button", { name: "refreshBalance" }).click();
    const request = await asked;
    // A request that is open when the session expires would renew the session for Ana.
    await request.response();
    const session = request.headers()["x-sportsbook-session"] ?? "";
    const headers = { "content-type": "application/json", "x-sportsbook-session": session };
    t.is((await fetch(`${casino.sportsbook}/control/expire`, { method: "POST", headers, body: "{}" })).status, 200);
    // In another tab of the same browser, another player logs in at the merchant's site.
    await page.request.post(`${casino.url}/api/login`, { data: { merchant: "casa-luna-pen", player: "bruno-pen" } });
    const places: string[] = [];
    page.on(
      "request",
      (request) =>
        void (request.url().endsWith("/api/place") && places.push(request.headers()["x-sportsbook-session"] ?? "")),
    );
    const accounts: (string | undefined)[] = [];
    page.on(
      "response",
      (response) =>
        void (
          response.url().endsWith("/api/account") && accounts.push(response.request().headers()["x-sportsbook-session"])
        ),
    );
    const next = page.waitForResponse((response) => response.url().endsWith("/api/session"));
    await book.place.click();
    const { session_id } = (await (await next).json()) as { session_id: string };
    // The other player is logged in, and the page reads the balance and the bets.
    while (!accounts.includes(session_id)) await page.waitForTimeout(50);
    await book.place.waitFor();
    t.deepEqual(places, [session]);
    t.is(await book.count("onBetPlaced"), 0);
    t.is(await book.frame.locator("#slip-count").textContent(), "1", "the betslip is as it was");
    await book.tab.close();
  },
);

test.serial(
  "if the sportsbook is opened directly with a jwt, it works without a merchant's page, and removes the jwt from its address",
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
    // Uses only the keyboard. When the page is drawn again meanwhile, the focus does not move.
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
    await page.getByText("Apuesta realizada").first().waitFor();
    // A token can be exchanged only once.
    await page.goto(`${casino.sportsbook}/es/?jwt=${token}&brand=casa-luna`);
    await page.getByRole("banner").getByRole("button", { name: "Ingresar" }).waitFor();
    await tab.close();
  },
);

test.serial(
  "only the brand's sites may show the page in a frame; the page of an unknown brand has a message, and no site may show it in a frame",
  async (t) => {
    const policy = async (path: string) =>
      (await fetch(casino.sportsbook + path)).headers.get("content-security-policy") ?? "";
    const [, port = ""] = /Back office +http:\/\/127\.0\.0\.1:(\d+)/.exec(casino.printed) ?? [];
    const framing = (await policy("/en/?brand=casa-luna")).split("frame-ancestors ")[1]?.split(" ").toSorted();
    // The back office previews the brand.
    t.deepEqual(framing, [`http://127.0.0.1:${port}`, `http://localhost:${port}`, casino.url].toSorted());
    t.true((await policy("/?brand=nobody")).endsWith("frame-ancestors 'none'"));
    t.true((await policy("/")).endsWith("frame-ancestors 'none'"));
    const page = await casino.browser.newPage();
    await page.goto(`${casino.sportsbook}/?brand=nobody`);
    await page.getByText("Este site de apostas não está configurado").waitFor();
    await page.close();
  },
);

test.serial(
  "the server refuses requests without a session or with an unknown one, an invalid launch token, and an invalid score",
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
