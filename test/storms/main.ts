/**
 * `npm run storms [-- --rounds N] [-- --only D6]`: sends storms of copies, and requests in the wrong order.
 * docs/reliability.md explains it. The exit code is 1 after a violation.
 */
import { parseArgs } from "node:util";
import { startDatabaseServer } from "../../testbed/database/server.ts";
import type { Violation } from "../../testbed/judge/record.ts";
import { runRow } from "./row.ts";
import { ROWS } from "./rows/catalogue.ts";
import { type RowResult, Stage } from "./stage.ts";
import { table } from "./table.ts";

const { values } = parseArgs({
  options: {
    /** The number of runs of each row. It replaces the number in the catalogue. */
    rounds: { type: "string" },
    /** Only rows with this id. */
    only: { type: "string" },
    copies: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
  },
});
/** Half of the runs each: after a TRANSACTION_NOT_FOUND, the wallet refuses a late original or applies it. */
const HABITS = [{ tombstones: true }, { tombstones: false }];

const rows = ROWS.filter(({ id }) => values.only === undefined || id === values.only);
if (rows.length === 0) {
  console.error(`--only ${ROWS.map(({ id }) => id).join(" | ")}: which of them?`);
  process.exit(1);
}
const started = performance.now();
const server = await startDatabaseServer();
let stage: Stage | undefined;
// Exits on a signal, so that all child processes are ended and all folders are removed.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const violations: Violation[] = [];
const results: RowResult[] = [];
try {
  for (const [i, rules] of HABITS.entries()) {
    const options = {
      merchants: 64,
      quietMs: 4_000,
      copies: Number(values.copies),
      seed: Number(values.seed) + i,
      rules,
    };
    stage = await Stage.open({ ...options, databaseUrl: await server.createDatabase() });
    for (const row of rows) {
      const runs = Number(values.rounds ?? row.runs);
      const begun = performance.now();
      await runRow(stage, row, i === 0 ? Math.ceil(runs / 2) : Math.floor(runs / 2));
      console.error(
        `${row.id}, ${rules.tombstones ? "with" : "without"} tombstones: ${((performance.now() - begun) / 1_000).toFixed(1)} s`,
      );
    }
    const judged = await stage.end();
    for (const { invariant, key, what } of judged.violations) console.error(`VIOLATION ${invariant} ${key}: ${what}`);
    violations.push(...judged.violations);
    results.push(...judged.results);
  }
} finally {
  await stage?.close();
  await server.stop();
}
console.log(table(results, violations));
console.log(`\n${violations.length} violations, ${((performance.now() - started) / 1_000).toFixed(0)} s.`);
process.exit(violations.length > 0 ? 1 : 0);
