import type { ExecutionContext } from "ava";
import axe from "axe-core";
import type { Frame } from "playwright-core";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** No fault of WCAG 2.2 AA that a machine finds in the frame. */
export async function accessible(t: ExecutionContext, frame: Frame, where: string): Promise<void> {
  // Evaluated by the debugger, for the pages' security policy lets no foreign script in.
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
