import { startDatabaseServer } from "../../../testbed/database/server.ts";
import type { Scope } from "../../../testbed/stage/world.ts";
import type { Row } from "./rows/row.ts";
import { openStage } from "./stage.ts";
import { count, newTally, type Tally } from "./tally.ts";

const ROW: Row = {
  id: "C13",
  what: "",
  outcome: "success",
  results: ["accepted"],
  toRepeats: '{"ok":false,"error":"DUPLICATE"}',
};
/** The pause begins this long after the first reply, so that all calls have their reply. */
const GATHER_MS = 2_000;
const PAUSE_MS = 8_000;

/**
 * A wallet that answers a repeat differently. The service gets both answers only when the process with the first reply
 * is paused before it records it, and another process takes the transaction over. The answer that is recorded first
 * stays, and an alert is raised.
 */
export async function contradict(scope: Scope, runs: number): Promise<Tally> {
  const tally = newTally(
    ROW.id,
    "ok, and DUPLICATE to its repeat by another replica; the first paused between reply and settle",
  );
  const database = await startDatabaseServer();
  scope.teardown(() => database.stop());
  const pace = { timeoutMs: 1_500, soonMs: 0, lateMs: 0 };
  const env = { GAS_FAILPOINTS: `CP7:pause=${PAUSE_MS}+${GATHER_MS}`, LEASE_MARGIN_MS: "700" };
  const stage = await openStage(scope, pace, { env, databaseUrl: await database.createDatabase() });
  const second = await stage.world.start({ GAS_FAILPOINTS: "" });
  const [mounted] = await stage.mount([ROW]);
  if (mounted === undefined) throw new Error("nothing mounted");
  const { sessionId, code } = mounted;
  const { first, request } = stage.world;

  const ids = Array.from({ length: runs }, (_, n) => `${code}-${n}`);
  const paused = Promise.all(ids.map((txId) => request("bet", { txId, sessionId }, first)));
  while (!first.output().includes('"failpoint":"CP7"')) await new Promise((resolve) => setTimeout(resolve, 20));
  const line = first
    .output()
    .split("\n")
    .find((text) => text.includes('"failpoint":"CP7"'));
  const met: string[] = JSON.parse(line ?? "{}").met;
  const repeated = await Promise.all(met.map((txId) => request("bet", { txId, sessionId }, second)));
  const answers = await paused;
  // On a busy machine the pause may come before all calls have their reply.
  for (const [i, txId] of met.entries()) {
    tally.fired += 1;
    const replies = {
      first: answers[ids.indexOf(txId)],
      repeat: repeated[i],
      again: await request("bet", { txId, sessionId }, first),
    };
    const { status, error, attempts } = await stage.readTransaction(code, txId);
    const alerts = first
      .output()
      .split("\n")
      .filter((text) => text.includes('"wallet_contradicts"') && text.includes(`"ACME:${txId}"`)).length;
    count(tally, `${status} (${error}) for everybody, ${alerts} alert wallet_contradicts`);
    const wrong = (what: string): void => void tally.violations.push(`${txId}: ${what}`);
    if (Object.values(replies).some((reply) => reply !== "failed:DUPLICATE")) wrong(`told ${JSON.stringify(replies)}`);
    if (status !== "failed" || error !== "DUPLICATE" || attempts !== 2)
      wrong(`${status} ${error} after ${attempts} attempts`);
    if (alerts !== 1) wrong(`${alerts} alerts`);
    if (stage.bank.requests(`ACME:${txId}`).length !== 2) wrong("another number of requests than attempts");
  }
  if (tally.fired === 0) tally.violations.push("no call was met by the pause");
  return tally;
}
