import type { Row } from "./rows/row.ts";
import type { Stage } from "./stage.ts";
import { count, newTally, type Tally } from "./tally.ts";

const SILENCES = 12;
const OPEN_PLACES = 4;
const CLOSED_WITHIN_MS = 60_000;
const ROW: Row = { id: "C1", what: "", outcome: "pending", results: ["timeout"], reply: () => () => undefined };

/**
 * After ten silent calls in a row a merchant has only four permits. Answers of its wallet restore the other permits.
 */
export async function openBreaker(stage: Stage): Promise<Tally> {
  const tally = newTally(ROW.id, `${SILENCES} calls without a reply at once`);
  const [mounted] = await stage.mount([ROW]);
  if (mounted === undefined) throw new Error("nothing mounted");
  const { code, sessionId } = mounted;
  const bet = (n: number): Promise<string> => stage.world.request("bet", { txId: `${code}-${n}`, sessionId });
  const limit = async (): Promise<number | undefined> => {
    const text = await (await fetch(`http://127.0.0.1:${stage.world.first.ports.internalHttp}/metrics`)).text();
    const [, permits] = new RegExp(`^aggregator_wallet_permits\\{merchant="${code}"\\} (\\d+)$`, "m").exec(text) ?? [];
    return permits === undefined ? undefined : Number(permits);
  };
  const numbers = Array.from({ length: SILENCES }, (_, n) => n);
  const first = await Promise.all(numbers.map(bet));
  tally.fired = 1;
  if (first.some((reply) => reply !== "pending")) tally.violations.push(`told ${first.join(", ")}`);
  const open = await limit();
  if (open !== OPEN_PLACES) tally.violations.push(`${open} places after ${SILENCES} silences`);
  mounted.heal(true);
  for (const n of numbers)
    if ((await bet(n)) !== "success") tally.violations.push(`${code}-${n}: no success when it was repeated`);
  const began = performance.now();
  for (let n = SILENCES; (await limit()) !== undefined; n++) {
    if (performance.now() - began > CLOSED_WITHIN_MS)
      return { ...tally, violations: [...tally.violations, "the places never came back"] };
    await bet(n);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  count(tally, `pending, ${open} places; all of them back after the wallet's answers`);
  return tally;
}
