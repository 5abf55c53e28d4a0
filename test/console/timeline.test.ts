/** The order of a transaction's life on its page. */
import test from "ava";
import { FileScope, MERCHANT, openConsole } from "./stage.ts";

const scope = new FileScope();
test.after.always(scope.end);

test("a transaction begins with its creation, also if a replica's clock puts the first call a millisecond before", async (t) => {
  const stage = await openConsole(scope);
  const { world } = stage;
  await world.request("bet", { sessionId: await world.session(), txId: "b1" });
  const page = await stage.page(t, "support", "keys");
  await page.route("**/GetTimeline", async (route) => {
    const reply = await (await route.fetch()).json();
    const { transaction, attemptLog } = reply.timeline.transaction;
    attemptLog[0].at = new Date(Date.parse(transaction.createdAt) - 1).toISOString();
    await route.fulfill({ json: reply });
  });
  await page.goto(`${stage.origin}/console/#/transaction?merchant=${MERCHANT}&tx=ACME:b1`);
  const moments = page.locator(".timeline > li");
  await moments.first().waitFor();
  t.regex(await moments.first().innerText(), /ana bet BRL\s2\.50\./);
  t.regex(await moments.nth(1).innerText(), /The wallet was asked\./);
});
