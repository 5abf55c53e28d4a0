/** Merchants, keys, the audit log: every action end to end, on both databases. */
import anyTest from "ava";
import { MERCHANT, openConsole } from "../stage.ts";

const test = anyTest.serial;

test("a manager changes a merchant's wallet address and allowed addresses, and the audit log has the old and new values", async (t) => {
  const stage = await openConsole(t);
  const before = stage.world.wallet.url;
  const page = await stage.page(t, "manager", `merchant?code=${MERCHANT}`);
  const dialog = page.getByRole("dialog");
  await page.getByText("Never changed since the merchant was created.").waitFor();
  await page.getByRole("button", { name: "Change the wallet address" }).click();
  await dialog.getByText("The next call goes to the new address").waitFor();
  const address = dialog.getByLabel("Wallet address");
  t.is(await address.inputValue(), before);
  await address.fill("ftp://wallet.shop.example");
  await dialog.getByLabel("Reason").fill("ticket 4711");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").getByText("Wallet address: The address must begin with https://.").waitFor();
  await address.fill("https://wallet.shop.example/new");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("The change is stored").waitFor();
  await page.locator("dd").getByText("https://wallet.shop.example/new", { exact: true }).waitFor();
  await page.evaluate(() => {
    location.hash = location.hash.replace("shop-brl", "shop-clp");
  });
  await page.getByRole("heading", { level: 1, name: "shop-clp" }).waitFor();
  t.is(await page.getByText("The change is stored").count(), 0, "the message does not stand on another merchant");
  await page.goBack();
  const change = page.locator(".wallet-change");
  await change.waitFor();
  const told = /^Changed on (.+) by manager-1, from (.+) to https:\/\/wallet\.shop\.example\/new\./.exec(
    await change.innerText(),
  );
  t.is(told?.[2], before);
  t.is(await change.locator(".reason").innerText(), "Reason: ticket 4711");
  await change.getByRole("link", { name: "Entry in the audit log" }).click();
  await page.getByRole("link", { name: "All entries" }).waitFor();
  await page.locator(".entries > li").getByText("Reason: ticket 4711").waitFor();
  t.is(await page.locator(".entries > li").count(), 1);
  await page.goBack();
  await change.waitFor();

  await page.getByRole("button", { name: "Change the list of addresses" }).click();
  await dialog.getByText("every address may call").waitFor();
  await dialog.getByLabel("Addresses that may call").fill("192.0.2.7\n198.51.100.0/24");
  await dialog.getByText("Only calls from these 2 addresses and ranges are accepted.").waitFor();
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("192.0.2.7, 198.51.100.0/24").waitFor();

  await page.getByRole("button", { name: "Disable" }).click();
  await dialog.getByRole("heading", { name: `Disable the merchant ${MERCHANT}` }).waitFor();
  await dialog.getByLabel("Reason").fill("unpaid");
  await dialog.getByRole("button", { name: "Disable" }).click();
  await page.getByText("Disabled", { exact: true }).waitFor();

  await page.getByRole("link", { name: "Who changed this merchant" }).click();
  const entry = page.locator(".entries li").filter({ hasText: "Reason: ticket 4711" });
  await entry.waitFor();
  t.true((await entry.innerText()).includes("manager-1"));
  t.is(await entry.locator(".sentence").innerText(), `manager-1 changed the merchant ${MERCHANT}`);
  t.is(await entry.locator("del").innerText(), before);
  t.is(await entry.locator("ins").innerText(), "https://wallet.shop.example/new");
  await page.getByLabel("Action").selectOption("merchant disable");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await entry.waitFor({ state: "detached" });
  await page.locator(".entries .reason").first().waitFor();
  t.deepEqual(await page.locator(".entries .reason").allInnerTexts(), ["Reason: unpaid"]);

  await page.goto(`${stage.origin}/console/#/transactions?merchant=${MERCHANT}`);
  await page.getByText("The last 24 hours have none").waitFor();
  await page.goto(`${stage.origin}/console/#/audit`);
  const listed = page.locator(".entries li").filter({ hasText: "listed transactions" }).first();
  await page.locator(".entries li").first().waitFor();
  t.is(await listed.count(), 0, "the log shows changes");
  t.is(await page.locator(".entries li").filter({ hasText: "signed in" }).count(), 0);
  await page.goto(`${stage.origin}/console/#/audit?target=${MERCHANT}`);
  const notice = page.locator(".notice");
  await notice.getByRole("link").first().waitFor();
  t.deepEqual(
    await notice.getByRole("link").allInnerTexts(),
    ["merchant", "brand", "provider", "key"].map((kind) => `${kind} ${MERCHANT}`),
  );
  await notice.getByRole("link", { name: `merchant ${MERCHANT}` }).click();
  await entry.waitFor();
  t.is(await page.getByLabel("Record").inputValue(), `merchant ${MERCHANT}`);
  await page.goto(`${stage.origin}/console/#/audit?target=ACME/fruits&reads=1`);
  await notice.getByRole("link", { name: "game ACME/fruits" }).waitFor();
  t.is(await notice.getByRole("link").getAttribute("href"), "#/audit?target=game+ACME%2Ffruits&reads=1");
  await page.goto(`${stage.origin}/console/#/audit?target=merchant+nobody`);
  await notice.waitFor();
  t.is(await notice.innerText(), "No entry here");
  await stage.admin.console.getPlayer({ merchant: MERCHANT, player: "ana" });
  await stage.admin.console.listStuckMoney({ kind: "open" });
  await stage.admin.console.listStuckMoney({ kind: "owed", merchant: MERCHANT });
  const player = page.locator('[data-action="transaction player"]');
  await page.goto(`${stage.origin}/console/#/audit`);
  await page.locator(".entries li").first().waitFor();
  t.is(await player.count(), 0, "a look at a player is a read");
  await page.goto(`${stage.origin}/console/#/audit?reads=1`);
  await player.waitFor();
  t.deepEqual(await page.locator('[data-action="transaction stuck"] .sentence').allInnerTexts(), [
    `ADMIN_KEY looked at the owed and stuck money of the merchant ${MERCHANT}`,
    "ADMIN_KEY listed the pending transactions of all merchants",
  ]);
  await page.goto(`${stage.origin}/console/#/audit`);
  await page.locator(".entries li").first().waitFor();
  await page.getByLabel("Also reads and sign-ins").check();
  await listed.waitFor();
  t.true(page.url().endsWith("#/audit?reads=1"), page.url());
  await page.reload();
  await listed.waitFor();
  t.true(await page.getByLabel("Also reads and sign-ins").isChecked());
  for (const [lang, label] of [
    ["es", "También consultas e inicios de sesión"],
    ["pt", "Também consultas e entradas"],
  ]) {
    await page.goto(`${stage.origin}/console/?lang=${lang}#/audit`);
    await page.locator(".entries li").first().waitFor();
    t.false(await page.getByLabel(label as string).isChecked());
    t.is(await page.locator('[data-action="transaction list"]').count(), 0);
  }
  await page.goto(`${stage.origin}/console/?lang=en#/audit?reads=1`);
  await listed.waitFor();
  t.regex(await listed.locator("dd").first().innerText(), /^\d+ \w+ \d{4}, \d\d:\d\d:\d\d$/, "a time, not a number");
});

