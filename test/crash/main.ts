/**
 * `npm run crash -- [--rounds N] [--minutes M] [--cell CP4/bet] [--only kill|pause] [--seed S]`: kills and pauses
 * processes of the real service at every point of a transaction. Ends with 1 on a violation; docs/reliability.md
 * explains.
 */
import { parseArgs } from "node:util";
import { startDatabaseServer } from "../../testbed/database/server.ts";
import type { Violation } from "../../testbed/judge/record.ts";
import { CELLS, nameOf } from "./cells.ts";
import { credentialsUsedUp } from "./credentials.ts";
import { type RoundReport, runRound } from "./round.ts";
import { SCENARIOS } from "./scenarios.ts";
import { Stage } from "./stage.ts";
import { tableOf } from "./table.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string" },
    minutes: { type: "string" },
    cell: { type: "string", default: "" },
    only: { type: "string" },
    seed: { type: "string" },
  },
});
const rounds = Number(values.rounds ?? 1);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const until = values.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(values.minutes) * 60_000;
const cells = CELLS.filter((cell) => nameOf(cell).includes(values.cell));
if (
  !(rounds > 0) ||
  !Number.isInteger(seed) ||
  Number.isNaN(until) ||
  cells.length === 0 ||
  !["kill", "pause", undefined].includes(values.only)
) {
  console.error(
    "npm run crash -- [--rounds N] [--minutes M] [--cell CP4/bet] [--only kill|pause] [--seed S]; a cell is named CP4/bet/reject/repeats, or in part",
  );
  process.exit(2);
}
// When this process ends, it also ends all children and removes all folders.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const kinds = values.only === undefined ? (["kill", "pause"] as const) : ([values.only as "kill" | "pause"] as const);
const progress = (text: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
const server = await startDatabaseServer();
const reports: RoundReport[] = [];
const violations: Violation[] = [];
const scenarios = new Map<string, number>();
const CREDENTIALS = "CP16 and CP17, killed and paused";
console.error(`seed ${seed}, ${cells.length} cells`);
try {
  for (let round = 0; round < rounds && Date.now() < until; round++) {
    const report = await runRound(server, {
      seed: seed + round,
      cells,
      kinds,
      progress: (text) => progress(`round ${round + 1} ${text}`),
    });
    reports.push(report);
    violations.push(...report.violations);
    if (values.cell === "") {
      const stage = await Stage.open(await server.createDatabase(), seed + round);
      for (const [name, run] of Object.entries(SCENARIOS)) {
        await run(stage, server);
        scenarios.set(name, (scenarios.get(name) ?? 0) + 1);
        progress(`round ${round + 1} ${name}`);
      }
      violations.push(...(await stage.end()), ...(await credentialsUsedUp(server)));
      scenarios.set(CREDENTIALS, (scenarios.get(CREDENTIALS) ?? 0) + 1);
    }
    progress(`round ${round + 1} is over: ${report.hits.length} cells met, ${violations.length} violations so far`);
  }
} finally {
  await server.stop();
}
console.log(tableOf(reports));
for (const [name, times] of scenarios) console.log(`${name}: ${times} times`);
console.log(`\nRounds: ${reports.length}, seed ${seed}. Violations: ${violations.length}`);
for (const { invariant, key, what } of violations) console.log(`- ${invariant} ${key}: ${what}`);
process.exit(violations.length > 0 ? 1 : 0);
