import test, { type ExecutionContext } from "ava";
import type { Page } from "playwright-core";
import { startRest } from "../../testbed/callers/rest-server.ts";
import { accessible } from "./accessible.ts";
import { type Casino, openCasino } from "./casino.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

/**
 * The page, its operations shown; fails the test when the page complains of anything, its own security policy among it.
 */
async function open(t: ExecutionContext, address: string, width = 1280): Promise<Page> {
  const context = await casino.browser.newContext({ viewport: { width, height: 900 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on(
    "console",
    (message) => message.type() === "error" && !message.text().includes("status of 4") && t.fail(message.text()),
  );
  page.on("pageerror", (error) => t.fail(error.message));
  page.on("request", (request) =>
    t.is(new URL(request.url(), address).host, new URL(address).host, request.url().slice(0, 80)),
  );
  await page.goto(address);
  await page.locator(".opblock").first().waitFor();
  return page;
}

/** Opens an operation, sends what stands in it, and answers the status that came back. */
async function run(
  page: Page,
  operation: string,
  fill: (block: ReturnType<Page["locator"]>) => Promise<void> = async () => {},
): Promise<string> {
  const block = page.locator(`.opblock[id$="${operation}"]`);
  await block.locator(".opblock-summary-control").click();
  await block.getByRole("button", { name: "Try it out" }).click();
  await fill(block);
  await block.getByRole("button", { name: "Execute" }).click();
  return (await block.locator(".live-responses-table .response .response-col_status").first().textContent()) ?? "";
}

test.serial("calls sent from the page are signed there: 200 for a GET, one with a query, and a launch", async (t) => {
  const page = await open(t, casino.reference);
  t.regex(await run(page, "showMerchant"), /^200/);
  t.regex(
    await run(page, "listGames", async (block) => {
      await block.getByLabel("q", { exact: true }).fill("crown & sons");
      await block.getByLabel("limit", { exact: true }).fill("2");
    }),
    /^200/,
  );
  t.regex(await run(page, "launchGame"), /^200/);
  t.regex((await page.locator('.opblock[id$="launchGame"] .live-responses-table').textContent()) ?? "", /launch_url/);
  await page.getByLabel("Merchant secret").fill("sk_another");
  t.regex(await run(page, "listProviders"), /^401/);
  await page.context().close();
});

test.serial("the secret stands behind the # alone, and leaves the address at once", async (t) => {
  const { hash, search } = new URL(casino.reference);
  const secret = new URLSearchParams(hash.slice(1)).get("secret") ?? "";
  t.regex(secret, /^sk_/);
  t.is(search, "");
  const context = await casino.browser.newContext();
  const page = await context.newPage();
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${JSON.stringify(request.headers())}`));
  await page.goto(casino.reference);
  await page.locator(".opblock").first().waitFor();
  t.is(await page.getByLabel("Merchant secret").inputValue(), secret);
  t.is(new URL(page.url()).hash, "");
  t.true(sent.length > 5 && sent.every((request) => !request.replace(hash, "").includes(secret)));
  await context.close();
});

test.serial("outside of development the page has no field for a secret and nothing to send", async (t) => {
  const rest = await startRest(t, { tryOut: false });
  const page = await open(t, `http://127.0.0.1:${rest.port}/docs#merchant=casa-br&secret=sk_x`);
  await page.locator('.opblock[id$="launchGame"] .opblock-summary-control').click();
  await page.getByText("player_id").first().waitFor();
  t.is(await page.locator("input").count(), 0);
  t.is(await page.getByRole("button", { name: /Try it out|Execute/ }).count(), 0);
  await page.context().close();
});

for (const width of [360, 1280]) {
  test.serial(`at ${width} px the page fits and is accessible, its operations opened and answered`, async (t) => {
    const page = await open(t, casino.reference, width);
    t.regex(await run(page, "showMerchant"), /^200/);
    for (const operation of ["launchGame", "listTransactions"])
      await page.locator(`.opblock[id$="${operation}"] .opblock-summary-control`).click();
    await page.locator('.opblock[id$="launchGame"]').getByText("Callbacks", { exact: true }).click();
    await page.getByText("Return a bet", { exact: true }).click();
    await page.getByRole("tab", { name: "Node" }).press("ArrowLeft");
    t.true(await page.getByRole("tabpanel", { name: "Go" }).isVisible());
    t.false(await page.locator("#code-node").isVisible());
    // Controls are named just after they appear.
    await page.locator('.opblock[id$="listTransactions"] select[aria-label=status]').waitFor();
    await accessible(t, page.mainFrame(), String(width));
    t.is(await page.evaluate(() => document.documentElement.scrollWidth), width);
    await page.context().close();
  });
}
