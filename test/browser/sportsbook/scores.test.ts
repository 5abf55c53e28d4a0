/** Where the sportsbook shows a score: in the middle between both sides, whatever their names. */
import test from "ava";
import type { Frame, Page } from "playwright-core";
import { type Casino, openCasino } from "../casino.ts";

let casino: Casino;

test.before(async () => {
  casino = await openCasino();
});
test.after.always(() => casino?.close());

/** The sportsbook in the merchant's page, as a visitor sees it. */
async function visit(width: number, height: number): Promise<{ page: Page; frame: () => Frame }> {
  const context = await casino.browser.newContext({ viewport: { width, height }, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${casino.url}#/sportsbook`);
  await page.frameLocator("iframe").locator("main .odds").first().waitFor();
  return { page, frame: () => page.frames().at(-1) as Frame };
}

/**
 * Sets names of very different lengths for the two sides. Returns the distance of each score from the middle between
 * the sides in pixels, and whether the score overlaps a name.
 */
const measure = (frame: Frame, boxes: string, direction: "across" | "down") =>
  frame.evaluate(
    ({ boxes, direction }) =>
      [...document.querySelectorAll(boxes)].map((box) => {
        const [home, away] = [...box.querySelectorAll(".side")] as [Element, Element];
        (home.lastElementChild as Element).textContent = "Esporte Clube Ribeirão das Laranjeiras";
        (away.lastElementChild as Element).textContent = "Sol";
        const side = (element: Element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect();
          return direction === "across" ? [left, right] : [top, bottom];
        };
        const [first, last] = [side(home), side(away)] as [number[], number[]];
        const [begin, end] = side(box.querySelector(".score") as Element) as [number, number];
        const middle = ((first[0] as number) + (last[1] as number)) / 2;
        return {
          off: Math.abs((begin + end) / 2 - middle),
          overlaps: direction === "across" && (begin < (first[1] as number) || end > (last[0] as number)),
          width: end - begin,
        };
      }),
    { boxes, direction },
  );

for (const [width, height] of [
  [360, 780],
  [390, 844],
  [1440, 900],
] as const)
  test.serial(`at ${width} px a score is in the middle between the two teams`, async (t) => {
    const { page, frame } = await visit(width, height);
    const look = async (boxes: string, direction: "across" | "down", where: string): Promise<void> => {
      await frame().locator(boxes).first().waitFor();
      const scores = await measure(frame(), boxes, direction);
      t.true(scores.length > 0, where);
      for (const score of scores) {
        t.true(score.off <= 1, `${where}: ${score.off} px off`);
        t.false(score.overlaps, `${where}: over a name`);
        t.true(score.width > 0, `${where}: seen`);
      }
    };
    await look(".hero h1:has(.score)", "across", "match of the moment");
    for (const layout of ["sidebar", "tile", "classic"]) {
      await page.locator("#option-layout").selectOption(layout);
      await frame().locator(`[data-layout="${layout}"]`).first().waitFor();
      await look(".teams.scored", layout === "classic" && width < 1000 ? "down" : "across", `rows of ${layout}`);
    }
    await frame().locator(".teams.scored").first().click();
    await look(".scoreboard h1", "across", "a match's own page");
    await page.context().close();
  });
