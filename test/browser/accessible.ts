import type { ExecutionContext } from "ava";
import axe from "axe-core";
import type { Frame } from "playwright-core";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Asserts that an automatic check finds no fault of WCAG 2.2 AA in the frame. */
export async function accessible(t: ExecutionContext, frame: Frame, where: string): Promise<void> {
  // The debugger evaluates the script, because the page's Content-Security-Policy allows no foreign script.
  await frame.evaluate(axe.source);
  const violations = await frame.evaluate(async (runOnly) => {
    const engine = (window as unknown as { axe: typeof axe }).axe;
    const result = await engine.run(document, { iframes: false, resultTypes: ["violations"], runOnly });
    return result.violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 4)
          .map((node) => node.target.join(" "))
          .join(", ")} ${nodes[0]?.failureSummary}`,
    );
  }, RULES);
  t.deepEqual(violations, [], `${where}, ${new URL(frame.url()).pathname}`);
}
