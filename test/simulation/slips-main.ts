/** `npm run simulate:slips -- [--seed S] [--seeds N] [--mirror sqlite|mariadb] [--mutant NAME]`; docs/simulation.md explains. */
import { parseArgs } from "node:util";
import { plant } from "./mutants/plant.ts";
import { SLIP_MUTANTS } from "./mutants/slip-mutants.ts";
import { cellTable, emptyCells, SLIP_FAULTS_AT } from "./world/coverage.ts";
import { add } from "./world/fired.ts";

const { values } = parseArgs({
  options: {
    /** The number of seeds; 1000 by default, 1 with --seed. */
    seeds: { type: "string" },
    /** The first seed; 1 by default. */
    seed: { type: "string" },
    mutant: { type: "string" },
    /** sqlite or mariadb: every statement also runs on this database, and must get the same answer as in memory. */
    mirror: { type: "string" },
    /** Stops after this many failed seeds. */
    failures: { type: "string", default: "20" },
  },
});

const first = Number(values.seed ?? 1);
const count = Number(values.seeds ?? (values.seed === undefined ? 1_000 : 1));
const mutant = SLIP_MUTANTS.find(({ name }) => name === values.mutant);
if (values.mutant !== undefined && mutant === undefined)
  throw new Error(`no mutant ${values.mutant}; there are ${SLIP_MUTANTS.map(({ name }) => name).join(", ")}`);
if (mutant !== undefined) plant(mutant);
// Imported after the mutant is planted, because the mutant changes the imported files.
const { runSlips } = await import("./run-slips.ts");

const started = performance.now();
const happened = new Map<string, number>();
const cells = new Map<string, number>();
const mirrors =
  values.mirror === undefined ? undefined : await (await import("./mirror/mirrors.ts")).openMirrors(values.mirror);
let [failed, seeds] = [0, 0];
for (let seed = first; seed < first + count && failed < Number(values.failures); seed++) {
  const mirror = await mirrors?.open();
  const report = await runSlips(seed, mirror);
  await mirror?.close();
  const violations = [...report.violations, ...(mirror?.differences ?? [])];
  seeds += 1;
  for (const [name, n] of report.counts) add(happened, name, n);
  for (const [name, n] of report.cells) add(cells, name, n);
  if (violations.length === 0) continue;
  failed += 1;
  if (mutant === undefined) console.log([`seed ${seed}:`, ...violations.slice(0, 5)].join("\n  "));
}
await mirrors?.stop();
const seconds = (performance.now() - started) / 1_000;
if (mutant !== undefined)
  console.log(JSON.stringify({ mutant: mutant.name, failed, seeds, seconds: Math.round(seconds) }));
else {
  console.log(
    `${seeds} seeds, ${failed} with violations, ${seconds.toFixed(1)} s (${(seeds / seconds).toFixed(0)} seeds/s)`,
  );
  console.log(`happened: ${[...happened].map(([name, n]) => `${name} ${n}`).join(", ")}`);
  if (count > 100) {
    const empty = emptyCells(cells, SLIP_FAULTS_AT);
    console.log(cellTable(cells, SLIP_FAULTS_AT));
    console.log(empty.length === 0 ? "no empty cell" : `!!! NEVER HAPPENED, SO NEVER SURVIVED: ${empty.join(", ")}`);
  }
  if (failed > 0) process.exitCode = 1;
}
