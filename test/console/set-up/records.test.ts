/** Brands, providers, the import of games and the first steps: every action end to end, on both databases. */
import { readFile } from "node:fs/promises";
import anyTest from "ava";
import type { Locator, Page } from "playwright-core";
import { startGameService } from "../../../testbed/provider/game-service.ts";
import { MERCHANT, openConsole } from "../stage.ts";

const test = anyTest.serial;
/** Nothing listens on this port. */
const CLOSED = "http://127.0.0.1:9";

const choose = (page: Page, name: string, text: string): Promise<void> =>
  page.getByLabel("File with games").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

test("a manager creates a brand and changes it, and a viewer only sees it", async (t) => {
  const stage = await openConsole(t);
  const page = await stage.page(t, "manager", "brands");
  await page.getByRole("link", { name: "Create a brand" }).click();
  const create = page.getByRole("button", { name: "Create a brand" });
  await page.getByText("There is no preview, because").waitFor();
  await page.getByLabel("Code").fill("north");
  await page.locator("main").getByLabel("Theme").selectOption("gold-navy");
  await page.getByLabel("Pages that may show the sportsbook").fill("https://north.example/path");
  const language = page.locator("main").getByLabel("Language");
  t.deepEqual(await language.locator("option").allInnerTexts(), [
    "Português (default)",
    "Português",
    "Español",
    "English",
  ]);
  await create.click();
  await page
    .getByRole("alert")
    .getByText(/^Pages that may show the sportsbook: Write at most \d+ origins without a path/)
    .waitFor();
  await page.getByLabel("Pages that may show the sportsbook").fill("https://north.example\nhttps://www.north.example");
  await page.getByText("More settings").first().click();
  await page.getByRole("textbox", { name: "More settings" }).fill("no JSON");
  await create.click();
  await page.getByRole("alert").getByText("A JSON object").waitFor();
  await page.getByRole("textbox", { name: "More settings" }).fill('{"odds":"american"}');
  await create.click();
  await page.getByRole("heading", { name: "north" }).waitFor();
  t.like((await stage.admin.brands.getBrand({ code: "north" })).brand, {
    name: "north",
    theme: "gold-navy",
    layout: "sidebar",
    settings: { odds: "american" },
    allowedOrigins: ["https://north.example", "https://www.north.example"],
  });

  await page.getByLabel("Layout").selectOption("tile");
  await page.getByLabel("Name").fill("North & Co");
  await page.getByLabel("Reason").fill("new look");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The change is stored").waitFor();
  t.like((await stage.admin.brands.getBrand({ code: "north" })).brand, {
    name: "North & Co",
    layout: "tile",
    theme: "gold-navy",
    settings: { odds: "american" },
  });
  await page.goto(`${stage.origin}/console/#/audit?target=brand+north`);
  const entry = page.locator(".entries li").filter({ hasText: "new look" });
  t.is(await entry.locator(".sentence").innerText(), "manager-1 changed the brand north");
  t.deepEqual(await entry.locator("tbody th").allInnerTexts(), ["Name", "Layout"]);

  const viewer = await stage.page(t, "viewer", "brand?code=north");
  await viewer.getByText("North & Co").waitFor();
  t.is(await viewer.getByRole("button", { name: "Save" }).count(), 0);
  await viewer.goto(`${stage.origin}/console/#/brands`);
  await viewer.getByRole("link", { name: "north" }).waitFor();
  await viewer.locator('tr[data-key="north"]').getByText("Português (default)").waitFor();
  t.is(await viewer.getByRole("link", { name: "Create a brand" }).count(), 0);
});

