/** Tests the content of the target until the sportsbook answers. */
import test from "ava";
import { THEMES_BY_NAME } from "../../sandbox/sportsbook/themes.ts";
import { Stage, type Visit } from "../../testbed/browser/library-stage.ts";
import { placeholder } from "../../web-renderer/placeholder.ts";
import { THEMES } from "../../web-renderer/protocol.ts";

let stage: Stage;

test.before(async () => {
  stage = await Stage.open();
});
test.after.always(() => stage?.close());

test("the background is the theme's colour, as exactly as three digits can write it", (t) => {
  for (const theme of THEMES) {
    const [, ...digits] = / #(\w)(\w)(\w)$/.exec(placeholder(theme)) ?? [];
    const channels = digits.map((digit) => Number.parseInt(digit, 16) * 17);
    const ground = THEMES_BY_NAME[theme].colours.ground;
    const exact = [1, 3, 5].map((at) => Number.parseInt(ground.slice(at, at + 2), 16));
    t.is(channels.length, 3, theme);
    for (const [i, channel] of channels.entries())
      t.true(Math.abs(channel - (exact[i] ?? 0)) <= 8, `${theme} ${ground}`);
  }
  t.true(placeholder(undefined).endsWith(" #0000"));
});

const background = (visit: Visit) =>
  visit.page.locator("#target iframe").evaluate((iframe) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(iframe);
    return { backgroundColor, hasRows: backgroundImage.startsWith("repeating-linear-gradient") };
  });

test.serial(
  "the placeholder is visible until the sportsbook answers, causes no layout shift, and does not move, even for players who allow motion",
  async (t) => {
    let release = () => {};
    const visit = await stage.visit();
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await visit.page.route("**/?brand=luna", async (route) => {
      await held;
      await route.continue();
    });
    await visit.page.evaluate(() => {
      const shifts: number[] = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
      }).observe({ type: "layout-shift", buffered: true });
      Object.assign(window, { shifts });
    });
    await visit.initialize({ themeName: "gold-navy", token: "jwt-skeleton" });
    t.deepEqual(await background(visit), { backgroundColor: "rgb(0, 17, 51)", hasRows: true });
    const box = await visit.page.locator("#target").boundingBox();
    t.is(await visit.page.evaluate(() => document.getAnimations().length), 0);
    release();
    await visit.started();
    t.deepEqual(await background(visit), { backgroundColor: "rgba(0, 0, 0, 0)", hasRows: false });
    t.deepEqual(await visit.page.locator("#target").boundingBox(), box);
    t.deepEqual(await visit.page.locator("#target > *").count(), 1);
    t.deepEqual(await visit.page.evaluate(() => (window as unknown as { shifts: number[] }).shifts), []);
    await visit.close();
  },
);

test.serial("without a theme the page's own background is visible; an error removes the placeholder", async (t) => {
  stage.shown.set("sportsbook /refusing/", {
    html: `<!doctype html><script>addEventListener("message", ({ data, origin }) => {
      window.refuse = () => parent.postMessage({ ...data, kind: "refusal", name: "UNAVAILABLE" }, origin);
    });</script>`,
  });
  const visit = await stage.visit();
  await visit.initialize({ url: `${stage.sportsbook}/refusing` });
  t.deepEqual(await background(visit), { backgroundColor: "rgba(0, 0, 0, 0)", hasRows: true });
  const frame = await visit.sportsbook();
  await frame.waitForFunction(() => "refuse" in window);
  t.true((await background(visit)).hasRows);
  await frame.evaluate(() => (window as unknown as { refuse: () => void }).refuse());
  await visit.untilCalled("onError");
  t.false((await background(visit)).hasRows);
  await visit.close();
});
