/** The search by id, round and player. On both databases. */
import anyTest from "ava";
import { MERCHANT, openConsole } from "../stage.ts";

const test = anyTest.serial;

test("one search box finds ids, rounds and players, and a refunded bet shows its refund", async (t) => {
  const stage = await openConsole(t);
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
    // The result of the former search may still be there.
    await page.waitForFunction(
      ([by, many]) => {
        const cells = [...document.querySelectorAll("tbody tr td:nth-of-type(4)")];
        return cells.length === many && cells.every((cell) => cell.textContent === by);
      },
      [found, rows] as const,
    );
  }
  world.wallet.setFault({ kind: "rejected" });
  t.regex(await world.request("win", { sessionId, txId: "refused" }), /^failed/);
  world.wallet.setFault({ kind: "none" });
  const width = 390;
  const phone = await stage.page(t, "support", "transactions?q=refused", { viewport: { width, height: 844 } });
  for (const text of ["Refused", "the wallet gave no reason"]) {
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
  await page.getByText("Write the whole id or its beginning.").waitFor();
  await page.goBack();
  // A part of an id, in another case: the page offers what begins with it.
  for (const [text, value, found] of [
    ["AN", "ana", "Player"],
    ["Round", "round 7", "Round"],
    ["acme:F", "ACME:f1", "Id"],
  ] as const) {
    await box.fill(text);
    await page.getByRole("button", { name: "Find" }).click();
    const row = page.locator("tbody tr", { has: page.getByRole("link", { name: value, exact: true }) });
    await row.getByText(found, { exact: true }).waitFor();
    t.is(await page.locator("tbody tr").count(), 1, text);
  }
  await page.getByRole("link", { name: "ACME:f1" }).click();
  await page.locator("tbody tr td:nth-of-type(4)").getByText("Id", { exact: true }).waitFor();
  await box.fill("b1");
  await page.getByRole("button", { name: "Find" }).click();
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

test("a search by player says what is wrong with the player's money, and asks the wallet for the balance", async (t) => {
  t.timeout(180_000);
  const stage = await openConsole(t);
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
      "Consultar a carteira",
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
