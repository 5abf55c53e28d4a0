import type { Row } from "./rows/row.ts";
import type { Stage } from "./stage.ts";
import { count, newTally, type Tally } from "./tally.ts";

const IDLE_MS = 20;
/**
 * The next call begins this long after the answer, so that some calls are sent at the moment when the wallet closes the
 * connection.
 */
const FIRST_PAUSE_MS = 8;
const PAUSES = 14;

const ROW: Row = { id: "C11", what: "", outcome: "success", results: ["accepted"], idleMs: IDLE_MS };

/** A wallet that closes each idle connection at about the time of the next call. */
export async function raceIdle(stage: Stage, runs: number): Promise<Tally> {
  const tally = newTally(
    ROW.id,
    `the wallet closes idle connections after ${IDLE_MS} ms, calls come ${FIRST_PAUSE_MS} to ${FIRST_PAUSE_MS + PAUSES} ms after the last`,
  );
  const [mounted] = await stage.mount([ROW]);
  if (mounted === undefined) throw new Error("nothing mounted");
  const { code, sessionId } = mounted;
  for (let n = 0; n < runs; n++) {
    const txId = `${code}-${n}`;
    const first = await stage.world.request("bet", { txId, sessionId });
    const last = first === "pending" ? await stage.world.request("bet", { txId, sessionId }) : first;
    const { attempts, attempt_log: log } = await stage.readTransaction(code, txId);
    tally.fired += 1;
    count(tally, first === "pending" ? `pending (${log[0]?.result}), then ${last}` : first);
    const received = stage.bank.requests(`ACME:${txId}`).length;
    if (received > attempts) tally.violations.push(`${txId}: ${received} requests in ${attempts} attempts`);
    if (last !== "success" || stage.bank.effects(`ACME:${txId}`) !== 1)
      tally.violations.push(`${txId}: ${last}, ${stage.bank.effects(`ACME:${txId}`)} effects`);
    await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS + (n % PAUSES)));
  }
  return tally;
}
