/** The page at the wallet's address: in each of its states, in each language, at each width. */
import { createHmac, randomBytes } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import type { Page } from "playwright-core";
import { accessible } from "./accessible.ts";
import { type Casino, openCasino, Tab } from "./casino.ts";
import { fits } from "./fits.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

async function visit(width = 1280, height = 900, locale = "en-US"): Promise<Page> {
  const context = await casino.browser.newContext({ viewport: { width, height }, reducedMotion: "reduce", locale });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return page;
}

async function look(t: ExecutionContext, page: Page, where: string): Promise<void> {
  await fits(t, page.mainFrame(), where);
  await accessible(t, page.mainFrame(), where);
}

/** Posts a callback as the service does, with the secret that the start printed for the merchant BRL. */
async function post(body: object): Promise<unknown> {
  const text = JSON.stringify(body);
  const [timestamp, nonce] = [String(Date.now()), randomBytes(16).toString("hex")];
  const signed = `${timestamp}.${nonce}.POST.${new URL(casino.wallet).pathname}.${text}`;
  const secret = /Merchant secret +(\S+)/.exec(casino.printed)?.[1] ?? "";
  const headers = {
    "content-type": "application/json",
    "x-merchant-id": "casa-luna-brl",
    "x-timestamp": timestamp,
    "x-nonce": nonce,
    "x-signature": createHmac("sha256", secret).update(signed).digest("hex"),
  };
  return (await fetch(casino.wallet, { method: "POST", body: text, headers })).json();
}

const bet = (tx: string, round: string) => ({
  action: "bet",
  player_id: "ana-brl",
  currency: "BRL",
  provider: "AURORA",
  game: "neon-sevens",
  tx_id: tx,
  round_id: round,
  amount: 12.5,
});

for (const width of [360, 768, 1280, 1440])
  test.serial(
    `at ${width} px the wallet's page fits and is accessible while it loads, when it is empty and after a failure`,
    async (t) => {
      const page = await visit(width);
      let answer: "wait" | "fail" | "pass" = "wait";
      let release = (): void => {};
      await page.route("**/api/ledger", async (route) => {
        if (answer === "wait") await new Promise<void>((resolve) => (release = resolve));
        if (answer === "fail") await route.abort();
        else await route.continue();
      });
      await page.goto(casino.wallet);
      await page.getByText("Reading the ledger").waitFor({ state: "attached" });
      t.true(await page.getByLabel("Currency").isDisabled());
      await look(t, page, "loading");

      answer = "fail";
      release();
      await page.getByRole("alert").getByText("The wallet does not answer").waitFor();
      t.is(await page.locator(".bone").count(), 0);
      await look(t, page, "failed at once");

      answer = "pass";
      await page.getByRole("button", { name: "Try again" }).click();
      await page.locator('[data-player="ana-brl"]').waitFor();
      t.is(await page.getByRole("alert").count(), 0);
      await page.getByLabel("Currency").selectOption("PEN");
      await page.getByText("No transaction yet").waitFor();
      t.is(await page.locator('[data-player="bruno-pen"] .amount').textContent(), "S/\u00a020,000.00");
      await look(t, page, "empty");

      answer = "fail";
      await page.getByText(/The figures are from \d/).waitFor();
      t.true(await page.locator('[data-player="bruno-pen"]').isVisible(), "what was read stays");
      await look(t, page, "stale");
      await page.context().close();
    },
  );

test.serial("the wallet's page shows a new bet and the player's new balance without a reload", async (t) => {
  const page = await visit();
  await page.goto(casino.wallet);
  await page.getByLabel("Currency").selectOption("MXN");
  await page.getByText("No transaction yet").waitFor();
  const tab = await Tab.open(casino);
  await tab.logIn("Ana", "MXN");
  await tab.play("Neon Sevens");
  await tab.spinButton.waitFor();
  await tab.spin();
  const placed = await tab.callback(({ action }) => action === "bet");
  const row = page.locator(`.transactions [data-tx="${placed.tx}"]`);
  await row.waitFor();
  t.regex((await row.textContent()) ?? "", /^Bet by Ana−\$5\.00/);
  // The game has the win of the spin already. Both pages get it a moment later.
  await tab.untilBalance((await tab.game.locator("#balance").textContent()) ?? "");
  const balance = (await tab.balance()).trim();
  await page.locator('[data-player="ana-mxn"] .amount').filter({ hasText: balance }).waitFor();
  t.is(await page.getByRole("link", { name: "Play at the merchant's site" }).getAttribute("href"), casino.url);
  await tab.close();
  await page.context().close();
});

test.serial("the wallet's page shows the text of a callback as text and not as HTML, and long ids fit", async (t) => {
  const page = await visit(360, 780);
  await page.goto(casino.wallet);
  await page.locator('[data-player="ana-brl"]').waitFor();
  const tx = `AURORA:${"x".repeat(110)}`;
  t.like(await post(bet(tx, "<img src=x onerror=alert(1)><b>bold</b>")), { ok: true });
  const row = page.locator(`.transactions [data-tx="${tx}"]`);
  await row.waitFor();
  t.regex((await row.textContent()) ?? "", /round <img src=x onerror=alert\(1\)><b>bold<\/b>/);
  t.is(await row.locator("img, .ids b").count(), 0);
  await look(t, page, "long ids");
  await page.context().close();
});

test.serial(
  "the wallet's page is in the browser's language, or in another language that the reader chooses",
  async (t) => {
    const page = await visit(390, 844, "pt-BR");
    await page.goto(casino.wallet);
    await page.getByRole("heading", { level: 1, name: "A carteira dos operadores" }).waitFor();
    await page.locator('[data-player="ana-brl"]').waitFor();
    await look(t, page, "Portuguese");
    await page.getByRole("link", { name: "Español" }).click();
    await page.getByRole("heading", { level: 1, name: "La billetera de los operadores" }).waitFor();
    t.is(await page.locator("html").getAttribute("lang"), "es");
    await page.locator('[data-player="ana-brl"]').waitFor();
    await look(t, page, "Spanish");
    await page.context().close();
  },
);

test.serial(
  "the wallet's page sends requests only to its own host, logs no error, contains no secret, and its server answers only GET",
  async (t) => {
    const page = await visit();
    const hosts = new Set<string>();
    const complaints: string[] = [];
    page.on("request", (request) => hosts.add(new URL(request.url()).host));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(casino.wallet);
    await page.locator('[data-player="ana-brl"]').waitFor();
    t.deepEqual([...hosts], [new URL(casino.wallet).host]);
    t.deepEqual(complaints, []);
    const secret = /Merchant secret +(\S+)/.exec(casino.printed)?.[1] ?? "";
    t.true(secret.startsWith("sk_"));
    t.false((await page.content()).includes(secret));
    t.false((await (await fetch(new URL("/api/ledger", casino.wallet))).text()).includes("sk_"));
    const put = await fetch(casino.wallet, { method: "PUT" });
    t.deepEqual([put.status, put.headers.get("allow")], [405, "GET, HEAD, POST"]);
    t.is((await fetch(new URL("/api/session", casino.wallet))).status, 404, "the merchant's own calls are not here");
    await page.context().close();
  },
);
