import type { ExecutionContext } from "ava";
import type { Frame } from "playwright-core";

const SETTLE_MS = 20_000;

/**
 * Asserts that no element is wider than the window, except elements that scroll by themselves. A frame gets its new
 * width some time after the window, so an element counts as too wide only if it is too wide for 20 s.
 */
export async function fits(t: ExecutionContext, frame: Frame, where: string): Promise<void> {
  const end = performance.now() + SETTLE_MS;
  let wide = await tooWide(frame);
  while (wide.length > 0 && performance.now() < end) {
    await frame.waitForTimeout(50);
    wide = await tooWide(frame);
  }
  t.deepEqual(wide, [], `${where}, ${new URL(frame.url()).pathname}`);
}

const tooWide = (frame: Frame): Promise<string[]> =>
  frame.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll("main, aside, section")]
      .filter((box) => box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "hidden")
      .map((box) => box.outerHTML.slice(0, 80)),
  );
