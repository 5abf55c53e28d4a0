import test from "ava";
import { WalletService } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { FileScope, MERCHANT, openConsole } from "./stage.ts";

test("the page of rounds finds a round that stays open, and a transaction shows the state of its round", async (t) => {
  t.timeout(180_000);
  const scope = new FileScope();
  t.teardown(scope.end);
  const stage = await openConsole(scope);
  const { world } = stage;
  const sessionId = await world.session();
  const move = (action: "bet" | "win", txId: string, roundId: string, roundEnded = false) =>
    world.request(action, { sessionId, txId, roundId, roundEnded });
  t.is(await move("bet", "b0", "first", true), "success");
  t.is(await move("bet", "b1", "stays open"), "success");
  t.is(await move("bet", "b2", "is over"), "success");
  t.is(await move("win", "w2", "is over", true), "success");
  const empty = { sessionId, roundId: "empty" };
  await world.callerOf(world.first).call(WalletService.method.endRound, empty, { keys: world.keys });
  const page = await stage.page(t, "support", `rounds?merchant=${MERCHANT}`);
  await page.getByRole("link", { name: "stays open" }).waitFor();
  const names = () => page.locator("main tbody a.id").allInnerTexts();
  t.deepEqual(await names(), ["stays open"]);
  await page.getByLabel("State").selectOption("Ended");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByRole("link", { name: "is over" }).waitFor();
  t.deepEqual(await names(), ["first", "is over", "empty"]);
  await page.getByRole("link", { name: "is over" }).click();
  await page.locator("main .effect").getByText("Ended", { exact: true }).waitFor();
  t.is(await page.locator("main tbody tr").count(), 2);
  await page.goBack();
  await page.getByRole("link", { name: "empty" }).click();
  await page.locator("main .effect").getByText("Ended", { exact: true }).waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "is over" }).waitFor();
  await page.getByLabel("State").selectOption("Open");
  await page.getByLabel("Opened").selectOption("More than an hour ago");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("No round here").waitFor();
  await page.goto(`${stage.origin}/console/#/transaction?merchant=${MERCHANT}&tx=ACME%3Ab1`);
  await page.locator("dd").getByText("Open", { exact: true }).waitFor();
  await page.goto(`${stage.origin}/console/#/transaction?merchant=${MERCHANT}&tx=ACME%3Ab2`);
  await page
    .locator("dd")
    .getByText(/^Ended, /)
    .waitFor();
  t.pass();
});
