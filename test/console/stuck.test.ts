/** Tests the page of stuck money: when nothing is stuck, each kind, filters, export, failures, roles, hostile names. */
import { readFile } from "node:fs/promises";
import test, { type ExecutionContext } from "ava";
import type { Page } from "playwright-core";
import { ACTS_OF, KINDS } from "../../console/app/pages/stuck/types.ts";
import { NEVER } from "../../src/domain/transaction/transaction.ts";
import { allNumbered } from "../../testbed/database/numbered.ts";
import { accessible } from "../browser/accessible.ts";
import { fits } from "../browser/fits.ts";
import { type Console, FileScope, MERCHANT, openConsole } from "./stage.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const HOSTILE = `<img src=x onerror="document.title='owned'">`;
/** A spreadsheet would take this player for a formula. */
const FORMULA = '=HYPERLINK("x")';

const scope = new FileScope();
let stage: Console;

test.before(async () => {
  stage = await openConsole(scope);
});
test.after.always(scope.end);

test.serial("without owed and stuck money the page says so", async (t) => {
  const page = await stage.page(t, "viewer", "stuck");
  await page.getByText("Nothing is owed or stuck").waitFor();
  await page.goto(`${stage.origin}/console/#/stuck?kind=slip&merchant=shop-clp&days=30`);
  await page.getByText("Nothing is owed or stuck").waitFor();
  t.is(await page.locator("main table").count(), 0);
});

test.serial(
  "the page shows every kind of stuck money in a sentence, in sums by merchant and age, and in a list with links to timelines",
  async (t) => {
    t.timeout(180_000);
    await stick(t);
    // The sequencer notes what is stuck when it numbers the changes.
    await allNumbered(stage.world.database);
    const page = await stage.page(t, "support", "stuck");
    await page.getByRole("heading", { level: 2, name: "Owed to players now" }).waitFor();
    const sentences = async () => (await page.locator(".stuck p").allInnerTexts()).map(plain);
    t.deepEqual(await sentences(), [
      "BRL 9.00 in 1 win or refund had no answer.",
      "BRL 120.50 is owed to 2 players.",
      "CLP 900 is owed to 1 player.",
      "BRL 30.25 in 2 wins and refunds: the service still sends them.",
      "BRL 2.50 is unclear in 1 pending transaction.",
      "The wallet contradicted itself about 1 transaction of BRL 2.50.",
      "1 betslip of BRL 15.00 does not end.",
    ]);

    t.deepEqual((await page.locator(".group > .lead").allInnerTexts()).map(plain), [
      "Players wait for BRL 159.75 in 5 wins and refunds. Players wait for CLP 900 in 1 win or refund.",
    ]);
    // Without a choice the page lists exactly the credits that players wait for.
    await page.waitForFunction(() => document.querySelectorAll("main tbody th a[href*='#/transaction?']").length === 6);
    t.deepEqual(await page.locator("main tbody th a[href*='#/transaction?']").allInnerTexts(), [
      ...["ACME:over", "ACME:old", "ACME:young", "ACME:clp", "ACME:soon", "ACME:later"],
    ]);
    const sums = page.getByRole("region", { name: "By merchant and age: Refused" }).locator("tbody tr");
    t.deepEqual((await sums.allInnerTexts()).map(plain), [
      "shop-brl BRL 120.50 2 2 BRL 100.00 BRL 100.00 –",
      "shop-clp CLP 900 1 1 – – –",
    ]);
    const list = page.getByRole("region", { name: "Transactions: Refused" }).locator("tbody tr");
    await list.first().waitFor();
    t.deepEqual(await list.locator("th a").allInnerTexts(), ["ACME:old", "ACME:young", "ACME:clp"], "the oldest first");
    await page.getByText("Choose one merchant to select").first().waitFor();

    await page.getByRole("link", { name: "Refused – you must act" }).click();
    await page.getByLabel("Merchant", { exact: true }).selectOption(MERCHANT);
    await page.getByLabel("Age", { exact: true }).selectOption("7");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.waitForURL(/merchant=shop-brl&days=7|days=7&merchant=shop-brl/);
    await list.first().waitFor();
    await page.waitForFunction(() => document.querySelectorAll("main th a[href*='#/transaction']").length === 1);
    await page.getByLabel("Select ACME:old to send it again").check();
    await page.getByRole("button", { name: "Send again" }).waitFor();
    await page.getByRole("link", { name: "ACME:old" }).click();
    await page.getByText(`The wallet refused the credit. BRL 100.00 is owed to ${FORMULA}.`).waitFor();

    for (const [kind, link, heading] of [
      ["No answer – you must act", "ACME:over", "Transactions"],
      ["Being tried", "ACME:soon", "Transactions"],
      ["Bets and rollbacks past the horizon", "ACME:lost", "Transactions"],
      ["Contradictions", "ACME:twice", "Transactions"],
      ["Betslips without an end", HOSTILE, "Betslips"],
    ] as const) {
      await page.goto(`${stage.origin}/console/#/stuck`);
      await page.getByRole("link", { name: kind }).click();
      await page.getByRole("heading", { level: 3, name: kind }).waitFor();
      const row = page
        .getByRole("region", { name: heading === "Betslips" ? heading : `Transactions: ${kind}`, exact: true })
        .getByRole("link", { name: link, exact: true });
      await row.waitFor();
      t.is(await page.locator(".stuck [aria-current]").innerText(), kind);
      t.is(await page.locator("main img").count(), 0);
      if (heading === "Betslips") break;
      await row.click();
      await page.getByRole("heading", { level: 2, name: "What happened" }).waitFor();
    }
    t.not(await page.title(), "owned");
  },
);

