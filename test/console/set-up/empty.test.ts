/** The set-up pages of an empty installation, and what a viewer may not do there. */
import test from "ava";
import { FileScope, MERCHANT, openConsole } from "../stage.ts";

test("each set-up page of an empty installation says that there is nothing yet", async (t) => {
  t.timeout(180_000);
  const scope = new FileScope();
  t.teardown(scope.end);
  const stage = await openConsole(scope, { isEmpty: true });
  const page = await stage.page(t, "owner", "nowhere");
  // The keys of the test itself, and the provider that every installation has.
  for (const rpc of ["ListKeys", "ListProviders"])
    await page.route(`**/${rpc}`, (route) => route.fulfill({ json: {} }));
  for (const [address, none] of [
    ["brands", "No brand yet"],
    ["merchants", "No merchant yet"],
    ["providers", "No provider yet"],
    ["keys", "No key yet"],
    ["wallets", "No merchant yet"],
    ["reports", "No merchant yet"],
    ["transactions", "No merchant yet"],
  ] as const) {
    await page.goto(`${stage.origin}/console/#/${address}`);
    await page.locator("main").getByText(none, { exact: true }).waitFor();
  }
  t.pass();
});

test("a viewer sees no button that changes something", async (t) => {
  t.timeout(180_000);
  const scope = new FileScope();
  t.teardown(scope.end);
  const stage = await openConsole(scope);
  const page = await stage.page(t, "viewer", "nowhere");
  // Buttons that only read.
  const harmless =
    /^(Refresh|Show|Today|Yesterday|7 days|30 days|Clear the filters|Save as CSV|Show all .*|Show more)$/;
  for (const [address, ready] of [
    ["today", "GGR by hour"],
    ["stuck", "Nothing is owed or stuck"],
    ["wallets", "shop-clp"],
    ["reports", "No revenue in these days"],
    ["brands", "shop"],
    ["brand?code=shop", "There is no preview, because"],
    ["merchants", "shop-clp"],
    [`merchant?code=${MERCHANT}`, "Wallet address"],
    ["providers", "ACME"],
    ["provider?code=ACME", "A launch tries the enabled sources"],
  ] as const) {
    await page.goto(`${stage.origin}/console/#/${address}`);
    await page.locator("main").getByText(ready).first().waitFor();
    const names = (await page.locator("main button:visible").allInnerTexts()).filter((name) => !harmless.test(name));
    t.deepEqual(names, [], address);
  }
});
