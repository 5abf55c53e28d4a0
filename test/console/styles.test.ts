/** The styles of the console: the browser understands each declaration, and tables fit where they can. */
import test from "ava";
import { type Console, FileScope, openConsole } from "./stage.ts";

const scope = new FileScope();
let stage: Console;

test.before(async () => {
  stage = await openConsole(scope);
});
test.after.always(scope.end);

/** For other browsers. */
const UNKNOWN_TO_CHROMIUM = new Set(["-webkit-text-size-adjust", "-moz-text-size-adjust", "-moz-osx-font-smoothing"]);

interface Declaration {
  readonly where: string;
  readonly property: string;
  /** With the values of the design tokens in place of their names. */
  readonly value: string;
}

/** The declarations of a stylesheet, without those of fonts and of tokens. */
function declarationsOf(text: string): Declaration[] {
  const blocks = [...text.replaceAll(/\/\*.*?\*\//gs, "").matchAll(/([^{};]+)\{([^{}]*)\}/g)];
  const all = blocks.flatMap(([, where = "", body = ""]) =>
    body.split(";").flatMap((one) => {
      const [property = "", value = ""] = one.split(/:(.*)/s).map((part) => part.trim());
      return property === "" ? [] : [{ where: where.trim(), property, value }];
    }),
  );
  const tokens = new Map(
    all.filter(({ property }) => property.startsWith("--")).map((one) => [one.property, one.value]),
  );
  const resolved = (value: string): string => {
    const next = value.replaceAll(/var\((--[\w-]+)(?:,[^()]*)?\)/g, (name, token: string) => tokens.get(token) ?? name);
    return next === value ? value : resolved(next);
  };
  return all
    .filter(({ where, property }) => where !== "@font-face" && !property.startsWith("--"))
    .map((one) => ({ ...one, value: resolved(one.value).replace(/\s*!important$/, "") }));
}

test("the browser understands each declaration of the stylesheet", async (t) => {
  t.timeout(120_000);
  const page = await stage.tab(t);
  await page.goto(`${stage.origin}/console/`);
  await page.getByLabel("Admin key").waitFor();
  const unknown = (declarations: Declaration[]): Promise<Declaration[]> =>
    page.evaluate((all) => all.filter(({ property, value }) => !CSS.supports(property, value)), declarations);
  const sheets = await page
    .locator('link[rel="stylesheet"]')
    .evaluateAll((all) => Promise.all(all.map(async (one) => (await fetch((one as HTMLLinkElement).href)).text())));
  const declarations = sheets.flatMap(declarationsOf);
  t.true(declarations.length > 500, `${declarations.length} declarations`);
  t.deepEqual(
    (await unknown(declarations)).filter(({ property }) => !UNKNOWN_TO_CHROMIUM.has(property)),
    [],
  );
  // A browser drops this one only when it knows the token's value.
  const wrong = declarationsOf(":root { --line: #352c5e } td { border-block: 2px solid var(--line) 0; color: red }");
  t.deepEqual(
    (await unknown(wrong)).map(({ property }) => property),
    ["border-block"],
  );
});

for (const width of [1280, 1920])
  test(`at ${width} px no table of Today is cut`, async (t) => {
    const page = await stage.page(t, "viewer", "today", { viewport: { width, height: 900 } });
    await page.getByRole("table", { name: "Merchants" }).waitFor();
    const cut = await page
      .locator(".today .scroll")
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map(({ ariaLabel }) => ariaLabel));
    t.deepEqual(cut, []);
  });

test("on a phone the header of a table is one line high", async (t) => {
  const page = await stage.page(t, "owner", "", { viewport: { width: 390, height: 844 } });
  for (const address of ["wallets", "keys"]) {
    await page.goto(`${stage.origin}/console/#/${address}`);
    const header = page.locator("main thead tr").first();
    await header.waitFor();
    const height = (await header.boundingBox())?.height ?? 0;
    t.true(height > 20 && height < 40, `${address}: ${height} px`);
  }
});

test("the entry of the shown page is as high as the others, in each language", async (t) => {
  for (const lang of ["en", "es", "pt"]) {
    const page = await stage.page(t, "owner", "nowhere");
    await page.goto(`${stage.origin}/console/?lang=${lang}#/stuck`);
    await page.locator("nav a[aria-current]").waitFor();
    const heights = await page.locator("nav a").evaluateAll((all) => all.map((one) => one.clientHeight));
    t.is(new Set(heights).size, 1, `${lang}: ${heights}`);
    await page.context().close();
  }
});

test("while a dialog is open, the gutter of the scrollbar is as dark as the page", async (t) => {
  const page = await stage.page(t, "owner", "keys", { colorScheme: "light" });
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.getByRole("button", { name: "Make an admin key" }).click();
  await page.getByRole("dialog").waitFor();
  const dark = await ground();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  t.not(await ground(), dark);
});

test("the edge of a list of alerts shows the first words of the next one", async (t) => {
  const page = await stage.page(t, "support", "nowhere", { viewport: { width: 390, height: 844 } });
  const alerts = ["credit_failed", "breaker_open", "resend_horizon_over", "slip_stuck"].map((alert, i) => ({
    ...{
      alert,
      merchant: "shop-brl",
      firstAt: "2026-01-01T10:00:00Z",
      lastAt: "2026-01-01T11:00:00Z",
      count: `${i + 1}`,
    },
  }));
  await page.route("**/ListAlerts", (route) => route.fulfill({ json: { total: alerts.length, alerts } }));
  await page.goto(`${stage.origin}/console/#/today`);
  for (const width of [360, 375, 390, 412, 430, 600]) {
    await page.setViewportSize({ width, height: 844 });
    await page.locator(".alerts li").nth(3).waitFor();
    // Another font has other lines.
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const seen = await page.locator(".alerts ul").evaluate((list) => {
      const edge = list.getBoundingClientRect().bottom;
      const cut = [...list.children].find((one) => one.getBoundingClientRect().bottom > edge + 1);
      return cut === undefined ? Number.POSITIVE_INFINITY : edge - cut.getBoundingClientRect().top;
    });
    t.true(seen >= 90, `at ${width} px: ${seen} px of the cut alert`);
  }
});