test.serial("the service lets people do what the page asks them to do with each kind", async (t) => {
  const { console } = stage.admin;
  const asked = new Set<string>();
  for (const kind of KINDS) {
    const { items } = await console.listStuckMoney({ kind, merchant: MERCHANT });
    for (const { transaction } of items) {
      if (transaction === undefined) continue;
      const { timeline } = await console.getTimeline({ merchant: MERCHANT, txId: transaction.txId });
      const may = {
        resend: timeline?.resendable,
        resolve: timeline?.resolvable,
        closeContradiction: timeline?.contradiction,
      };
      for (const act of ACTS_OF[kind]) {
        t.true(may[act], `${kind}: ${act}`);
        asked.add(`${kind} ${act}`);
      }
    }
  }
  t.is(asked.size, Object.values(ACTS_OF).flat().length, "each kind and act was tried");
  const page = await stage.page(t, "support", "stuck?kind=pending");
  await page.getByText("A key with the role Manager can close it by hand.").waitFor();
  t.is(await page.getByText(/send it again/i).count(), 0, "bets and rollbacks cannot be sent again");
});

test.serial("long names and amounts fit beside the menu, words stay whole, and rows are low on a phone", async (t) => {
  t.timeout(180_000);
  for (const [lang, width] of [
    ["en", 1280],
    ["es", 1280],
    ["pt", 1280],
    ["en", 390],
  ] as const) {
    const page = await stage.page(t, "support", "nowhere", { viewport: { width, height: 900 } });
    await page.route("**/ListStuckMoney", async (route) => {
      const reply = await (await route.fetch()).json();
      for (const [place, { transaction }] of reply.items.entries())
        Object.assign(transaction, {
          txId: `ROYAL:${place}f3a2c1d9e7b4056`,
          merchant: "andina-cop",
          currency: "COP",
          amountMinor: "150139535",
          error: "PLAYER_NOT_FOUND",
          playerId: "esteban.munoz17",
          game: "book-of-rivers",
          roundId: "round-20261123-000417",
        });
      await route.fulfill({ json: reply });
    });
    await page.goto(`${stage.origin}/console/?lang=${lang}#/stuck?kind=owed`);
    const rows = page.locator("tbody.leads tr");
    await rows.first().waitFor();
    const lines = (selector: string): Promise<number> =>
      rows
        .first()
        .locator(selector)
        .evaluate((cell) => {
          const text = document.createRange();
          text.selectNodeContents(cell.firstChild as Node);
          return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size;
        });
    t.is(await lines("td:nth-of-type(3) .lines"), 1, "the player's name");
    t.is(await lines("td:nth-of-type(1)"), 1, "the amount");
    if (width === 1280) {
      t.true((await lines("time")) <= 2, "the time");
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
      t.is(await page.locator('.wide[data-more="true"]').count(), 0, `${lang}: no table scrolls`);
    } else {
      t.is(await lines("time"), 1);
      const height = Math.max(...(await rows.evaluateAll((all) => all.map((row) => row.clientHeight))));
      t.true(height <= 100, `a row is ${height} px tall`);
      const amount = await rows.first().locator("td").first().boundingBox();
      t.true(amount !== null && amount.x + amount.width <= width, "the amount is in view");
    }
    await page.context().close();
  }
});

