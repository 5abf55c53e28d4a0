/** The list of transactions: filters, time zone, and sending credits again together. Most tests run on both databases. */
import { readFile } from "node:fs/promises";
import anyTest from "ava";
import { accessible } from "../../browser/accessible.ts";
import { fits } from "../../browser/fits.ts";
import { MERCHANT, openConsole } from "../stage.ts";

const test = anyTest.serial;

test("transactions are listed and filtered by the address, and an empty list shows the reason", async (t) => {
  const stage = await openConsole(t);
  const page = await stage.page(t, "support", "transactions");
  await page.getByText("No transaction is pending").waitFor();
  t.is(await page.getByLabel("Merchant", { exact: true }).inputValue(), "*", "no merchant is chosen silently");
  await page.goto(`${stage.origin}/console/#/transactions?merchant=${MERCHANT}`);
  await page.getByText("The last 24 hours have none").waitFor();
  const sessionId = await stage.world.session();
  await stage.world.request("bet", { sessionId, txId: "b1", roundId: "r1", amountMinor: 1_250n });
  await stage.world.request("bet", { sessionId, txId: "b2", roundId: "r2" });
  await page.reload();
  const row = page.locator('tr[data-key="ACME:b1"]');
  await row.waitFor();
  t.regex((await row.innerText()).replaceAll(/\s+/g, " "), /ACME:b1 BRL 12\.50 Bet Done ana .* ACME \/ fruits r1 1/);

  const round = await row.getByText("r1", { exact: true }).boundingBox();
  t.true(round !== null && round.x + round.width <= 1_280, "the round is in view");
  // A click beside the links opens the timeline, too.
  await row.getByText("ACME / fruits").click();
  await page.getByText("ana bet BRL 12.50.").waitFor();
  await page.goBack();
  await row.waitFor();

  const unapplied = page.getByText("Not shown yet: press “Show”.");
  t.is(await unapplied.count(), 0);
  await page.getByLabel("Round", { exact: true }).fill("r2");
  await unapplied.waitFor();
  t.is(await page.locator("tbody tr").count(), 2, "the list still shows the older filters");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await row.waitFor({ state: "detached" });
  t.is(await unapplied.count(), 0);
  await page.locator('tr[data-key="ACME:b2"]').waitFor();
  t.true(page.url().includes("round=r2"), page.url());
  await page.reload();
  await page.locator('tr[data-key="ACME:b2"]').waitFor();
  t.is(await page.getByLabel("Round", { exact: true }).inputValue(), "r2");
  t.is(await page.locator("tbody tr").count(), 1);

  await page.getByLabel("Round", { exact: true }).fill("no such round");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("No transaction has all of these filters").waitFor();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await row.waitFor();
  await row.getByRole("link").click();
  await page.getByText("ana bet BRL 12.50.").waitFor();
  await page.goBack();
  await row.waitFor();

  // The buttons of common questions ask about the merchant that is chosen, also before "Show".
  await page.getByLabel("Merchant", { exact: true }).selectOption("shop-clp");
  await page.getByRole("button", { name: "Refused wins, 30 days" }).click();
  await page.getByText("No transaction has all of these filters").waitFor();
  const asked = new URLSearchParams(page.url().split("?")[1]);
  t.deepEqual([asked.get("merchant"), asked.get("status"), asked.get("action")], ["shop-clp", "failed", "win"]);

  const width = 390;
  const viewport = { width, height: 844 };
  const phone = await stage.page(t, "support", `transactions?merchant=${MERCHANT}`, { viewport });
  const amount = await phone.locator('tr[data-key="ACME:b1"]').getByText("BRL 12.50").boundingBox();
  t.true(amount !== null && amount.x + amount.width <= width, "a phone shows the amount without scrolling to the side");
  const field = phone.getByLabel("Round", { exact: true });
  t.false(await field.isVisible());
  await phone.getByText(`Filters: ${MERCHANT}`, { exact: true }).click();
  await field.fill("r2");
  await phone.getByRole("button", { name: "Show", exact: true }).click();
  await phone.locator('tr[data-key="ACME:b1"]').waitFor({ state: "detached" });
  await phone.getByText(`Filters: ${MERCHANT} · Round r2`, { exact: true }).waitFor();
  t.false(await field.isVisible(), "the list comes before the fields");
});

