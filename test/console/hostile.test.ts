/** Names and texts from outside are shown as text, and run nothing. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test from "ava";
import { FileScope, MERCHANT, openConsole } from "./stage.ts";

const HOSTILE = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>\u202e\u200b`;

test("markup and invisible characters in the names of brands, merchants, providers, games, players and rounds, in reasons and in wallets' replies are shown as text", async (t) => {
  t.timeout(300_000);
  const scope = new FileScope();
  t.teardown(scope.end);
  const stage = await openConsole(scope);
  const { world, admin } = stage;
  const wallet = createServer((_, response) => response.writeHead(500, { "content-type": "text/html" }).end(HOSTILE));
  await new Promise<void>((resolve) => wallet.listen(0, "127.0.0.1", resolve));
  t.teardown(() => wallet.close());
  world.wallet.ledger.addPlayer(MERCHANT, HOSTILE, 10_000n);
  const sessionId = await world.session(MERCHANT, { player_id: HOSTILE });
  t.is(await world.request("bet", { sessionId, txId: "ok", roundId: HOSTILE }), "success");
  await admin.merchants.setMerchant({
    code: MERCHANT,
    name: HOSTILE,
    walletUrl: `http://127.0.0.1:${(wallet.address() as AddressInfo).port}/`,
    reason: HOSTILE,
  });
  await admin.brands.setBrand({ code: "shop", name: HOSTILE, settings: { note: HOSTILE }, reason: HOSTILE });
  await admin.providers.setProvider({ code: "ACME", name: HOSTILE, reason: HOSTILE });
  await admin.catalog.setGame({ provider: "ACME", code: "fruits", name: HOSTILE });
  // The replica that made the changes knows the new address.
  t.is(await world.request("bet", { sessionId, txId: "bad", roundId: HOSTILE }), "pending");

  const page = await stage.page(t, "owner", "");
  await page.locator("h1").waitFor();
  const addresses = [
    `transactions?merchant=${MERCHANT}`,
    `transactions?q=${encodeURIComponent(HOSTILE)}`,
    `transactions?merchant=${MERCHANT}&player=${encodeURIComponent(HOSTILE)}`,
    `transaction?merchant=${MERCHANT}&tx=ACME%3Abad`,
    `reports?merchant=${MERCHANT}&by=player&tz=UTC`,
    "brands",
    "merchants",
    "providers",
    "provider?code=ACME",
    "start",
    `merchant?code=${MERCHANT}`,
    "audit",
  ];
  for (const address of addresses) {
    await page.goto(`${stage.origin}/console/#/${address}`);
    await page.locator("main").getByText("onerror=").first().waitFor({ state: "attached" });
    t.is(await page.locator("main img, main script").count(), 0, address);
    const text = await page.locator("main").innerText();
    t.notRegex(text, /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u, address);
    t.true(text.includes("[U+202E][U+200B]"), address);
  }
  await page.goto(`${stage.origin}/console/#/transaction?merchant=${MERCHANT}&tx=ACME%3Abad`);
  await page.getByText("What the wallet sent").click();
  await page.locator("pre").getByText("onerror=").waitFor();
  await page.goto(`${stage.origin}/console/#/brand?code=shop`);
  t.is(await page.getByLabel("Name", { exact: true }).inputValue(), HOSTILE);
  t.is(await page.locator("main img, main script").count(), 0);
  await page.goto(`${stage.origin}/console/#/games`);
  const quoted = `"${HOSTILE.replaceAll('"', '""')}"`;
  const name = `${HOSTILE}.csv`.replaceAll("/", "");
  for (const [provider, answer] of [
    ["ACME", "New: 1."],
    [quoted, "Wrong entries: 1"],
  ] as const) {
    const buffer = Buffer.from(`provider,code,name,type\n${provider},${quoted},x,slot\n`);
    await page.getByLabel("File with games").setInputFiles({ name, mimeType: "text/csv", buffer });
    await page.getByText(answer).waitFor();
    t.is(await page.locator("main img, main script").count(), 0, answer);
  }
  await page.goto(`${stage.origin}/console/#/merchant?code=${encodeURIComponent(HOSTILE)}`);
  await page.locator("main").getByRole("alert").waitFor();
  t.is(await page.locator("main img, main script").count(), 0);
  t.false((await page.title()).includes("owned"));
  const policy = (await fetch(`${stage.origin}/console/`)).headers.get("content-security-policy") ?? "";
  t.true(policy.startsWith("default-src 'self'"), policy);
  t.false(policy.includes("unsafe"), policy);
});