test.serial("the export has all pages of the list, and no text is a formula", async (t) => {
  const page = await stage.page(t, "support", "stuck?kind=owed");
  // Each call returns one transaction, so the file needs several.
  await page.route("**/ListStuckMoney", async (route) => {
    const asked = route.request().postDataJSON();
    await route.continue({ postData: JSON.stringify({ ...asked, limit: 1 }) });
  });
  await page.reload();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const file = await saved;
  t.is(file.suggestedFilename(), "stuck-owed.csv");
  const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  t.is(
    lines[0],
    "kind,merchant,created_at,tx_id,slip_id,action,amount,currency,status,error,player_id,provider,game,round_id,attempts",
  );
  const cells = lines.slice(1).map((line) => line.replace(/\d{4}-\d\d-\d\dT[^,]+/, "T"));
  t.deepEqual(cells, [
    `owed,shop-brl,T,ACME:old,,win,100.00,BRL,failed,REJECTED,"'=HYPERLINK(""x"")",ACME,fruits,r1,1`,
    `owed,shop-brl,T,ACME:young,,win,20.50,BRL,failed,REJECTED,"${HOSTILE.replaceAll('"', '""')}",ACME,fruits,r1,1`,
    "owed,shop-clp,T,ACME:clp,,refund,900,CLP,failed,REJECTED,ana,ACME,fruits,r1,1",
  ]);
  await page.unrouteAll();
  await page.route("**/ListStuckMoney", (route) => route.abort());
  await page.getByRole("button", { name: "Save as CSV" }).click();
  await page.getByText("The service does not answer.").first().waitFor();
});

test.serial("a manager closes a contradiction on its timeline, which shows it afterwards", async (t) => {
  t.timeout(180_000);
  const { world, admin } = stage;
  t.is(await world.request("bet", { sessionId: await world.session(), txId: "closed" }), "success");
  await allNumbered(world.database);
  await world.database.knex("tx").where({ tx_id: "ACME:closed" }).update({ error: "PLAYER_BLOCKED", feed_seq: null });
  const isListed = async () =>
    (await admin.console.listStuckMoney({ kind: "contradiction" })).items.some(
      ({ transaction }) => transaction?.txId === "ACME:closed",
    );
  while (!(await isListed())) await new Promise((resolve) => setTimeout(resolve, 100));
  const address = "transaction?merchant=shop-brl&tx=ACME%3Aclosed";
  const button = (page: Page) => page.locator("main").getByRole("button", { name: "Close the contradiction" });
  const support = await stage.page(t, "support", address);
  await support.getByText("two answers about this transaction").waitFor();
  t.is(await button(support).count(), 0, "it needs a manager");
  const page = await stage.page(t, "manager", address);
  await button(page).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Evidence from the merchant").fill(`one debit ${HOSTILE}`);
  await dialog.getByLabel("How it was solved").fill("ticket 4711");
  await fits(t, page.mainFrame(), "dialog");
  await accessible(t, page.mainFrame(), "dialog");
  await dialog.getByRole("button", { name: "Close the contradiction" }).click();
  await page.getByText("The contradiction is closed.").waitFor();
  await page.getByText("manager-1 closed the contradiction of the wallet.").waitFor();
  await page.getByText("ticket 4711").waitFor();
  await page.getByText(`Evidence: one debit ${HOSTILE}`).waitFor();
  t.is(await page.locator("main img").count(), 0);
  t.is(await button(page).count(), 0);
  t.is(await page.getByText("two answers about this transaction").count(), 0);
  await page.goto(`${stage.origin}/console/#/stuck?kind=contradiction`);
  await page.getByRole("link", { name: "ACME:twice" }).waitFor();
  t.is(await page.getByRole("link", { name: "ACME:closed" }).count(), 0);
});