test("a transaction shows what its money is for, and the list is filtered by it, in three languages", async (t) => {
  const stage = await openConsole(t);
  const sessionId = await stage.world.session();
  const { request } = stage.world;
  t.is(await request("bet", { sessionId, txId: "b1", kind: "feature_buy" }), "success");
  const jackpot = { kind: "jackpot", promoId: "<b>p1</b>", jackpot: { id: "mega", tier: "grand" } };
  t.is(await request("win", { sessionId, txId: "w1", betTxId: "b1", settles: true, ...jackpot }), "success");
  t.is(await request("win", { sessionId, txId: "w2", kind: "promo", promoId: "p2", roundId: "" }), "success");
  const address = `transactions?merchant=${MERCHANT}`;
  const page = await stage.page(t, "support", address);
  await page.locator('tr[data-key="ACME:w1"]').getByText("Win · Jackpot", { exact: true }).waitFor();
  await page.locator('tr[data-key="ACME:b1"]').getByText("Bet · Feature buy", { exact: true }).waitFor();
  await page.getByLabel("What for", { exact: true }).selectOption("promo");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.locator('tr[data-key="ACME:w1"]').waitFor({ state: "detached" });
  await page.locator('tr[data-key="ACME:w2"]').getByText("Win · Promotion", { exact: true }).waitFor();
  t.is(await page.locator("tbody tr").count(), 1);
  t.true(page.url().includes("kind=promo"), page.url());
  const facts = async (tx: string): Promise<string> => {
    await page.goto(`${stage.origin}/console/#/transaction?merchant=${MERCHANT}&tx=${tx}`);
    await page.locator(".facts").getByText("What for").waitFor();
    return (await page.locator(".facts").first().innerText()).replaceAll(/\s+/g, " ");
  };
  t.regex(await facts("ACME:w1"), /What for Jackpot Promotion <b>p1<\/b> Jackpot mega, grand /);
  t.regex(await facts("ACME:b1"), /What for Feature buy .* Settled by ACME:w1 /);
  for (const [lang, text] of [
    ["es", "Premio · Pozo acumulado"],
    ["pt", "Prêmio · Jackpot acumulado"],
  ] as const) {
    await page.goto(`${stage.origin}/console/?lang=${lang}#/${address}`);
    await page.locator('tr[data-key="ACME:w1"]').getByText(text, { exact: true }).waitFor();
  }
});

test("selected credits are sent again together, and the page names a refused credit", async (t) => {
  const stage = await openConsole(t);
  const { world } = stage;
  const sessionId = await world.session();
  world.wallet.setFault({ kind: "rejected" });
  for (const txId of ["w1", "w2", "w3"]) await world.request("win", { sessionId, txId });
  const listed = await stage.page(t, "support", "nowhere");
  for (const [lang, text] of [
    ["es", "la billetera no dio un motivo"],
    ["pt", "a carteira não deu um motivo"],
    ["en", "the wallet gave no reason"],
  ] as const) {
    await listed.goto(`${stage.origin}/console/?lang=${lang}#/transactions?merchant=${MERCHANT}&status=failed`);
    await listed.locator('tr[data-key="ACME:w1"]').getByText(text, { exact: true }).waitFor();
    t.is(await listed.getByText("REJECTED").count(), 0, "words, not codes");
  }
  world.wallet.setFault({ kind: "none" });
  const page = await stage.page(t, "support", `transactions?merchant=${MERCHANT}&status=failed`);
  for (const id of ["w1", "w2", "w3"]) await page.getByLabel(`Select ACME:${id} to send it again`).check();
  await page.getByText("3 transactions are chosen").waitFor();
  // Meanwhile the provider repeats one of them, and it succeeds.
  t.is(await world.request("win", { sessionId, txId: "w2" }), "success");

  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByRole("dialog").getByText("BRL 7.50 to 1 player", { exact: true }).waitFor();
  await page.getByRole("dialog").getByLabel("Reason").fill("the wallet is back");
  await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
  await page.getByText("2 of 3 accepted for sending").waitFor();
  await page.getByText("Not accepted for sending: 1").waitFor();
  await page
    .getByRole("dialog")
    .getByText(/^ACME:w2: Only a pending or failed win/)
    .waitFor();
  await page.getByText("The wallet's answers: 2 credited, 0 refused").waitFor();
  await fits(t, page.mainFrame(), "sent again");
  await accessible(t, page.mainFrame(), "sent again");
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/resend-many.png` });
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  t.is(await page.getByText("are chosen").count(), 0);
  for (let tries = 0; tries < 200 && world.balance() !== 10_750n; tries++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  t.is(world.balance(), 10_750n, "each win was credited once");
});

test("the answers to credits that are sent again together are shown as they come, with the wallet's reasons", async (t) => {
  t.timeout(180_000);
  const stage = await openConsole(t);
  const { world } = stage;
  const sessionId = await world.session();
  world.wallet.setFault({ kind: "rejected" });
  for (const txId of ["w1", "w2"]) await world.request("win", { sessionId, txId });
  const viewport = { width: 390, height: 844 };
  const page = await stage.page(t, "support", `transactions?merchant=${MERCHANT}&status=failed`, { viewport });
  for (const id of ["w1", "w2"]) await page.getByLabel(`Select ACME:${id} to send it again`).check();
  await page.getByRole("button", { name: "Send again" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("BRL 5.00 to 1 player", { exact: true }).waitFor();
  await dialog.getByLabel("Reason").fill("a test");
  await dialog.getByRole("button", { name: "Send again" }).click();
  await dialog.getByText("The wallet's answers: 0 credited, 2 refused").waitFor();
  await dialog.getByText("ACME:w1: REJECTED, the wallet gave no reason").waitFor();
  await fits(t, page.mainFrame(), "refused again");
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/refused-again-390.png` });
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  // Pending credits have the cause of the wallet's silence in words.
  world.wallet.setFault({ kind: "http_500" });
  t.is(await world.request("win", { sessionId, txId: "w3" }), "pending");
  await page.goto(`${stage.origin}/console/#/transactions?merchant=${MERCHANT}&status=pending`);
  await page.locator('tr[data-key="ACME:w3"]').getByText("HTTP 5xx", { exact: true }).waitFor();
  world.wallet.setFault({ kind: "none" });
});

