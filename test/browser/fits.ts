import type { ExecutionContext } from "ava";
import type { Frame } from "playwright-core";

/** Nothing is wider than the window. What scrolls by itself may be. */
export async function fits(t: ExecutionContext, frame: Frame, where: string): Promise<void> {
  const wide = await frame.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll("main, aside, section")]
      .filter((box) => box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "hidden")
      .map((box) => box.outerHTML.slice(0, 80)),
  );
  t.deepEqual(wide, [], `${where}, ${new URL(frame.url()).pathname}`);
}
