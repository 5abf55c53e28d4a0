/** Sign-in and sign-out, what ends a session, and what each role sees. */
import test from "ava";
import { PAGES } from "./pages.ts";
import { type Console, FileScope, openConsole, ROLES } from "./stage.ts";

const scope = new FileScope();
let stage: Console;

test.before(async () => {
  stage = await openConsole(scope);
  const sessionId = await stage.world.session();
  await stage.world.request("bet", { sessionId, txId: "b1" });
});
test.after.always(scope.end);

test.serial("a wrong key is refused, a right key opens the console, and signing out closes it", async (t) => {
  const page = await stage.tab(t);
  await page.goto(`${stage.origin}/console/`);
  const key = page.getByLabel("Admin key");
  await key.waitFor();
  t.true(await key.evaluate((field) => field === document.activeElement), "the key can be typed at once");
  const [card, choices] = await Promise.all([".sign-in", ".choices"].map((part) => page.locator(part).boundingBox()));
  t.deepEqual([choices?.x, choices?.width], [card?.x, card?.width]);
  await key.fill("a wrong key");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("This is not an admin key").waitFor();
  t.is(await key.inputValue(), "", "the wrong key is gone");
  t.true(await key.evaluate((field) => field === document.activeElement), "the next key can be typed at once");

  await key.fill(stage.keys.support);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
  await page.getByRole("link", { name: "Transactions" }).click();
  await page.getByText("support-1", { exact: true }).waitFor();
  t.false((await page.content()).includes(stage.keys.support));
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  t.false(kept.includes(stage.keys.support) || kept.includes("console_session"), kept);

  await page.reload();
  await page.getByText("No transaction is pending").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Admin key").waitFor();
  await page.reload();
  await page.getByLabel("Admin key").waitFor();
  t.is(await page.getByRole("navigation").count(), 0);
});

test.serial("each role sees its pages; on the other pages a message names the missing right", async (t) => {
  for (const role of ROLES) {
    const page = await stage.page(t, role, "");
    await page.getByRole("navigation").waitFor();
    const allowed = PAGES.filter((one) => ROLES.indexOf(one.role) <= ROLES.indexOf(role));
    for (const { address, ready } of allowed) {
      await page.goto(`${stage.origin}/console/#/${address}`);
      await page.getByText(ready).first().waitFor();
    }
    const links = await page
      .getByRole("navigation")
      .getByRole("link")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    const places = new Set(allowed.map(({ address }) => `#/${address.split("?")[0]}`));
    const expected = [...places].filter((one) => !/(transaction|brand|merchant|provider|wallet)$/.test(one));
    t.deepEqual(links, expected, role);
    for (const { address } of PAGES.filter((one) => !allowed.includes(one))) {
      await page.goto(`${stage.origin}/console/#/${address}`);
      const refused = page.locator("main").getByRole("alert");
      await refused.getByText("Your key may not see this").waitFor();
      await refused.getByText(/^The page needs a key with the role “(Support|Manager)” or a higher one/).waitFor();
      t.is(await page.locator("main h1").count(), 1);
    }
    await page.context().close();
  }
  t.pass();
});

test.serial("only roles with the right see the buttons of changes", async (t) => {
  const seen: string[][] = [];
  for (const role of ROLES) {
    const page = await stage.page(t, role, "merchant?code=shop-brl");
    await page.getByRole("heading", { name: "Secret" }).waitFor();
    seen.push(await page.locator("main").getByRole("button").allTextContents());
    await page.context().close();
  }
  const changes = ["Change the wallet address", "Change the list of addresses", "Disable", "Ask", "Make a new secret"];
  t.deepEqual(seen, [[], ["Ask"], changes, changes]);
});

