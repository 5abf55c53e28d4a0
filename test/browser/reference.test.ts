import test, { type ExecutionContext } from "ava";
import type { BrowserContextOptions, Page } from "playwright-core";
import { startRest } from "../../testbed/callers/rest-server.ts";
import { accessible } from "./accessible.ts";
import { type Casino, openCasino } from "./casino.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

/** Opens the page. Any error of the page, including a violation of its security policy, fails the test. */
async function open(t: ExecutionContext, address: string, options: BrowserContextOptions = {}): Promise<Page> {
  const viewport = { width: 1280, height: 900 };
  const context = await casino.browser.newContext({ viewport, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on(
    "console",
    (message) => message.type() === "error" && !message.text().includes("status of 4") && t.fail(message.text()),
  );
  page.on("pageerror", (error) => t.fail(error.message));
  page.on("request", (request) =>
    t.is(new URL(request.url(), address).host, new URL(address).host, request.url().slice(0, 80)),
  );
  await page.goto(address);
  await page.locator("search").waitFor({ state: options.javaScriptEnabled === false ? "attached" : "visible" });
  return page;
}

/** Opens the form of an operation, sends the call, and returns the line with the result. */
async function run(page: Page, summary: string, fill: Readonly<Record<string, string>> = {}): Promise<string> {
  const section = page.getByRole("region", { name: summary });
  const form = section.locator("form");
  if (!(await form.isVisible())) await section.getByText("Try it", { exact: true }).click();
  for (const [name, value] of Object.entries(fill)) await form.getByLabel(name, { exact: true }).fill(value);
  await form.locator("[role=status]").evaluate((status) => status.replaceChildren());
  await form.getByRole("button", { name: "Sign and send" }).click();
  return (await form.locator(".answer-status").textContent()) ?? "";
}

const docs = (name: string): string => new URL(name === "" ? "docs" : `docs/${name}`, casino.reference).href;

test.serial(
  "the reference page signs the calls that it sends: a GET, a GET with a query, and a launch get 200",
  async (t) => {
    const page = await open(t, casino.reference);
    t.regex(await run(page, "Your merchant as we see it"), /^200/);
    t.regex(await run(page, "The catalog", { q: "crown & sons", limit: "2" }), /^200/);
    t.regex(await run(page, "Open a game"), /^200/);
    t.regex(
      (await page.getByRole("region", { name: "Open a game" }).locator("form pre").textContent()) ?? "",
      /launch_url/,
    );
    t.regex(await run(page, "One transaction, with every call", { tx_id: "AURORA:a/b c" }), /^404/);
    await page.getByLabel("Merchant secret").fill("sk_another");
    t.regex(await run(page, "The providers of the games"), /^401/);
    await page.context().close();
  },
);

test.serial(
  "the secret is only after the # of the address, and the page removes it from the address at once",
  async (t) => {
    const { hash, search } = new URL(casino.reference);
    const secret = new URLSearchParams(hash.slice(1)).get("secret") ?? "";
    t.regex(secret, /^sk_/);
    t.is(search, "");
    const context = await casino.browser.newContext();
    const page = await context.newPage();
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.url()} ${JSON.stringify(request.headers())}`));
    await page.goto(casino.reference);
    await page.locator("search").waitFor();
    t.is(await page.getByLabel("Merchant secret").inputValue(), secret);
    t.is(new URL(page.url()).hash, "");
    t.true(sent.length > 5 && sent.every((request) => !request.replace(hash, "").includes(secret)));
    await context.close();
  },
);

test.serial(
  "outside of development the reference page has no field for a secret and no button that sends a call",
  async (t) => {
    const rest = await startRest(t, { tryOut: false });
    const page = await open(t, `http://127.0.0.1:${rest.port}/docs#merchant=casa-br&secret=sk_x`);
    t.deepEqual(await page.locator("input").evaluateAll((all) => all.map(({ id }) => id)), ["page-search"]);
    t.is(await page.getByText(/^(Try it|Sign and send)$/).count(), 0);
    await page.context().close();
  },
);

test.serial("a reader finds a section with the search and goes there, with the keyboard alone", async (t) => {
  const page = await open(t, docs("changelog"));
  await page.keyboard.press("Control+k");
  await page.keyboard.type("reply_start path");
  const results = page.locator("#page-found a");
  await results.first().waitFor();
  t.regex((await page.locator("#page-found [role=status]").textContent()) ?? "", /^\d+ results?$/);
  await page.keyboard.press("ArrowDown");
  await page.locator("#page-found a:focus").waitFor();
  t.true(await results.first().evaluate((link) => link === document.activeElement));
  await page.keyboard.press("Escape");
  await page.locator("#page-found").waitFor({ state: "hidden" });
  t.is(await page.evaluate(() => document.activeElement?.id), "page-search");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Sign a call in");
  await results.getByText("First bet in five steps").first().waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("NOT_RESENDABLE");
  await page.locator("#page-found a[href*='#resendTransaction']").click();
  await page.waitForURL(/\/docs#resendTransaction$/);
  await page.getByRole("searchbox").fill("zzzz");
  await page.getByText("Nothing found").waitFor();
  await page.context().close();
});

test.serial(
  "if the search's index cannot be loaded, the page shows this, and the next typed letter tries again",
  async (t) => {
    const page = await open(t, docs("changelog"));
    await page.route("**/docs/search.json", (route) => route.fulfill({ status: 429, json: { success: false } }));
    const search = page.getByRole("searchbox");
    await search.fill("limits");
    await page.getByText("The search is not available now. Try again in a moment.").waitFor();
    await page.unroute("**/docs/search.json");
    await search.fill("limits ");
    await page.locator("#page-found a").first().waitFor();
    t.regex((await page.locator("#page-found [role=status]").textContent()) ?? "", /^\d+ results?$/);
    await page.context().close();
  },
);

test.serial("without scripts a page of /docs can be read, and the menu opens in a narrow window", async (t) => {
  const page = await open(t, docs("wallet"), { javaScriptEnabled: false, viewport: { width: 360, height: 800 } });
  t.is(await page.locator("h1").textContent(), "The wallet callback");
  t.false(await page.getByRole("link", { name: "Signing" }).first().isVisible());
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("link", { name: "Signing" }).first().click();
  await page.waitForURL(/\/docs\/signing$/);
  t.is(await page.locator("h1").textContent(), "Signing");
  await page.context().close();
});

test.serial("a menu that covers the page closes when the reader chooses a link of the same page", async (t) => {
  const page = await open(t, docs(""), { viewport: { width: 360, height: 800 } });
  await page.getByRole("button", { name: "Menu" }).press("Enter");
  await page.getByRole("navigation").getByRole("link", { name: "Credit a win" }).click();
  await page.getByRole("navigation").waitFor({ state: "hidden" });
  t.true(await page.getByRole("heading", { name: "Credit a win" }).isVisible());
  await page.context().close();
});

const PAGES = ["", "first-bet", "wallet", "errors", "sportsbook", "rules-errors", "changelog"];
for (const [width, colorScheme] of [
  [360, "dark"],
  [360, "light"],
  [768, "light"],
  [1280, "dark"],
  [1280, "light"],
  [1920, "light"],
] as const) {
  test.serial(`at ${width} px in the ${colorScheme} look the pages of /docs fit and are accessible`, async (t) => {
    for (const name of PAGES) {
      const page = await open(t, docs(name), { viewport: { width, height: 900 }, colorScheme });
      t.is(await page.evaluate(() => document.documentElement.scrollWidth), width, name);
      if (name === "") {
        await page.locator("details").evaluateAll((all) => all.map((one) => one.setAttribute("open", "")));
        await page.getByRole("tab", { name: "Node" }).press("ArrowLeft");
        await page.getByRole("tabpanel", { name: "Go" }).waitFor();
        t.is(await page.evaluate(() => document.documentElement.scrollWidth), width, "with all parts opened");
      }
      await accessible(t, page.mainFrame(), `${name} at ${width} in ${colorScheme}`);
      if (name === "errors") {
        await page.getByRole("searchbox").fill("signature");
        await page.locator("#page-found a").first().waitFor();
        await accessible(t, page.mainFrame(), "the search");
      }
      await page.context().close();
    }
  });
}