test.serial("Today counts what is owed to players, and leads to exactly these transactions", async (t) => {
  const page = await stage.page(t, "support", "today");
  const tile = page.locator(".tiles > div", { hasText: /^Owed to players/ });
  await tile.waitFor();
  t.is(plain(await tile.locator("dd").innerText()), "6 BRL 159.75 CLP 900 4 need you");
  await tile.getByRole("link").click();
  await page.getByRole("heading", { level: 2, name: "Owed to players now" }).waitFor();
  const links = page.locator("main tbody th a[href*='#/transaction?']");
  await page.waitForFunction(() => document.querySelectorAll("main tbody th a[href*='#/transaction?']").length === 6);
  t.is(await links.count(), 6);
});

for (const [lang, menu, heading, sentence] of [
  ["es", "Dinero debido y detenido", "Se debe a jugadores ahora", /^Los jugadores esperan BRL\s159.75 en 5 premios/],
  ["pt", "Dinheiro devido e parado", "Devido a jogadores agora", /^Os jogadores esperam BRL\s159,75 em 5 prêmios/],
] as const)
  test.serial(`the menu and the page say in the language ${lang} what is owed to players`, async (t) => {
    const page = await stage.page(t, "viewer", "today");
    await page.goto(`${stage.origin}/console/?lang=${lang}#/today`);
    await page.getByRole("navigation").getByRole("link", { name: menu }).click();
    await page.getByRole("heading", { level: 2, name: heading }).waitFor();
    t.regex(await page.locator(".group > .lead").first().innerText(), sentence);
  });

test.serial("a viewer sees the sums without the list", async (t) => {
  const page = await stage.page(t, "viewer", "stuck");
  await page.getByText("BRL 120.50 is owed to 2 players.").waitFor();
  await page.getByText("so it needs a key with the role support").first().waitFor();
  t.is(await page.getByRole("link", { name: "ACME:old" }).count(), 0);
});

test.serial("while older transactions are examined, the page says that its figures are not complete", async (t) => {
  const page = await stage.page(t, "viewer", "merchants");
  await page.route("**/GetStuckMoney", async (route) => {
    const { complete: _, ...reply } = await (await route.fetch()).json();
    await route.fulfill({ json: reply });
  });
  await page.goto(`${stage.origin}/console/#/stuck`);
  await page.getByText("These figures are not complete yet.").waitFor();
  t.pass();
});

test.serial("a failure of the service is named, and a key that loses its role loses the list", async (t) => {
  t.timeout(120_000);
  const page = await stage.page(t, "viewer", "merchants");
  let fails = true;
  await page.route("**/GetStuckMoney", (route) =>
    fails ? route.fulfill({ status: 503, json: { code: "unavailable", message: "x" } }) : route.continue(),
  );
  await page.goto(`${stage.origin}/console/#/stuck`);
  await page.getByText("This could not be read").waitFor();
  fails = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("BRL 120.50 is owed to 2 players.").waitFor();

  const { key } = await stage.admin.keys.createKey({ role: "support", name: "leaver", reason: "a test" });
  const tab = await stage.tab(t);
  await tab.request.post(`${stage.origin}/console/session`, { data: { key }, headers: { origin: stage.origin } });
  await tab.goto(`${stage.origin}/console/#/stuck?kind=owed`);
  await tab.getByRole("link", { name: "ACME:old" }).waitFor();
  await stage.admin.keys.revokeKey({ name: "leaver", reason: "a test" });
  for (let tries = 0; tries < 100 && !(await tab.getByLabel("Admin key").isVisible()); tries++) {
    // A call with the ended session, as any use of the page makes one.
    await tab.evaluate(
      (to) => {
        location.hash = to;
      },
      `#/stuck?kind=${tries % 2 === 0 ? "slip" : "owed"}`,
    );
    await tab.waitForTimeout(200);
  }
  await tab.getByLabel("Admin key").waitFor();
  t.is(await tab.getByRole("link", { name: "ACME:old" }).count(), 0);
});