test.serial("a revoked key ends its session on every page, and the address stays for the next sign-in", async (t) => {
  const { key } = await stage.admin.keys.createKey({ role: "manager", name: "leaver" });
  const context = await stage.tab(t);
  const session = await context.request.post(`${stage.origin}/console/session`, {
    data: { key },
    headers: { origin: stage.origin },
  });
  t.is(session.status(), 200);
  const tabs = [];
  for (const { address, ready } of PAGES) {
    const page = await context.context().newPage();
    await page.goto(`${stage.origin}/console/#/${address}`);
    await page.getByText(ready).first().waitFor();
    tabs.push({ page, address });
  }
  await stage.admin.keys.revokeKey({ name: "leaver", reason: "left" });
  for (const { page, address } of tabs) {
    // Today reads again by itself. Any other page notices the end at its next call.
    if (address !== "today")
      await page
        .getByRole("navigation")
        .getByRole("link", { name: address.startsWith("keys") ? "Audit log" : "Keys and roles" })
        .click();
    await page.getByText("Your session has ended").waitFor();
    t.is(await page.getByRole("navigation").count(), 0);
  }
  const left = tabs.at(-1);
  if (left === undefined) throw new Error("no tab");
  await left.page.getByLabel("Admin key").fill(stage.keys.manager);
  await left.page.getByRole("button", { name: "Sign in" }).click();
  await left.page.getByRole("heading", { level: 1, name: "Keys and roles" }).waitFor();
});

test.serial("if the service can't reach its database, each page says so, and its button loads it again", async (t) => {
  const page = await stage.page(t, "owner", "");
  await page.getByRole("navigation").waitFor();
  for (const { address, ready } of PAGES) {
    await page.route("**/aggregator.*/**", (route) =>
      route.fulfill({
        status: 503,
        contentType: "application/json",
        headers: { "error-code": "SERVICE_UNAVAILABLE" },
        body: JSON.stringify({ code: "unavailable", message: "SERVICE_UNAVAILABLE" }),
      }),
    );
    await page.goto("about:blank");
    await page.goto(`${stage.origin}/console/#/${address}`);
    await page
      .locator('main [role="alert"][data-code="SERVICE_UNAVAILABLE"]')
      .getByText("can't reach its database")
      .waitFor();
    await page.unroute("**/aggregator.*/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText(ready).first().waitFor();
    // Some of these texts also stand on a page that still loads.
    await page.getByRole("alert").first().waitFor({ state: "detached" });
  }
  t.pass();
});

test.serial("a page whose code could not be loaded says so, and loads again", async (t) => {
  const page = await stage.page(t, "viewer", "merchants");
  await page.getByText("shop-clp").first().waitFor();
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.getByRole("link", { name: "Reports" }).click();
  await page.locator("main").getByRole("alert").getByText("The service does not answer").waitFor();
  await page.unroute("**/assets/*.js");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 1, name: "Reports" }).waitFor();
  t.pass();
});

test.serial("an address that changes while the page is drawn for the first time is shown", async (t) => {
  const page = await stage.page(t, "owner", "merchants");
  await page.getByRole("heading", { name: "Merchants" }).waitFor();
  await page.addInitScript(() => {
    const watched = new MutationObserver(() => {
      if (document.querySelector(".frame") === null) return;
      watched.disconnect();
      location.hash = "#/keys";
    });
    watched.observe(document, { subtree: true, childList: true });
  });
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Keys and roles" }).waitFor();
  t.pass();
});

test.serial("the pages are in the browser's language or the chosen one, and keep the chosen look", async (t) => {
  const page = await stage.page(t, "owner", "merchants", { locale: "pt-BR", colorScheme: "dark" });
  await page.getByRole("heading", { level: 1, name: "Operadores" }).waitFor();
  await page.getByLabel("Idioma").selectOption("es");
  await page.getByRole("link", { name: "Reportes" }).waitFor();
  t.is(await page.locator("html").getAttribute("lang"), "es");
  const ground = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--ground").trim());
  const dark = await ground();
  await page.getByLabel("Tema").selectOption("light");
  let light = await ground();
  while (light === dark) light = await ground();
  await page.reload();
  await page.getByRole("link", { name: "Reportes" }).waitFor();
  t.is(await ground(), light);
  await page.getByLabel("Tema").selectOption("system");
  while ((await ground()) === light);
  t.is(await ground(), dark);
});