test("the chosen transactions are saved as a file, page by page", async (t) => {
  const stage = await openConsole(t);
  const { world } = stage;
  const sessionId = await world.session();
  for (const txId of ["b1", "b2", "b3"]) await world.request("bet", { sessionId, txId });
  await world.request("win", { sessionId, txId: "w1", amountMinor: 1_250n });
  const page = await stage.page(t, "support", `transactions?merchant=${MERCHANT}&action=bet`);
  await page.locator('tr[data-key="ACME:b3"]').waitFor();
  // Each call returns one transaction, so the file needs several.
  await page.route("**/ListTransactions", async (route) => {
    const asked = route.request().postDataJSON();
    await route.continue({ postData: JSON.stringify({ ...asked, limit: 1 }) });
  });
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const file = await saved;
  t.is(file.suggestedFilename(), `transactions-${MERCHANT}.csv`);
  const text = await readFile(await file.path(), "utf8");
  t.true(text.startsWith("\ufeff"), "Excel needs the mark to read accents");
  const lines = text.trim().split("\r\n");
  t.is(
    lines[0],
    "merchant,created_at,tx_id,slip_id,action,amount,currency,status,error,player_id,provider,game,round_id,attempts",
  );
  t.deepEqual(
    lines.slice(1).map((line) => line.replace(/\d{4}-\d\d-\d\dT[^,]+/, "T")),
    ["b3", "b2", "b1"].map((id) => `shop-brl,T,ACME:${id},,bet,2.50,BRL,success,,ana,ACME,fruits,r1,1`),
  );

  // The reader's browser keeps the other form of the file.
  await page.getByLabel("How the CSV is written").selectOption("semicolons, 1,5");
  await page.reload();
  const second = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const semicolons = await readFile(await (await second).path(), "utf8");
  t.regex(semicolons, /^\ufeffmerchant;created_at;tx_id;/);
  t.regex(semicolons, /\r\nshop-brl;[^;]+;ACME:b3;;bet;2,50;BRL;success;;ana;ACME;fruits;r1;1\r\n/);
});

test("a reader of Brazil or Argentina gets a file with decimal commas, a reader of Mexico one with decimal points", async (t) => {
  const stage = await openConsole(t);
  await stage.world.request("bet", { sessionId: await stage.world.session(), txId: "b1" });
  for (const [locale, dialect] of [
    ["pt-BR", "semicolon"],
    ["es-AR", "semicolon"],
    ["es-MX", "standard"],
    ["en-GB", "standard"],
  ] as const) {
    const page = await stage.page(t, "support", `transactions?merchant=${MERCHANT}`, { locale });
    t.is(await page.locator("select", { hasText: "1,5" }).inputValue(), dialect, locale);
    await page.close();
  }
});

anyTest.serial(
  "times are in the browser's zone, or in UTC with the zone beside them, and fields say their zone",
  async (t) => {
    const stage = await openConsole(t);
    const { world } = stage;
    await world.request("bet", { sessionId: await world.session(), txId: "b1" });
    // 5.5 hours east of UTC.
    const timezoneId = "Asia/Kolkata";
    const page = await stage.page(t, "support", `transactions?merchant=${MERCHANT}`, { timezoneId });
    const created = page.locator('tr[data-key="ACME:b1"] time');
    await created.waitFor();
    const instant = (await created.getAttribute("datetime")) ?? "";
    const inZone = (timeZone: string) =>
      new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone }).format(
        new Date(instant),
      );
    t.is(await created.innerText(), inZone("Asia/Kolkata"));
    const from = page.getByLabel("From", { exact: true });
    const hint = page.locator(".field", { has: from }).locator("small");
    t.regex(await hint.innerText(), /^Asia\/(Kolkata|Calcutta)$/);
    await page.getByLabel("Time zone").selectOption("UTC");
    await page.getByText(`${inZone("UTC")} UTC`).waitFor();
    t.is(await hint.innerText(), "UTC");
    // A time of a field is one of the chosen zone.
    await from.fill("2026-01-02T03:04");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.waitForURL(/from=2026-01-02T03%3A04%3A00\.000Z/);
    t.is(await from.inputValue(), "2026-01-02T03:04");
    for (const [lang, zone] of [
      ["es", "Zona horaria"],
      ["pt", "Fuso horário"],
    ]) {
      await page.goto(`${stage.origin}/console/?lang=${lang}#/transactions`);
      t.is(await page.getByLabel(zone as string).inputValue(), "UTC", "the choice stays");
    }
  },
);
