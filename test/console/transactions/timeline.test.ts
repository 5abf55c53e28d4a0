/** The life of a transaction in sentences, and what support and managers can do there. On both databases. */
import anyTest from "ava";
import type { Locator } from "playwright-core";
import { refusalOf } from "../../../testbed/callers/administration.ts";
import { type Console, MERCHANT, openConsole } from "../stage.ts";

const test = anyTest.serial;

const to = (own: string): string => `transaction?merchant=${MERCHANT}&tx=${encodeURIComponent(`ACME:${own}`)}`;
const auditOf = async ({ admin }: Console, action: string) =>
  (await admin.audit.listAuditEntries({ action })).entries.map(({ actor, target, reason }) => [actor, target, reason]);

test("the page describes the history of a rejected win in sentences, and support sends the win again", async (t) => {
  const stage = await openConsole(t);
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
  // The page reads the wallet's answer by itself.
  await page.getByText("The wallet has credited BRL 2.50 to ana.").waitFor();
  t.is(await page.getByRole("button", { name: "Send again" }).count(), 0);
  await page.locator("dd").getByText("A call that the service repeated", { exact: true }).waitFor();
  await page.getByText(/^The wallet was asked again after .+ with the same id\. It accepted after/).waitFor();
  await page.getByText(/^The wallet was asked\. It refused after .*: REJECTED, the wallet gave no reason\.$/).waitFor();
  const asked = page.locator(".timeline li").filter({ hasText: "support-1 asked to send it again." });
  await asked.getByText("Reason: ticket 17").waitFor();
  t.is(world.balance(), 10_250n);
  t.deepEqual(await auditOf(stage, "transaction resend"), [
    ["support-1", `transaction ${MERCHANT} ACME:w1`, "ticket 17"],
  ]);
});

test("while a refused win is sent again, the page says so, offers no second request, and then shows the answer", async (t) => {
  t.timeout(180_000);
  const stage = await openConsole(t);
  const { world } = stage;
  const sessionId = await world.session();
  world.wallet.setFault({ kind: "rejected" });
  t.regex(await world.request("win", { sessionId, txId: "w1" }), /^failed/);
  // The wallet refuses again, but takes its time.
  world.wallet.setFault({ kind: "silent" });
  const page = await stage.page(t, "support", to("w1"));
  const send = page.locator("main").getByRole("button", { name: "Send again" });
  await send.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("ticket 18");
  await dialog.getByRole("button", { name: "Send again" }).click();
  await page.getByText("The wallet refused BRL 2.50 for ana. It is being sent again.").waitFor();
  await page.getByText("The service is asking the wallet now.").waitFor();
  t.is(await send.count(), 0, "one request is enough");
  t.is(await page.getByText(/asks the wallet again at/).count(), 0, "no time that has passed");
  for (const [lang, text] of [
    ["es", "Se está reenviando."],
    ["pt", "Está sendo reenviado."],
  ] as const) {
    const other = await stage.page(t, "support", "nowhere");
    // The call may end before the browser has this page.
    await other.route("**/GetTimeline", async (route) => {
      const reply = await (await route.fetch()).json();
      const part = reply.timeline.transaction;
      Object.assign(part.transaction, { status: "pending", inFlight: true });
      part.attemptLog = part.attemptLog.slice(0, 1);
      await route.fulfill({ json: reply });
    });
    await other.goto(`${stage.origin}/console/?lang=${lang}#/${to("w1")}`);
    await other.getByText(text).waitFor();
    await other.context().close();
  }
  // The wallet does not answer within 4 s. From then on nobody knows, and the next call has a time.
  await page.getByText("Nobody knows yet whether ana has got BRL 2.50.").waitFor();
  world.wallet.setFault({ kind: "none" });
  const credited = page.getByText("The wallet has credited BRL 2.50 to ana.");
  for (let tries = 0; tries < 100 && !(await credited.isVisible()); tries++) {
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.waitForTimeout(500);
  }
  await credited.waitFor();
});

test("a manager closes a pending bet after the page has explained what this means for the player", async (t) => {
  const stage = await openConsole(t);
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

test("repeated attempts are folded, and the page says what the player can be told and whether sending again is safe", async (t) => {
  t.timeout(180_000);
  const stage = await openConsole(t);
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

test("a transaction begins with its creation, also if a replica's clock puts the first call a millisecond before", async (t) => {
  const stage = await openConsole(t);
  const { world } = stage;
  await world.request("bet", { sessionId: await world.session(), txId: "b1" });
  const page = await stage.page(t, "support", "keys");
  await page.route("**/GetTimeline", async (route) => {
    const reply = await (await route.fetch()).json();
    const { transaction, attemptLog } = reply.timeline.transaction;
    attemptLog[0].at = new Date(Date.parse(transaction.createdAt) - 1).toISOString();
    await route.fulfill({ json: reply });
  });
  await page.goto(`${stage.origin}/console/#/${to("b1")}`);
  const moments = page.locator(".timeline > li");
  await moments.first().waitFor();
  t.regex(await moments.first().innerText(), /ana bet BRL\s2\.50\./);
  t.regex(await moments.nth(1).innerText(), /The wallet was asked\./);
});
