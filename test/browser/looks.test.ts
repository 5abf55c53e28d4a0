import test from "ava";
import { accessible } from "./accessible.ts";
import { type Casino, openCasino, Tab } from "./casino.ts";
import { fits } from "./fits.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

for (const [width, height] of [
  [360, 780],
  [820, 1100],
  [1440, 900],
] as const) {
  test.serial(`at ${width} px every page of the casino fits and is accessible`, async (t) => {
    const tab = await Tab.open(casino, { width, height });
    const look = async (where: string): Promise<void> => {
      // An automatic check of colours in the middle of a fade would find faults. Some animations never end.
      for (const frame of tab.page.frames())
        await frame.waitForFunction(() =>
          document
            .getAnimations()
            .every(
              ({ playState, effect }) => playState !== "running" || effect?.getComputedTiming().endTime === Infinity,
            ),
        );
      for (const frame of tab.page.frames()) await fits(t, frame, where);
      for (const frame of tab.page.frames()) await accessible(t, frame, where);
    };
    await look("login");
    await tab.logIn("Ana", width === 360 ? "COP" : width === 820 ? "MXN" : "ARS");
    await look("lobby");
    await tab.page.getByRole("searchbox", { name: "Search games" }).fill("no such game");
    await look("empty search");
    await tab.page.getByRole("searchbox", { name: "Search games" }).fill("");
    await tab.play("Solar Crown");
    await tab.spinButton.waitFor();
    await tab.spin();
    await look("slot");
    await tab.game.getByRole("button", { name: "Backstage" }).click();
    await look("backstage");
    if (width < 1088) await tab.page.getByRole("button", { name: /What just happened/ }).click();
    await tab.setWallet("Garbage");
    if (width < 1088) await tab.page.getByRole("button", { name: /What just happened/ }).click();
    await tab.spin();
    await look("pending bet");
    await tab.backToLobby();
    await tab.play("Roulette Copacabana");
    await tab.game.locator('[data-spot="17"]').waitFor();
    await look("table");
    if (width < 1088) {
      await tab.page.getByRole("button", { name: /What just happened/ }).click();
      await look("sheet");
    }
    await tab.close();
  });
}

test.serial(
  "the pages load nothing from other hosts, and only the merchant's site may show a game in a frame",
  async (t) => {
    const tab = await Tab.open(casino);
    const hosts = new Set<string>();
    const complaints: string[] = [];
    tab.page.on("request", (request) => hosts.add(new URL(request.url()).hostname));
    tab.page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    tab.page.on("pageerror", (error) => complaints.push(error.message));
    await tab.page.reload();
    await tab.logIn("Ana", "PEN");
    const launched = tab.page.waitForResponse((response) => response.url().endsWith("/api/launch"));
    await tab.play("Phoenix Rise");
    const { launch_url } = (await (await launched).json()) as { launch_url: string };
    await tab.spinButton.waitFor();
    await tab.spin();
    t.deepEqual([...hosts], ["localhost"]);
    t.deepEqual(complaints, []);
    const policy = (await fetch(launch_url)).headers.get("content-security-policy") ?? "";
    t.true(policy.endsWith(`frame-ancestors ${casino.url}`), policy);
    await tab.close();
  },
);