test("a manager creates a provider with a key and sources, and the page shows which source opens games", async (t) => {
  const stage = await openConsole(t);
  const page = await stage.page(t, "manager", "providers");
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Create a provider" }).click();
  await dialog.getByLabel("Code").fill("NOVA");
  await dialog.getByRole("button", { name: "Create a provider" }).click();
  const key = await dialog.locator(".secret").innerText();
  t.regex(key, /^[A-Za-z0-9_-]{43}$/);
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.locator('tr[data-key="NOVA"]').getByText("No source is enabled").waitFor();

  await page.goto(`${stage.origin}/console/#/provider?code=ACME`);
  const working = page.locator(`li[data-source="http://127.0.0.1:${stage.world.provider.port}"]`);
  await working.getByText("No launch in 7 days").waitFor();
  await page.locator("dd").getByText("1", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Add a source" }).click();
  await dialog.getByLabel("Address").fill(CLOSED);
  await dialog.getByLabel("Time limit in ms").fill("50");
  await dialog.getByRole("button", { name: "Add a source" }).click();
  await dialog.getByRole("alert").getByText("Time limit in ms: Choose 100 to 9,000.").waitFor();
  await dialog.getByLabel("Time limit in ms").fill("1000");
  await dialog.getByRole("button", { name: "Add a source" }).click();
  const broken = page.locator(`li[data-source="${CLOSED}"]`);
  await broken.waitFor();

  // Two launches: at the working source, and, while that source is disabled, only at the closed port. The service stores
  // their results some seconds later.
  const readUntil = async (text: Locator): Promise<void> => {
    while (!(await text.isVisible())) {
      await page.getByRole("button", { name: "Refresh" }).click();
      await page.waitForTimeout(250);
    }
  };
  await stage.world.session();
  await readUntil(working.getByText("Launches succeed"));
  await working.getByText("In the last 24 hours: opened 1, failed 0.").waitFor();
  await working.getByRole("button", { name: "Disable" }).click();
  await dialog.getByText("no longer try this source").waitFor();
  await dialog.getByRole("button", { name: "Disable" }).click();
  await working.getByText("Disabled", { exact: true }).waitFor();
  const launch = () => stage.world.rest("POST", "/v1/game/launch", { player_id: "ana", game: "fruits" });
  // A replica knows the change within a second.
  while ((await launch()).ok) await new Promise((resolve) => setTimeout(resolve, 100));
  await readUntil(broken.getByText("Launches fail"));
  await broken.getByText("ECONNREFUSED").waitFor();
  await broken.getByText("Check that the provider's server runs").waitFor();
  t.is(await working.getByText("What to do").count(), 0);
  await page.goto(`${stage.origin}/console/#/providers`);
  await page.locator('tr[data-key="ACME"]').getByText("Launches fail").waitFor();

  await page.goto(`${stage.origin}/console/#/provider?code=ACME`);
  await broken.getByRole("button", { name: "Change" }).click();
  await dialog.getByLabel("Time limit in ms").fill("2500");
  await dialog.getByLabel("Place").fill("1");
  await dialog.getByRole("button", { name: "Save" }).click();
  await broken.getByText("2.5 s").waitFor();
  t.deepEqual(
    (await stage.admin.providers.getProvider({ code: "ACME" })).provider?.sources.map((one) => [
      one.address === CLOSED,
      one.deadlineMs,
      one.enabled,
      one.health?.lastFault,
    ]),
    [
      [true, 2_500, true, "unreachable"],
      [false, 5_000, false, ""],
    ],
  );
  await broken.getByRole("button", { name: "Remove" }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await broken.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Replace all keys" }).click();
  await dialog.getByLabel("Reason").fill("a leak");
  await dialog.getByRole("button", { name: "Replace all keys" }).click();
  t.regex(await dialog.locator(".secret").innerText(), /^[A-Za-z0-9_-]{43}$/);
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.locator("[data-provider-key]").getByText("Revoked").waitFor();
  t.deepEqual(
    (await stage.admin.providers.getProvider({ code: "ACME" })).provider?.keys.map(({ revoked }) => revoked),
    [true, false],
  );
});

test("a viewer sees a provider without the buttons of changes, and the sportsbook needs no source", async (t) => {
  const stage = await openConsole(t);
  const page = await stage.page(t, "viewer", "provider?code=ACME");
  await page.getByText("A launch tries the enabled sources").waitFor();
  t.deepEqual(await page.locator("main").getByRole("button").allInnerTexts(), ["Refresh"]);
  t.is(await page.locator("main").getByRole("link", { name: "Who changed" }).count(), 0);
  await page.goto(`${stage.origin}/console/#/providers`);
  await page.locator('tr[data-key="ACME"]').waitFor();
  t.is(await page.getByRole("button", { name: "Create a provider" }).count(), 0);

  const manager = await stage.page(t, "manager", "provider?code=SPORTSBOOK");
  await manager.getByText("The service opens the sportsbook itself").waitFor();
  t.is(await manager.getByRole("button", { name: "Add a source" }).count(), 0);
  await manager.goto(`${stage.origin}/console/#/provider?code=NOBODY`);
  await manager.locator('main [role="alert"][data-code="RECORD_NOT_FOUND"]').waitFor();
  await manager.goto(`${stage.origin}/console/#/brand?code=nobody`);
  await manager.locator('main [role="alert"][data-code="RECORD_NOT_FOUND"]').waitFor();
  t.pass();
});

test("an import first shows what it changes, or every wrong line, and changes nothing before it is confirmed", async (t) => {
  const stage = await openConsole(t);
  const games = async () => (await stage.admin.catalog.listGames({ provider: "ACME" })).games.map(({ name }) => name);
  const page = await stage.page(t, "manager", "games");
  await choose(page, "games.txt", "");
  await page.getByRole("alert").getByText("whose name ends in .csv or .json").waitFor();
  await choose(
    page,
    "games.csv",
    "provider,code,name,type\nACME,fruits,Fruits,slot\nNOBODY,x,X,slot\nACME,y,Y,bingo\n",
  );
  await page.getByText("Wrong entries: 2").waitFor();
  const wrong = page.getByRole("table", { name: "Wrong lines" });
  t.deepEqual(
    (await wrong.locator("tbody tr").allInnerTexts()).map((text) => text.split(/\s*\t\s*/)),
    [
      ["3", "NOBODY/x", "provider", "NOBODY", "the code of a provider that exists"],
      ["4", "ACME/y", "type", "bingo", "slot or live"],
    ],
  );
  t.is(await page.getByRole("button", { name: "Import", exact: true }).count(), 0);

  const lines = Array.from({ length: 1_200 }, (_, i) => `ACME,game-${i},Game ${i},slot`);
  const file = `provider,code,name,type\nACME,fruits,Früchte,slot\n${lines.join("\n")}\n`;
  await choose(page, "games.csv", file);
  await page.getByText("New: 1,200. Changed: 1. Unchanged: 0.").waitFor();
  const changed = page.getByRole("table", { name: "Changed" }).locator("tbody tr");
  t.is(await changed.count(), 1);
  t.regex(await changed.innerText(), /fruits\s+Name: Fruits → Früchte\s+Demo: Yes → No\s+Früchte\s+ACME/);
  const fresh = page.getByRole("table", { name: "New" });
  t.false(await fresh.isVisible(), "a long list is closed at first");
  await page.getByText("New: 1,200", { exact: true }).click();
  await fresh.locator("tbody tr").nth(499).waitFor();
  t.is(await fresh.locator("tbody tr").count(), 500);
  t.regex(await fresh.locator("tbody tr").first().innerText(), /ACME\s+game-0\s+Game 0/);
  await page.getByText("And 700 more.").waitFor();
  t.deepEqual(await games(), ["Fruits"], "nothing has changed yet");
  await page.getByLabel("Reason").fill("delivery of May");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText("The games are imported. New: 1,200. Changed: 1. Unchanged: 0.").waitFor();
  t.true((await games()).includes("Früchte"));
  await choose(page, "games.csv", file);
  await page.getByText("New: 0. Changed: 0. Unchanged: 1,201.").waitFor();
  await page.getByText("The catalog has everything in this file already.").waitFor();
  t.is(await page.getByRole("button", { name: "Import", exact: true }).count(), 0);

  // A file that takes one game out of the catalog, and does not have the others.
  await choose(page, "games.csv", "provider,code,name,type,active\nACME,fruits,Früchte,slot,false\n");
  await page.getByText("players no longer see them: 1").waitFor();
  t.regex(await changed.innerText(), /Active: Yes → No/);
  await page.getByText("Not in the file: 1,200").click();
  await page.getByText("The import does not change them.").waitFor();
  await page.getByText("And 700 more.").waitFor();
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText("The games are imported. New: 0. Changed: 1. Unchanged: 0.").waitFor();
  t.is((await stage.admin.catalog.listGames({ provider: "ACME", active: true })).total, 1_200);

  // The session ends while the page is open.
  await page.request.delete(`${stage.origin}/console/session`, { headers: { origin: stage.origin } });
  await choose(page, "games.csv", file);
  await page.getByText("Your session has ended").waitFor();
});

test("the example of a file can be imported as it is, and its columns are those that the service takes", async (t) => {
  const stage = await openConsole(t);
  for (const dialect of ["commas, 1.5", "semicolons, 1,5"]) {
    const page = await stage.page(t, "manager", "games");
    await page.getByText("Columns of a CSV file").first().click();
    await page.getByLabel("How the CSV is written").selectOption(dialect);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the example" }).click();
    await page.getByLabel("File with games").setInputFiles({
      name: "games.csv",
      mimeType: "text/csv",
      buffer: await readFile(await (await saved).path()),
    });
    await page.getByText(dialect.startsWith("commas") ? "New: 0. Changed: 1." : "New: 0. Changed: 0.").waitFor();
    if (!dialect.startsWith("commas")) continue;
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("The games are imported.").waitFor();
  }
  const [game] = (await stage.admin.catalog.listGames({ provider: "ACME", q: "fruits" })).games;
  t.like(game, { rtp: 96.2, tags: { values: ["fruit", "new"] } });
});

test("one game is added with a form, and a wrong value is explained in the reader's language", async (t) => {
  const stage = await openConsole(t);
  const page = await stage.page(t, "manager", "games", { locale: "pt-BR" });
  await page.getByText("Adicionar um jogo").click();
  const form = page.locator("form", { hasText: "Verificar o jogo" });
  await form.getByLabel("Provedor").fill("NOBODY");
  await form.getByLabel("Código").fill("zebra");
  await form.getByLabel("Nome").fill("Zebra");
  await form.getByRole("button", { name: "Verificar o jogo" }).click();
  await page.getByRole("table", { name: "Linhas erradas" }).getByText("o código de um provedor que existe").waitFor();
  await form.getByLabel("Provedor").fill("ACME");
  await form.getByRole("button", { name: "Verificar o jogo" }).click();
  await page.getByRole("button", { name: "Importar", exact: true }).click();
  await page.getByText("Os jogos foram importados.").waitFor();
  const [game] = (await stage.admin.catalog.listGames({ provider: "ACME", q: "zebra" })).games;
  t.like(game, { code: "zebra", name: "Zebra", type: "slot", demoAvailable: false, active: true });
});

anyTest.serial(
  "a preview marks the values that an import removes, and a day stays the same day in each zone",
  async (t) => {
    const stage = await openConsole(t);
    const page = await stage.page(t, "manager", "games", { timezoneId: "America/Sao_Paulo" });
    const game = { provider: "ACME", code: "fruits", name: "Fruits", type: "slot", demo_available: true };
    const images = { thumb: "https://cdn.example/t.png", square: "https://cdn.example/s.png" };
    const known = { ...game, images, rtp: 96.2, blocked_countries: [], released_at: "2025-01-12" };
    await choose(page, "games.json", JSON.stringify([known]));
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("The games are imported.").waitFor();

    await choose(page, "games.csv", "provider,code,name,type,active\nACME,fruits,Fruits,slot,false\n");
    const changes = page.getByRole("table", { name: "Changed" }).locator("li");
    await changes.first().waitFor();
    const texts = (await changes.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
    t.deepEqual(
      texts.filter((text) => !text.includes("Pictures")),
      [
        "Removed RTP (percent): 96.2 → unknown",
        "Removed Released on: 12 Jan 2025 → unknown",
        "Demo: Yes → No",
        "Active: Yes → No",
        "Blocked countries: none → unknown",
      ],
    );
    await page
      .getByText("because the file does not have them: Pictures (1), RTP (percent) (1), Released on (1).")
      .waitFor();
    await page.getByText("But “Active” stays as it is, and “Demo” becomes “No”.").waitFor();

    // One picture of two is missing.
    const fewer = { ...known, images: { thumb: images.thumb } };
    await choose(page, "games.json", JSON.stringify([fewer]));
    await page.getByText("because the file does not have them: Pictures (1).").waitFor();
    t.regex(await changes.innerText(), /^Removed\s+Pictures: /);
  },
);

test("the first steps lead from an empty installation to a launched game, and go on where they stopped", async (t) => {
  const stage = await openConsole(t, { isEmpty: true });
  const provider = await startGameService([]);
  t.teardown(() => provider.close());
  const page = await stage.page(t, "manager", "merchants");
  const dialog = page.getByRole("dialog");
  await page.getByRole("link", { name: "The page First steps leads to the first one." }).click();
  const step = page.locator('[aria-current="step"]');
  await step.getByRole("heading", { name: "1. Brand" }).waitFor();
  await step.getByLabel("Code").fill("north");
  await step.getByRole("button", { name: "Create a brand" }).click();

  await step.getByRole("heading", { name: "2. Merchant" }).waitFor();
  await step.getByLabel("Code").fill("north-brl");
  await step.getByLabel("Wallet address").fill(stage.world.wallet.url);
  await step.getByRole("button", { name: "Create a merchant" }).click();
  await dialog.getByText("Give the merchant its code north-brl").waitFor();
  t.regex(await dialog.locator(".secret").innerText(), /^sk_/);
  await dialog.getByRole("button", { name: "Close" }).click();
  // Somebody goes on later.
  await page.reload();

  await step.getByRole("heading", { name: "3. Provider" }).waitFor();
  await step.getByLabel("Code").fill("NOVA");
  await step.getByRole("button", { name: "Create a provider" }).click();
  t.regex(await dialog.locator(".secret").innerText(), /^[A-Za-z0-9_-]{43}$/);
  await step.getByRole("heading", { name: "4. The provider's game server" }).waitFor({ state: "attached" });
  await dialog.getByRole("button", { name: "Close" }).click();
  await step.getByRole("heading", { name: "4. The provider's game server" }).waitFor();
  await step.getByLabel("Address").fill(`http://127.0.0.1:${provider.port}`);
  await step.getByRole("button", { name: "Add a source" }).click();
  await step.getByRole("heading", { name: "5. Games" }).waitFor();
  await choose(page, "games.json", '[{"provider":"NOVA","code":"stars","name":"Stars","type":"slot"}]');
  await step.getByRole("button", { name: "Import", exact: true }).click();
  await step.getByRole("heading", { name: "6. First launch" }).waitFor();
  await step.getByLabel("Player").fill("ana");
  await step.getByRole("button", { name: "Launch" }).click();
  await step.getByText("The game is open at its provider.").waitFor();
  const link = step.getByRole("link", { name: "Open the game" });
  t.regex((await link.getAttribute("href")) ?? "", /^https:\/\/games\.example\/stars\?s=/);
  t.is(await link.getAttribute("rel"), "noopener noreferrer");
  t.deepEqual((await stage.admin.merchants.getMerchant({ code: "north-brl" })).merchant?.products, ["slot", "live"]);
  // The service stores the launch some seconds later.
  while ((await page.locator(".steps").getByText("Done", { exact: true }).count()) < 6) {
    await page.reload();
    await page.getByText("6. First launch").waitFor();
  }
  t.is(await step.count(), 0, "no step is next");
  await page.getByText("The last launch that succeeded:").waitFor();
  await page.getByRole("button", { name: "Launch" }).waitFor();
});

test("a merchant is created on the page of the merchants, and its secret is shown once", async (t) => {
  const stage = await openConsole(t);
  const page = await stage.page(t, "manager", "merchants");
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Create a merchant" }).click();
  await dialog.getByLabel("Code").fill(MERCHANT);
  await dialog.getByRole("button", { name: "Create a merchant" }).click();
  await dialog.getByRole("alert").getByText("A record has this name already").waitFor();
  await dialog.getByLabel("Code").fill("shop-mxn");
  await dialog.getByLabel("Currency").selectOption("MXN");
  await dialog.getByLabel("Live casino").uncheck();
  const jurisdiction = dialog.getByLabel("Jurisdiction");
  await jurisdiction.fill("mx-cmx");
  await dialog.getByRole("button", { name: "Create a merchant" }).click();
  await dialog.getByRole("alert").getByText("Jurisdiction: Write a code of ISO 3166 in capital letters").waitFor();
  await jurisdiction.fill(" MX-CMX");
  await dialog.getByRole("button", { name: "Create a merchant" }).click();
  const secret = await dialog.locator(".secret").innerText();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByRole("link", { name: "shop-mxn" }).waitFor();
  t.false((await page.content()).includes(secret));
  t.like((await stage.admin.merchants.getMerchant({ code: "shop-mxn" })).merchant, {
    currency: "MXN",
    brand: "shop",
    jurisdiction: "MX-CMX",
    products: ["slot"],
  });
  const viewer = await stage.page(t, "viewer", "merchants");
  await viewer.getByRole("link", { name: "shop-mxn" }).waitFor();
  t.is(await viewer.getByRole("button", { name: "Create a merchant" }).count(), 0);
  for (const [lang, label] of [
    ["pt", "Jurisdição"],
    ["es", "Jurisdicción"],
    ["en", "Jurisdiction"],
  ]) {
    await viewer.goto(`${stage.origin}/console/?lang=${lang}#/merchant?code=shop-mxn`);
    await viewer
      .locator("dt")
      .getByText(label as string, { exact: true })
      .waitFor();
    await viewer.locator("dd").getByText("MX-CMX", { exact: true }).waitFor();
  }
});
