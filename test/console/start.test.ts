import test from "ava";
import { launchChromium } from "../../testbed/browser/chromium.ts";
import { startSandbox } from "../../testbed/stage/sandbox.ts";

test("npm start prints the console's address and a viewer's key, which works at once", async (t) => {
  t.timeout(180_000);
  const sandbox = await startSandbox({});
  t.teardown(() => sandbox.close());
  const browser = await launchChromium();
  t.teardown(() => browser.close());
  const printed = (name: string): string => new RegExp(`${name} +(\\S+)`).exec(sandbox.printed)?.[1] ?? "";
  const page = await browser.newPage({ locale: "en-GB" });
  page.setDefaultTimeout(30_000);
  await page.goto(printed("Back office"));
  await page.getByLabel("Admin key").fill(printed("Back office key"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Viewer", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Merchants" }).click();
  await page.getByRole("link", { name: "casa-luna-brl" }).waitFor();
  t.pass();
});
