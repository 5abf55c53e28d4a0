import { WARM_UP } from "./peer/bank.ts";
import type { Mounted, Stage } from "./stage.ts";
import { count, newTally, type Tally } from "./tally.ts";

const RESENT_WITHIN_MS = 60_000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Makes a row's fault `runs` times, `together` at a time, and heals it after each time. The provider repeats a bet.
 * Every fourth transaction is a win, which the service resends.
 */
export async function fire(stage: Stage, mounted: Mounted, runs: number, together: number): Promise<Tally> {
  const { row, code } = mounted;
  const tally = newTally(row.id, row.what);
  while (tally.fired < runs && tally.late <= 2 * runs + 3) {
    const numbers = Array.from(
      { length: Math.min(together, runs - tally.fired) },
      (_, i) => tally.fired + tally.late + i,
    );
    const batch = numbers.map((n) => ({
      txId: `${code}-${n}`,
      action: row.outcome === "pending" && n % 4 === 3 ? ("win" as const) : ("bet" as const),
    }));
    const ask = (): Promise<string[]> =>
      Promise.all(batch.map(({ txId, action }) => request(stage, mounted, action, txId)));
    mounted.heal(false);
    if (row.used === true) await Promise.all(batch.map(({ txId }) => request(stage, mounted, "bet", txId + WARM_UP)));
    const first = await ask();
    mounted.heal(true);
    for (const [i, { txId, action }] of batch.entries()) {
      const last = action === "bet" ? await repeated(stage, mounted, txId) : await resent(stage, mounted, txId);
      await judge(stage, mounted, tally, txId, first[i] ?? "", last);
    }
  }
  if (tally.fired < runs) tally.violations.push(`${tally.late} runs came too late`);
  if (row.alert !== undefined && !stage.alerts(code).includes(row.alert))
    tally.violations.push(`no alert ${row.alert}`);
  return tally;
}

/** A provider's request, repeated while it is refused for overload. */
async function request(stage: Stage, { sessionId }: Mounted, action: "bet" | "win", txId: string): Promise<string> {
  for (let tries = 1; ; tries++) {
    const reply = await stage.world.request(action, { txId, sessionId });
    if ((reply !== "SERVICE_UNAVAILABLE" && reply !== "OVERLOADED") || tries === 30) return reply;
    await pause(200);
  }
}

/** A bet's last answer. Its provider repeats it until the answer is final. */
async function repeated(stage: Stage, mounted: Mounted, txId: string): Promise<string> {
  for (let tries = 1; ; tries++) {
    const reply = await request(stage, mounted, "bet", txId);
    if (reply !== "pending" || tries === 5) return reply;
  }
}

/** A win's last status. The service resends it; its provider does not repeat it. */
async function resent(stage: Stage, { code }: Mounted, txId: string): Promise<string> {
  for (const until = performance.now() + RESENT_WITHIN_MS; performance.now() < until; await pause(100)) {
    const { status } = await stage.readTransaction(code, txId);
    if (status !== "pending") return status;
  }
  return "pending";
}

async function judge(
  stage: Stage,
  { row, code }: Mounted,
  tally: Tally,
  txId: string,
  first: string,
  last: string,
): Promise<void> {
  const wrong = (what: string): void => void tally.violations.push(`${txId}: ${what}`);
  const { status, attempts, attempt_log: log } = await stage.readTransaction(code, txId);
  const received = stage.bank.requests(`ACME:${txId}`).length;
  const effects = stage.bank.effects(`ACME:${txId}`);
  const result = log[0]?.result ?? "none";
  if (effects > 1 || (status !== "pending" && effects !== Number(status === "success")))
    wrong(`${effects} effects, and the transaction is ${status}`);
  if (log.length !== attempts) wrong(`${attempts} attempts, ${log.length} logged`);
  if (received > attempts) wrong(`${received} requests in ${attempts} attempts`);
  const recorded = row.results.some((expected) => expected === result);
  // The deadline of the call has passed, or the earlier deadline of the name server.
  if (first === "pending" && !recorded && (log[0]?.duration_ms ?? 0) >= 0.8 * stage.pace.timeoutMs) {
    tally.late += 1;
    return;
  }
  tally.fired += 1;
  count(tally, `${first} (${result})${first === "pending" ? `, then ${last}` : ""}`);

  if (first !== row.outcome) wrong(`the provider is told ${first}, not ${row.outcome}`);
  if (!recorded) wrong(`recorded as ${result}, not ${row.results.join(" or ")}`);
  if (last !== (row.outcome === "pending" ? "success" : row.outcome)) wrong(`in the end ${last}`);
  // An attempt whose fault is in the reply reached the wallet. Other attempts, and late repeats, may not have reached
  // it.
  const below = row.tls !== undefined || row.dns !== undefined || row.connection !== undefined;
  const unsent = log.filter(
    (one, i) =>
      (below && row.results.some((expected) => expected === one.result)) || (i > 0 && one.result === "timeout"),
  ).length;
  if (received < attempts - unsent) wrong(`only ${received} requests in ${attempts} attempts`);
  if (row.outcome !== "pending" && received !== 1) wrong(`${received} requests for a transaction that was final`);
}
