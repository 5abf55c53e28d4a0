/** Open alerts on Today, and their number on the other pages. */

import { readFileSync } from "node:fs";
import anyTest, { type ExecutionContext } from "ava";
import type { Page } from "playwright-core";
import { helpOf, runbookOf } from "../../../console/app/pages/today/alert-help.ts";
import { alerts } from "../../../console/app/words/en/alerts.ts";
import { SqlAlertStore } from "../../../src/adapters/sql/reports/alert-store.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import { ALERTS } from "../../../src/ports/telemetry.ts";
import type { AlertLine } from "../../../src/ports/transactions/alert-store.ts";
import { accessible } from "../../browser/accessible.ts";
import { fits } from "../../browser/fits.ts";
import { type Console, FileScope, MERCHANT, openConsole } from "../stage.ts";

const test = anyTest.serial;
const RPC = "**/aggregator.admin.v1.ConsoleService/ListAlerts";
const HOSTILE = `<img src=x onerror="document.title='owned'">`;
const scope = new FileScope();
/** A stage with alerts of every name, for tests that only look. */
let filled: Promise<Console> | undefined;
anyTest.after.always(scope.end);

const line = (more: Partial<AlertLine>): AlertLine => ({
  name: "credit_failed",
  subject: MERCHANT,
  count: 3,
  firstAgoMs: wholeMs(7_200_000),
  lastAgoMs: wholeMs(60_000),
  txId: "ACME:w1",
  detail: "",
  replica: "host-1",
  lastsMs: null,
  ...more,
});

async function open(): Promise<Console> {
  const stage = await openConsole(scope);
  const detailOf: Partial<Record<string, string>> = {
    wallet_tls: HOSTILE,
    wrong_keys: "192.0.2.1",
    ggr_differs: "2026-01-01 -12.5 BRL",
    slip_stuck: "a slip",
  };
  await new SqlAlertStore(stage.world.database).add(
    ALERTS.map((name, i) =>
      line({
        name,
        subject:
          name === "wrong_keys"
            ? "provider"
            : name === "database_unsafe"
              ? ""
              : name === "wallet_401s"
                ? "m".repeat(64)
                : MERCHANT,
        txId: name === "original_stuck" ? `ACME:${HOSTILE}` : name === "wrong_keys" ? "" : "ACME:w1",
        detail: detailOf[name] ?? "",
        replica: i === 0 ? HOSTILE : "host-1",
        lastAgoMs: wholeMs(i * 1_000),
      }),
    ),
  );
  return stage;
}
const stageWithAll = (): Promise<Console> => {
  filled ??= open();
  return filled;
};

const item = (page: Page, alert: string) => page.locator(`.alerts li[data-alert="${alert}"]`);
const badge = (page: Page) => page.getByRole("navigation").locator(".alert-count");

/** Reads Today again until the alerts are as wanted: they are stored some seconds after they were raised. */
async function readUntil(page: Page, isWanted: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200 && !(await isWanted()); tries++) {
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.waitForTimeout(250);
  }
}