test("support pings a wallet and sees its answer", async (t) => {
  const stage = await openConsole(t);
  const page = await stage.page(t, "support", `merchant?code=${MERCHANT}`);
  await page.getByLabel("Player").fill("ana");
  await page.getByRole("button", { name: "Ask" }).click();
  await page.getByText("The wallet works").waitFor();
  await page.locator(".finding").getByText("BRL 100.00").waitFor();
  stage.world.walletSecrets.set(MERCHANT, ["another secret"]);
  await page.getByRole("button", { name: "Ask" }).click();
  await page.getByText("The wallet can't be used").waitFor();
  await page.locator(".finding").getByText("signature_refused", { exact: true }).waitFor();
  t.is((await stage.admin.audit.listAuditEntries({ action: "merchant ping" })).entries.length, 2);
});

test("a manager rotates a secret with an overlap, and the new secret signs requests", async (t) => {
  const stage = await openConsole(t);
  const page = await stage.page(t, "manager", `merchant?code=${MERCHANT}`);
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Make a new secret" }).click();
  await dialog.getByLabel("Both secrets are valid for").selectOption("0");
  await dialog.getByText("The old secret ends within a second").waitFor();
  await dialog.getByLabel("Both secrets are valid for").selectOption("24");
  await dialog.getByLabel("Reason").fill("yearly rotation");
  await dialog.getByRole("button", { name: "Make a new secret" }).click();
  const secret = await dialog.locator(".secret").innerText();
  t.regex(secret, /^sk_[A-Za-z0-9_-]{43}$/);
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByText("Two secrets are valid until").waitFor();
  t.false((await page.content()).includes(secret), "the page has forgotten it");
  stage.world.secrets.set(MERCHANT, secret);
  t.true((await stage.world.rest("GET", "/v1/merchant")).ok, "the new secret is valid");

  await page.getByRole("button", { name: "End the old secret now" }).click();
  await dialog.getByLabel("Reason").fill("the merchant has switched");
  await dialog.getByRole("button", { name: "End the old secret now" }).click();
  await page.getByText("One secret is valid.").waitFor();
  t.true((await stage.world.rest("GET", "/v1/merchant")).ok);
});

test("an owner creates a key that works at once, and revokes it; a manager can do neither", async (t) => {
  const stage = await openConsole(t);
  const page = await stage.page(t, "owner", "keys");
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Make an admin key" }).click();
  await dialog.getByLabel("Name").fill("ana");
  await dialog.getByLabel("Role").selectOption("support");
  await dialog.getByText("Also sees transactions and reports by player").waitFor();
  await dialog.getByRole("button", { name: "Make an admin key" }).click();
  const key = await dialog.locator(".secret").innerText();
  await dialog.getByRole("button", { name: "Close" }).click();
  const row = page.locator('tr[data-key="/ana"]');
  await row.getByText("Valid").waitFor();
  const signIn = () =>
    fetch(`${stage.origin}/console/session`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: stage.origin },
      body: JSON.stringify({ key }),
    });
  t.is((await signIn()).status, 200);

  const manager = await stage.page(t, "manager", "keys");
  await manager.locator('tr[data-key="/ana"]').waitFor();
  t.is(await manager.getByRole("button", { name: "Make an admin key" }).count(), 0);
  t.is(await manager.locator('tr[data-key^="/"]').getByRole("button").count(), 0, "admin keys");
  t.is(await manager.locator('tr[data-key^="ACME/"]').getByRole("button").count(), 1, "a provider's key");

  const centers = await Promise.all(
    [".id", ".badge", "td:nth-child(5)", ".button"].map(async (part) => {
      const box = await row.locator(part).boundingBox();
      return box === null ? Number.NaN : box.y + box.height / 2;
    }),
  );
  t.true(Math.max(...centers) - Math.min(...centers) <= 2, `one line: ${centers.join(", ")}`);

  await row.getByRole("button", { name: "Revoke the key ana" }).click();
  await dialog.getByLabel("Reason").fill("left the team");
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await row.getByText("Revoked").waitFor();
  t.is((await signIn()).status, 401);
});