for (const colorScheme of ["dark", "light"] as const)
  test.serial(
    `stuck money of every kind, and the audit log about it, fit and are accessible in the ${colorScheme} look`,
    async (t) => {
      t.timeout(180_000);
      for (const width of [390, 1280, 1920]) {
        const options = { colorScheme, viewport: { width, height: 900 } };
        const page = await stage.page(t, "owner", "stuck", options);
        await shown(t, page, "ACME:old", `stuck-${colorScheme}-${width}`);
        for (const [address, link] of [
          ["stuck?kind=slip", HOSTILE],
          ["stuck?kind=contradiction", "ACME:twice"],
          ["stuck?kind=owed&merchant=shop-brl", "ACME:old"],
          ["transaction?merchant=shop-brl&tx=ACME%3Aclosed", "shop-brl"],
          ["audit?reads=1", "ACME:closed (shop-brl)"],
        ] as const) {
          await page.goto(`${stage.origin}/console/#/${address}`);
          await shown(t, page, link, `${address.replaceAll(/\W/g, "-")}-${colorScheme}-${width}`);
          if (address === "stuck?kind=slip") {
            const amount = await page
              .getByRole("region", { name: "Betslips", exact: true })
              .locator("td.figure")
              .boundingBox();
            t.true((amount?.x ?? width) + (amount?.width ?? 0) <= width, "the amount is in view");
          }
        }
        const read = page.locator('li[data-action="transaction stuck"]', { hasText: "Contradictions" }).first();
        t.regex(plain(await read.innerText()), /looked at the owed and stuck money .* Kind Contradictions$/);
        t.is(await read.locator("table").count(), 0, "a read changes nothing");
        await page.context().close();
      }
    },
  );

async function shown(t: ExecutionContext, page: Page, link: string, name: string): Promise<void> {
  await page.getByRole("link", { name: link, exact: true }).first().waitFor();
  await fits(t, page.mainFrame(), name);
  await accessible(t, page.mainFrame(), name);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true });
}

const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Stuck transactions of every kind, from bets that the service has made. The sequencer numbers their changes. */
async function stick(t: ExecutionContext): Promise<void> {
  const { world } = stage;
  const { knex } = world.database;
  for (const merchant of [MERCHANT, "shop-clp"]) {
    const sessionId = await world.session(merchant);
    for (const txId of merchant === MERCHANT ? ["old", "young", "lost", "twice", "over", "soon", "later"] : ["clp"])
      t.is(await world.request("bet", { sessionId, txId, currency: merchant === MERCHANT ? "BRL" : "CLP" }), "success");
  }
  await allNumbered(world.database);
  const now = Date.now();
  const change = (own: string, columns: object): Promise<number> =>
    knex("tx")
      .where({ tx_id: `ACME:${own}` })
      .update({ ...columns, feed_seq: null });
  const refused = { status: 2, error: "REJECTED", feed_seq: null };
  const aged = (ms: number) => ({ created_at: now - ms, opened_at: now - ms });
  await change("old", { ...refused, ...aged(8 * DAY), action: 2, amount_minor: 10_000, player_id: FORMULA });
  await change("young", { ...refused, action: 2, amount_minor: 2_050, player_id: HOSTILE });
  await change("clp", { ...refused, action: 3, amount_minor: 900 });
  await change("twice", { error: "PLAYER_BLOCKED" });
  // The service gave up a win, and sends two wins again tomorrow.
  await change("over", { ...aged(73 * HOUR), status: 0, action: 2, amount_minor: 900, next_at: NEVER });
  await change("soon", { status: 0, action: 2, amount_minor: 1_000, next_at: now + DAY });
  await change("later", { status: 0, action: 2, amount_minor: 2_025, next_at: now + DAY + 1 });
  await change("lost", { ...aged(73 * HOUR), status: 0, next_at: NEVER });
  const { merchant_id } = await knex("tx").where({ tx_id: "ACME:old" }).first("merchant_id");
  const slip = { merchant_id, slip_id: HOSTILE, round_id: "r" };
  await knex("slips").insert([
    {
      ...slip,
      position: 0,
      tx_id: "s-1",
      amount_minor: 1_000,
      player_id: "ana",
      currency: "BRL",
      status: 1,
      lease_token: Buffer.alloc(16),
      // Its lease never ends, so that no worker takes the slip.
      due_at: now + DAY,
      created_at: now - HOUR,
    },
    { ...slip, position: 1, tx_id: "s-2", amount_minor: 500 },
  ]);
}