test("an alert is shown with what it means and what to do, counted on other pages, and closed with a reason", async (t) => {
  t.timeout(240_000);
  const stage = await openConsole(t);
  const { world } = stage;
  const viewer = await stage.page(t, "viewer", "today");
  await viewer.getByText("No alert is open").waitFor();
  t.is(await badge(viewer).count(), 0);
  const sessionId = await world.session();
  world.wallet.setFault({ kind: "rejected" });
  t.regex(await world.request("win", { sessionId, txId: "w1" }), /^failed/);
  const shown = item(viewer, "credit_failed");
  await readUntil(viewer, () => shown.isVisible());
  const text = await shown.innerText();
  t.regex(text, /The merchant owes it to a player, unless no bet was debited\./);
  t.regex(text, /What to do: Ask the merchant/);
  t.regex(text, /Once, first .*, last .*\./);
  t.notRegex(text, /host|docs\//, "support has no use for the host and the runbook");
  await shown.getByText("For the people who run the service").click();
  t.regex(
    await shown.locator("details").innerText(),
    /It was last raised on the host .+\. Runbook AggregatorCreditFailed in docs\/runbooks\.md\./,
  );
  t.regex(text, /shop-brl/);
  t.false(text.includes("ACME:w1"), "a viewer sees no transactions");
  t.is(await viewer.getByRole("button", { name: "Mark as done" }).count(), 0);
  await badge(viewer).getByText("1 open alert", { exact: true }).waitFor({ state: "attached" });
  const phone = await stage.page(t, "viewer", "merchants", { viewport: { width: 390, height: 844 } });
  await phone.getByRole("banner").getByText("1 open alert", { exact: true }).waitFor();
  await viewer.goto(`${stage.origin}/console/#/wallets`);
  await viewer.reload();
  await badge(viewer).getByText("1 open alert", { exact: true }).waitFor({ state: "attached" });

  const page = await stage.page(t, "support", "today");
  await item(page, "credit_failed").getByRole("link", { name: "ACME:w1" }).waitFor();
  await item(page, "credit_failed").getByRole("link", { name: "Owed and stuck money" }).click();
  await page.getByRole("heading", { level: 1, name: "Owed and stuck money" }).waitFor();
  t.true(page.url().endsWith(`#/stuck?kind=owed&merchant=${MERCHANT}`), page.url());
  await page.goBack();

  await item(page, "credit_failed").getByRole("button", { name: "Mark as done" }).click();
  const dialog = page.getByRole("dialog");
  // It occurs again while the dialog is open.
  t.regex(await world.request("win", { sessionId, txId: "w2" }), /^failed/);
  while ((await stage.admin.console.listAlerts({})).alerts[0]?.count !== 2n) await page.waitForTimeout(200);
  await dialog.getByRole("textbox").fill(`the merchant paid ${HOSTILE}`);
  await dialog.getByRole("button", { name: "Mark as done" }).click();
  await dialog.getByRole("alert").getByText("It was raised again meanwhile").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await readUntil(page, async () => (await item(page, "credit_failed").innerText()).includes("2 times"));
  t.regex(await item(page, "credit_failed").innerText(), /shop-brl\s+· latest: ACME:w2/);
  await item(page, "credit_failed")
    .getByRole("link", { name: `All owed wins and refunds of ${MERCHANT}` })
    .click();
  await page.locator('tr[data-key="ACME:w2"]').waitFor();
  t.is(await page.locator('tr[data-key="ACME:w1"]').count(), 1, "not only the last one");
  t.true(page.url().endsWith(`#/stuck?kind=owed&merchant=${MERCHANT}`), page.url());
  await page.goBack();
  await item(page, "credit_failed").getByRole("button", { name: "Mark as done" }).click();
  await dialog.getByRole("textbox").fill(`the merchant paid ${HOSTILE}`);
  await dialog.getByRole("button", { name: "Mark as done" }).click();
  await page.getByText("No alert is open").waitFor();
  // The page shows its alerts first, and the navigation counts them a moment later.
  await badge(page).waitFor({ state: "detached" });

  const audit = await stage.page(t, "manager", "audit");
  await audit.getByText("credit_failed (shop-brl)").first().waitFor();
  await audit.getByText("the merchant paid <img").first().waitFor();
  t.is(await audit.locator("main img").count(), 0);
});

anyTest.serial("if the alerts can't be read, the page says so beside the figures, and reads them again", async (t) => {
  const stage = await stageWithAll();
  const page = await stage.page(t, "viewer", "merchants");
  let fails = true;
  await page.route(RPC, (route) =>
    fails ? route.fulfill({ status: 503, json: { code: "unavailable", message: "x" } }) : route.continue(),
  );
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Merchants" }).waitFor();
  t.is(await badge(page).count(), 0, "the number is not known");
  await page.goto(`${stage.origin}/console/#/today`);
  await page.getByRole("alert").getByText("The alerts could not be read.").waitFor();
  await page.getByRole("heading", { level: 2, name: "Merchants" }).waitFor();
  fails = false;
  await page.getByRole("button", { name: "Refresh" }).click();
  await item(page, "win_held").waitFor();
  await item(page, "ggr_differs").getByText("On 1 Jan 2026 (UTC) the report shows BRL 12.50 too little.").waitFor();
  t.is(await page.getByRole("alert").count(), 0);
  fails = true;
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByRole("alert").getByText("The alerts could not be read.").waitFor();
  t.true(await item(page, "win_held").isVisible(), "older alerts stay");
});

anyTest.serial("a key that was revoked can't close an alert, and loses the page", async (t) => {
  const stage = await stageWithAll();
  const { key } = await stage.admin.keys.createKey({ role: "support", name: "leaver", reason: "a test" });
  const page = await stage.tab(t);
  await page.request.post(`${stage.origin}/console/session`, { data: { key }, headers: { origin: stage.origin } });
  await page.goto(`${stage.origin}/console/#/today`);
  await item(page, "win_held").getByRole("button", { name: "Mark as done" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("done");
  // The page would also notice the end of the key when it reads Today again by itself. These calls get no answer.
  await page.route(/ConsoleService\/(GetToday|ListAlerts)$/, () => {});
  await stage.admin.keys.revokeKey({ name: "leaver", reason: "left" });
  // Every replica refuses the key within a second. The page notices it at its next call.
  const refused = async () =>
    (await page.request.get(`${stage.origin}/console/session`, { headers: { origin: stage.origin } })).status() === 401;
  for (let tries = 0; tries < 100 && !(await refused()); tries++) await page.waitForTimeout(200);
  await page.getByRole("dialog").getByRole("button", { name: "Mark as done" }).click();
  await page.getByLabel("Admin key").waitFor();
  t.true((await stage.admin.console.listAlerts({})).alerts.some(({ alert }) => alert === "win_held"));
});

anyTest.serial("markup in an alert is shown as text, also of an alert that the page does not know", async (t) => {
  const stage = await stageWithAll();
  const page = await stage.page(t, "support", "merchants");
  await page.route(RPC, async (route) => {
    const reply = await (await route.fetch()).json();
    const unknown = { ...reply.alerts[0], alert: HOSTILE, merchant: HOSTILE, keyKind: HOSTILE };
    await route.fulfill({ json: { ...reply, alerts: [unknown, ...reply.alerts] } });
  });
  await page.goto(`${stage.origin}/console/#/today`);
  await page.getByText("This page does not know this alert.").waitFor();
  await page.locator(".alerts details[open]").getByText("Runbook Aggregator<img").waitFor();
  await item(page, "wallet_tls").getByText("<img src=x").waitFor();
  await item(page, "original_stuck").getByRole("link", { name: "ACME:<img" }).waitFor();
  t.is(await page.locator("main img, main script").count(), 0);
  t.false((await page.title()).includes("owned"));
});

anyTest(
  "each alert has a text, a page that helps unless it is about the database, and a section of the runbooks",
  (t) => {
    const runbooks = readFileSync("docs/runbooks.md", "utf8");
    t.deepEqual(Object.keys(alerts.alerts.known).sort(), [...ALERTS].sort());
    for (const alert of ALERTS) {
      // The back office has no page about the database.
      t.is(helpOf({ alert, merchant: MERCHANT }) === undefined, alert === "database_unsafe", alert);
      t.true(runbooks.includes(`### ${runbookOf(alert)}\n`), runbookOf(alert));
    }
  },
);

for (const colorScheme of ["dark", "light"] as const)
  anyTest.serial(`Today with all alerts fits and is accessible in the ${colorScheme} look`, async (t) => {
    t.timeout(240_000);
    const stage = await stageWithAll();
    for (const width of [360, 390, 1280, 1920]) {
      const page = await stage.page(t, "owner", "today", { colorScheme, viewport: { width, height: 900 } });
      await shown(t, page, `alerts-${colorScheme}-${width}`);
      await item(page, "win_held").getByRole("button", { name: "Mark as done" }).click();
      await page.getByRole("dialog").waitFor();
      await fits(t, page.mainFrame(), "dialog");
      await accessible(t, page.mainFrame(), "dialog");
      await page.context().close();
    }
  });

async function shown(t: ExecutionContext, page: Page, name: string): Promise<void> {
  await page.getByRole("heading", { level: 2, name: "Merchants" }).waitFor();
  t.is(await page.locator(".alerts li").count(), ALERTS.length);
  await fits(t, page.mainFrame(), name);
  await accessible(t, page.mainFrame(), name);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true });
}

test("while an alert about a wallet is open, its row and the number of wallets in trouble agree with it", async (t) => {
  const stage = await openConsole(t);
  const { world } = stage;
  // The calls of this minute are not counted yet.
  await world.request("bet", { sessionId: await world.session(), txId: "b1" });
  const store = new SqlAlertStore(world.database);
  await store.add([line({ name: "breaker_open", txId: "", lastsMs: wholeMs(120_000) }), line({ subject: "shop-clp" })]);
  for (const [lang, state, goesOn] of [
    ["en", "Failing", /still going on\.$/],
    ["es", "Falla", /sigue en curso\.$/],
    ["pt", "Falha", /continua agora\.$/],
  ] as const) {
    const page = await stage.page(t, "viewer", "nowhere");
    await page.goto(`${stage.origin}/console/?lang=${lang}#/today`);
    const alert = page.locator('.alerts li[data-alert="breaker_open"]');
    await alert.getByText(goesOn).waitFor();
    t.is(await page.locator('.alerts li[data-alert="credit_failed"]').getByText(goesOn).count(), 0);
    await page.locator(`tr[data-key="${MERCHANT}"]`).getByText(state, { exact: true }).waitFor();
    t.is(await page.locator(".tiles > div:last-child dd strong").innerText(), "1");
    if (lang === "en" && process.env.SHOTS)
      await page.screenshot({ path: `${process.env.SHOTS}/today.png`, fullPage: true });
    await page.context().close();
  }
});
