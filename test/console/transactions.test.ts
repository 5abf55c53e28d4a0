/**
 * Tests the pages of transactions: the search, the history of a transaction in sentences, and the actions of support.
 * Each test runs on both databases.
 */
import anyTest from "ava";
import type { Locator } from "playwright-core";
import { refusalOf } from "../../testbed/callers/administration.ts";
import { onBothDatabases } from "../administration/databases.ts";
import { type Console, MERCHANT, openConsole } from "./stage.ts";

const test = onBothDatabases(anyTest.serial);

const to = (own: string): string => `transaction?merchant=${MERCHANT}&tx=${encodeURIComponent(`ACME:${own}`)}`;
const auditOf = async ({ admin }: Console, action: string) =>
  (await admin.audit.listAuditEntries({ action })).entries.map(({ actor, target, reason }) => [actor, target, reason]);

test("transactions are listed and filtered by the address, and an empty list shows the reason", async (t, url) => {
  const stage = await openConsole(t, url);
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

test("the page describes the history of a rejected win in sentences, and support sends the win again", async (t, url) => {
  const stage = await openConsole(t, url);
  const { world } = stage;
  const sessionId = await world.session();
  world.wallet.setFault({ kind: "rejected" });
  t.regex(await world.request("win", { sessionId, txId: "w1" }), /^failed/);
  world.wallet.setFault({ kind: "none" });
  const page = await stage.page(t, "support", to("w1"));
  await page.getByText("The wallet refused the credit. BRL 2.50 is owed to ana.").waitFor();
  await page.getByText("Refused", { exact: true }).waitFor();
  await page.getByText(/It refused after .*: REJECTED, the wallet gave no reason\.$/).waitFor();
  await page.locator("dd").getByText("REJECTED, the wallet gave no reason").waitFor();
  t.is(await page.getByRole("button", { name: "Close by hand" }).count(), 0, "only a manager closes");

  await page.getByRole("button", { name: "Send again" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("If the wallet has credited BRL 2.50 to ana before, it only repeats its answer").waitFor();
  await dialog.getByRole("button", { name: "Send again" }).click();
  t.true(await dialog.isVisible(), "a reason is required");
  await dialog.getByLabel("Reason").fill("ticket 17");
  await dialog.getByRole("button", { name: "Send again" }).click();
  await page.getByText("The service sends it now").waitFor();
  const credited = page.getByText("The wallet has credited BRL 2.50 to ana.");
  for (let tries = 0; tries < 300 && !(await credited.isVisible()); tries++) {
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.waitForTimeout(200);
  }
  await credited.waitFor();
  await page.getByText(/^The wallet was asked again after .+ with the same id\. It accepted after/).waitFor();
  const asked = page.locator(".timeline li").filter({ hasText: "support-1 asked to send it again." });
  await asked.getByText("Reason: ticket 17").waitFor();
  t.is(world.balance(), 10_250n);
  t.deepEqual(await auditOf(stage, "transaction resend"), [
    ["support-1", `transaction ${MERCHANT} ACME:w1`, "ticket 17"],
  ]);
});

test("a manager closes a pending bet after the page has explained what this means for the player", async (t, url) => {
  const stage = await openConsole(t, url);
  const { world } = stage;
  const sessionId = await world.session();
  world.wallet.setFault({ kind: "silent" });
  t.is(await world.request("bet", { sessionId, txId: "b1" }), "pending");
  const page = await stage.page(t, "manager", to("b1"));
  await page.getByText("The wallet was asked. It did not answer within 4 s.").waitFor();
  await page.getByText("Nobody knows yet whether BRL 2.50 was taken from ana.").waitFor();

  await page.getByText(/^It can be closed by hand from \d/).waitFor();
  t.is(await page.getByRole("button", { name: "Close by hand" }).count(), 0, "not before the horizon");
  await stage.age("b1");
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByRole("button", { name: "Close by hand" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("You state that the wallet has taken BRL 2.50 from ana.").waitFor();
  await dialog.getByLabel("What the merchant's records show").selectOption("failed");
  await dialog.getByText("You state that the wallet took nothing. ana keeps BRL 2.50.").waitFor();
  await dialog.getByText("This sends nothing to the wallet.").waitFor();
  await dialog.getByLabel("Evidence").fill("not in the statement");
  await dialog.getByRole("button", { name: "Close by hand" }).click();
  await page.getByText("It is closed as failed.").waitFor();
  await page.getByText("BRL 2.50 was not taken from ana.").waitFor();
  const closed = page
    .locator(".timeline li")
    .filter({ hasText: "manager-1 closed it by hand as failed, with evidence." });
  await closed.getByText("Reason: not in the statement").waitFor();
  t.deepEqual(await auditOf(stage, "transaction resolve"), [
    ["manager-1", `transaction ${MERCHANT} ACME:b1`, "not in the statement"],
  ]);
});

test("selected credits are sent again together, and the page names a refused credit", async (t, url) => {
  const stage = await openConsole(t, url);
  const { world } = stage;
  const sessionId = await world.session();
  world.wallet.setFault({ kind: "rejected" });
  for (const txId of ["w1", "w2", "w3"]) await world.request("win", { sessionId, txId });
  world.wallet.setFault({ kind: "none" });
  const page = await stage.page(t, "support", `transactions?merchant=${MERCHANT}&status=failed`);
  for (const id of ["w1", "w2", "w3"]) await page.getByLabel(`Select ACME:${id} to send it again`).check();
  await page.getByText("3 transactions are chosen").waitFor();
  // Meanwhile the provider repeats one of them, and it succeeds.
  t.is(await world.request("win", { sessionId, txId: "w2" }), "success");

  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("the wallet is back");
  await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
  await page.getByText("2 of 3 sent, 1 refused").waitFor();
  await page
    .getByRole("dialog")
    .getByText(/^ACME:w2: Only a pending or failed win/)
    .waitFor();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  t.is(await page.getByText("are chosen").count(), 0);
  for (let tries = 0; tries < 200 && world.balance() !== 10_750n; tries++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  t.is(world.balance(), 10_750n, "each win was credited once");
});

test("repeated attempts are folded, and the page says what the player can be told and whether sending again is safe", async (t, url) => {
  t.timeout(180_000);
  const stage = await openConsole(t, url);
  const { world } = stage;
  const sessionId = await world.session();
  world.wallet.setFault({ kind: "http_500" });
  t.is(await world.request("win", { sessionId, txId: "w1" }), "pending");
  const page = await stage.page(t, "support", to("w1"));
  const folded = page.locator(".timeline > li", { hasText: "more attempts, each ended with HTTP 500." });
  const readUntil = async (text: Locator): Promise<void> => {
    for (let tries = 0; tries < 200 && !(await text.isVisible()); tries++) {
      await page.getByRole("button", { name: "Refresh" }).click();
      await page.waitForTimeout(250);
    }
    await text.waitFor();
  };
  // The service sends the win again after 1 s, 2 s and 4 s. Each of these reads is a look between two attempts.
  const attempts = async (): Promise<number> =>
    (await stage.admin.transactions.getTransaction({ merchant: MERCHANT, txId: "ACME:w1" })).transaction?.attempts ?? 0;
  while ((await attempts()) < 4) await new Promise((resolve) => setTimeout(resolve, 200));
  await page.reload();
  await folded.waitFor();
  const many = Number(/^\d+/.exec(await folded.locator("p").first().innerText())?.[0]);
  t.true(many >= 3, `${many}: looks do not part the attempts`);
  t.false(await folded.locator(".timeline li").first().isVisible());
  await folded.getByText("Show each attempt").click();
  await folded.locator(".timeline li").first().waitFor();
  t.is(await folded.locator(".timeline li").count(), many);
  t.is(await page.locator(".timeline > li", { hasText: "more attempts" }).count(), 1);
  await page.getByText("What the player can be told: BRL 2.50 is recorded and is not lost.").waitFor();
  await page.getByText("Send again: It is safe.").waitFor();
  for (const [lang, more, safe] of [
    ["es", /^\d+ intentos más, cada uno terminó con HTTP 500\.$/, "Reenviar: Es seguro."],
    ["pt", /^Mais \d+ tentativas, cada uma terminou com HTTP 500\.$/, "Reenviar: É seguro."],
    ["en", /^\d+ more attempts, each ended with HTTP 500\.$/, "Send again: It is safe."],
  ] as const) {
    await page.goto(`${stage.origin}/console/?lang=${lang}#/${to("w1")}`);
    await page.getByText(more).waitFor();
    await page.getByText(safe).waitFor();
  }
  world.wallet.setFault({ kind: "none" });
  // The service may send it by itself just before. A credited win can't be sent again.
  const resent = stage.admin.transactions.resendTransaction({ merchant: MERCHANT, txId: "ACME:w1", reason: "a test" });
  await resent.catch(async () => t.regex(await refusalOf(resent), /^NOT_RESENDABLE/));
  await readUntil(page.getByText("What the player can be told: BRL 2.50 was credited."));
  t.is(await page.getByText("It is safe.").count(), 0, "nothing is to be sent");
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

test("one search box finds ids, rounds and players, and a refunded bet shows its refund", async (t, url) => {
  const stage = await openConsole(t, url);
  const { world } = stage;
  const sessionId = await world.session();
  await world.request("bet", { sessionId, txId: "b1", roundId: "round 7" });
  await world.request("refund", { sessionId, txId: "f1", refTxId: "b1", roundId: "round 7" });
  const page = await stage.page(t, "support", "transactions");
  const box = page.getByRole("searchbox");
  for (const [text, found, rows] of [
    ["b1", "Id", 1],
    ["ACME:f1", "Id", 1],
    ["round 7", "Round", 2],
    ["ana", "Player", 2],
  ] as const) {
    await box.fill(text);
    await page.getByRole("button", { name: "Find" }).click();
    await page.waitForURL((address) => new URLSearchParams(address.hash.split("?")[1]).get("q") === text);
    await page.locator("tbody tr td:nth-of-type(4)").first().getByText(found, { exact: true }).waitFor();
    t.is(await page.locator("tbody tr").count(), rows, text);
  }
  world.wallet.setFault({ kind: "rejected" });
  t.regex(await world.request("win", { sessionId, txId: "refused" }), /^failed/);
  world.wallet.setFault({ kind: "none" });
  const width = 390;
  const phone = await stage.page(t, "support", "transactions?q=refused", { viewport: { width, height: 844 } });
  for (const text of ["Refused", "REJECTED"]) {
    const shown = phone.locator("tbody").getByText(text, { exact: true });
    await shown.waitFor();
    const place = await shown.boundingBox();
    t.true(place !== null && place.x + place.width <= width, `a phone shows ${text} without scrolling to the side`);
  }
  // Further columns are at the right: an edge says so, and the id stays in view.
  const wide = phone.locator('.wide[data-more="true"]');
  await wide.waitFor();
  await phone.locator(".scroll").evaluate((table) => table.scrollTo({ left: table.scrollWidth }));
  await wide.waitFor({ state: "detached" });
  const name = await phone.locator("tbody th").boundingBox();
  t.true(name !== null && name.x >= 0 && name.x < 40, JSON.stringify(name));
  await box.fill("no such text");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByText("No transaction, round or player is exactly “no such text”.").waitFor();
  await page.getByText("Write the whole id").waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "ACME:b1" }).click();
  await page.getByText("The provider gave a bet of BRL 2.50 back to ana.").waitFor();
  const steps = await page.locator(".timeline li > p:first-of-type").allInnerTexts();
  t.deepEqual(
    steps.map((text) => text.replaceAll(/\d+(\.\d+)? m?s/g, "some time").replaceAll(/\s/g, " ")),
    [
      "ana bet BRL 2.50.",
      "The wallet was asked. It accepted after some time.",
      "The provider gave a bet of BRL 2.50 back to ana.",
      "The wallet was asked. It accepted after some time.",
      "support-1 looked at it.",
    ],
  );
});

test("a search by player says what is wrong with the player's money, and asks the wallet for the balance", async (t, url) => {
  t.timeout(180_000);
  const stage = await openConsole(t, url);
  const { world, admin } = stage;
  const sessionId = await world.session();
  t.is(await world.request("bet", { sessionId, txId: "b1" }), "success");
  const page = await stage.page(t, "support", "transactions?q=ana");
  await page.getByText("Nothing is wrong with this player's transactions.").waitFor();
  await page.getByText(/^The service last knew a balance of BRL\s97\.50 \(/).waitFor();
  await page.getByRole("button", { name: "Ask the wallet" }).click();
  const said = page.getByText(/^The wallet says BRL\s97\.50 now, at [\d:]+\. That is what the service last knew\.$/);
  await said.waitFor();
  await page.getByText("It moves no money. The audit log records it.").waitFor();
  // The answer stands on the line of the button.
  await page.waitForFunction(() => {
    const middle = (selector: string): number => {
      const box = document.querySelector(selector)?.getBoundingClientRect();
      return (box?.y ?? 0) + (box?.height ?? 0) / 2;
    };
    return Math.abs(middle(".said p") - middle(".player .button")) <= 2;
  });
  // The merchant pays 20.00 into the account, which the service can't see.
  world.wallet.ledger.deposit(MERCHANT, "ana", 2_000n);
  await page.getByRole("button", { name: "Ask the wallet" }).click();
  await page.getByText("That is BRL 20.00 more than the service last knew.").waitFor();

  world.wallet.setFault({ kind: "rejected" });
  for (const txId of ["w1", "w2"]) t.regex(await world.request("win", { sessionId, txId }), /^failed/);
  world.wallet.setFault({ kind: "http_500" });
  t.is(await world.request("refund", { sessionId, txId: "f1", refTxId: "b1" }), "pending");
  t.is(await world.request("bet", { sessionId, txId: "unknown", amountMinor: 300n }), "pending");
  // A failed credit is noted when the sequencer numbers its change.
  const troubles = async () => (await admin.console.getPlayer({ merchant: MERCHANT, player: "ana" })).troubles.length;
  for (let tries = 0; tries < 300 && (await troubles()) < 4; tries++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  await page.reload();
  const links = page.locator(".player li a");
  await links.first().waitFor();
  await page.getByText(/^The balance is BRL\s5\.00 too low: the wallet refused 2 wins\.$/).waitFor();
  t.deepEqual(
    (await links.allInnerTexts()).map((text) => text.replaceAll(/\s/g, " ")),
    ["2 refused wins: BRL 5.00", "1 refund on its way: BRL 2.50", "1 pending bet: BRL 3.00"],
  );
  t.regex((await links.nth(1).getAttribute("href")) ?? "", /^#\/transaction\?merchant=shop-brl&tx=ACME(:|%3A)f1$/);
  await links.first().click();
  await page.locator('tr[data-key="ACME:w2"]').waitFor();
  t.deepEqual(await page.locator("tbody tr").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-key"))), [
    "ACME:w2",
    "ACME:w1",
  ]);
  await page.getByRole("link", { name: "All transactions of this player" }).click();
  await page.locator('tr[data-key="ACME:unknown"]').waitFor();
  t.is(await page.locator("tbody tr").count(), 5);

  await page.getByRole("button", { name: "Ask the wallet" }).click();
  await page.getByText("The wallet gave no balance.").waitFor();
  const asked = (await admin.audit.listAuditEntries({ action: "merchant ping" })).entries;
  t.deepEqual(
    asked.map(({ actor, target }) => [actor, target]),
    Array.from({ length: 3 }, () => ["support-1", `player ${MERCHANT} ana`]),
  );
  // What the wallet says still lacks the refused wins.
  await page.route("**/PingWallet", (route) => route.fulfill({ json: { balanceMinor: "9750" } }));
  for (const [lang, ask, missing, low] of [
    [
      "es",
      "Preguntar a la billetera",
      /Los BRL\s5\.00 rechazados todavía faltan\.$/,
      /^Al saldo le faltan BRL\s5\.00: la billetera rechazó 2 premios\.$/,
    ],
    [
      "pt",
      "Perguntar à carteira",
      /Os BRL\s5,00 recusados ainda faltam\.$/,
      /^Faltam BRL\s5,00 no saldo: a carteira recusou 2 prêmios\.$/,
    ],
    [
      "en",
      "Ask the wallet",
      /The refused BRL\s5\.00 is still missing\.$/,
      /^The balance is BRL\s5\.00 too low: the wallet refused 2 wins\.$/,
    ],
  ] as const) {
    await page.goto(`${stage.origin}/console/?lang=${lang}#/transactions?merchant=${MERCHANT}&player=ana`);
    await page.getByText(low).waitFor();
    await page.getByRole("button", { name: ask }).click();
    await page.getByText(missing).waitFor();
  }
});
