/** `npm run faults -- wallet [--runs N] [--only C7]`: makes every row N times; docs/reliability.md has the results. */

import { parseArgs } from "node:util";
import { turns } from "../../../testbed/in-process/turns.ts";
import type { Scope } from "../../../testbed/stage/world.ts";
import { rebind } from "./addresses/rebinding.ts";
import { openBreaker } from "./breaker.ts";
import { contradict } from "./contradiction.ts";
import { fire } from "./fire.ts";
import { raceIdle } from "./idle-race.ts";
import { watchResident } from "./resident.ts";
import { openStage, type Stage } from "./stage.ts";
import { newTally, report, type Tally } from "./tally.ts";

const PACE = { timeoutMs: 8_000, soonMs: 7_900, lateMs: 8_100 };
/** The number of concurrent runs: fewer than the ten silent calls that open a breaker. */
const TOGETHER = 9;
const ROWS_AT_ONCE = 4;
/** Nine replies of 100 MB at a time may add this much memory to the process. */
const GROWTH_MB_MAX = 150;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { runs: { type: "string", default: "20" }, only: { type: "string", default: "C" } },
  });
  const ends: (() => void | Promise<void>)[] = [];
  const scope: Scope = { teardown: (end) => void ends.push(end) };
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  const interrupted = () => void close().finally(() => process.exit(130));
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  try {
    const began = performance.now();
    const tallies = await fireAll(scope, Number(values.runs), values.only);
    const [fired, violations] = [
      tallies.reduce((sum, one) => sum + one.fired, 0),
      tallies.reduce((sum, one) => sum + one.violations.length, 0),
    ];
    console.log(
      `${report(tallies)}\n${tallies.length} rows, ${fired} faults, ${violations} violations, ${Math.round((performance.now() - began) / 1_000)} s`,
    );
    return violations;
  } finally {
    await close();
  }
}

async function fireAll(scope: Scope, runs: number, only: string): Promise<Tally[]> {
  const wanted = (id: string): boolean => id.startsWith(only);
  const stage = await openStage(scope, PACE);
  const mounted = (await stage.mount()).filter(({ row }) => wanted(row.id));
  if (mounted.length === 0) throw new Error(`--only ${only}: no row's name begins with it`);
  const waits = mounted.filter(({ row }) => row.results.includes("timeout"));
  const floods = mounted.filter(({ row }) => row.id === "C7");
  const others = mounted.filter((one) => !waits.includes(one) && !floods.includes(one));
  const inTurn = turns(ROWS_AT_ONCE);

  // Rows with a deadline run first and alone, because a tenth of a second matters there.
  const tallies = new Map(
    await Promise.all(waits.map(async (one) => [one, await fire(stage, one, runs, TOGETHER)] as const)),
  );
  for (const [one, tally] of await Promise.all(
    others.map((one) => inTurn(async () => [one, await fire(stage, one, runs, TOGETHER)] as const)),
  ))
    tallies.set(one, tally);
  const memory = newTally("C7", "resident memory meanwhile");
  for (const one of floods) tallies.set(one, await flood(stage, one, runs, memory));
  const all = mounted.flatMap((one) => tallies.get(one) ?? []);
  if (floods.length > 0) all.push(memory);
  if (wanted("C1")) all.push(await openBreaker(stage));
  if (wanted("C11")) all.push(await raceIdle(stage, 10 * runs));
  const never = newTally(
    "all",
    "a spoilt connection used again, a wrong signature, a nonce twice, another body, plain text, a followed redirect, a wallet's words in logs or metrics",
  );
  never.violations.push(...(await stage.never()));
  for (const bodies of stage.bank.bodiesByTxId.values()) never.fired += bodies.length;
  never.outcomes.set(`${never.violations.length === 0 ? "never" : "seen"}, in so many requests`, never.fired);
  all.push(never);
  if (wanted("C10")) all.push(...(await rebind(scope, runs)));
  if (wanted("C13")) all.push(await contradict(scope, runs));
  return all;
}

async function flood(stage: Stage, one: Stage["mounted"][number], runs: number, memory: Tally): Promise<Tally> {
  const watch = watchResident(stage.world.first.process.pid ?? 0);
  const tally = await fire(stage, one, runs, TOGETHER);
  const peakMb = watch.stop();
  memory.fired += tally.fired;
  memory.outcomes.set(
    `${one.row.what}: ${Math.round(watch.beforeMb)} MB before, ${Math.round(peakMb)} at most`,
    tally.fired,
  );
  if (peakMb - watch.beforeMb > GROWTH_MB_MAX)
    memory.violations.push(`${one.row.what}: ${Math.round(peakMb - watch.beforeMb)} MB more`);
  return tally;
}
