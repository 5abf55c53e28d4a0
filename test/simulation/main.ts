/**
 * `npm run simulate -- [--seed S] [--seeds N] [--without crash,pause] [--mirror sqlite|mariadb] [--trace ID] [--mutant
 * NAME | --mutants] [--scopes]`; docs/simulation.md explains.
 */
import { execFileSync } from "node:child_process";
import { setImmediate } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Mutant } from "./mutants/mutant.ts";
import { MUTANTS } from "./mutants/mutants.ts";
import { plant } from "./mutants/plant.ts";
import type { SeedReport } from "./run-seed.ts";
import { cellTable, emptyCells, FAULTS_AT, FAULTS_OF_RUNS } from "./world/coverage.ts";
import { type FaultName, NO_FAULTS } from "./world/faults.ts";
import { add } from "./world/fired.ts";

const { values } = parseArgs({
  options: {
    /** The number of seeds; 1000 by default, 1 with --seed. */
    seeds: { type: "string" },
    /** The first seed; 1 by default. */
    seed: { type: "string" },
    without: { type: "string" },
    mutant: { type: "string" },
    mutants: { type: "boolean", default: false },
    /** sqlite or mariadb: every statement also runs on this database, and must get the same answer as in memory. */
    mirror: { type: "string" },
    /** With --seed: prints the history of this transaction, by its wire tx_id. */
    trace: { type: "string" },
    /** Every order of a few requests instead of seeds: test/simulation/small-scope/. */
    scopes: { type: "boolean", default: false },
    /** Stops after this many failed seeds. */
    failures: { type: "string", default: "20" },
  },
});

const first = Number(values.seed ?? 1);
const count = Number(values.seeds ?? (values.seed === undefined ? 1_000 : 1));

if (values.trace !== undefined && count !== 1)
  throw new Error("--trace shows one run: give it one --seed, and no --seeds");
if (values.mutants) compareMutants();
else if (values.scopes) await exploreScopes();
else await simulate();

async function simulate(): Promise<void> {
  const mutant = values.mutant === undefined ? undefined : mutantNamed(values.mutant);
  if (mutant !== undefined) plant(mutant);
  // Imported after the mutant is planted, because the mutant changes the imported files.
  const { runSeed } = await import("./run-seed.ts");
  const { trace } = await import("./judge/trace.ts");
  const without = (values.without ?? "").split(",").filter((name): name is FaultName => Object.hasOwn(NO_FAULTS, name));
  const started = performance.now();
  // The commit of the code that runs. It is read now, because others may commit during the run.
  const at = commit();
  const mirrors =
    values.mirror === undefined ? undefined : await (await import("./mirror/mirrors.ts")).openMirrors(values.mirror);
  const total = { seeds: 0, failed: 0, events: 0, virtualMs: 0, calls: 0, effects: 0, writes: 0, operations: 0 };
  const counts = new Map<string, number>();
  const cells = new Map<string, number>();
  // Ctrl-C ends a long run after the current seed. Then the sums of all finished seeds are printed.
  let interrupted = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => (interrupted = true));
  for (let seed = first; seed < first + count && total.failed < Number(values.failures) && !interrupted; seed++) {
    // Node handles signals only between events. The simulation itself never waits, so this pause is needed.
    await setImmediate();
    const mirror = await mirrors?.open();
    const report = await runSeed(seed, mirror === undefined ? { without } : { without, mirror });
    await mirror?.close();
    total.seeds += 1;
    total.events += report.events;
    total.virtualMs += report.virtualMs;
    total.calls += report.record.calls.length;
    total.effects += report.record.effects.length;
    total.writes += report.record.writes.length;
    total.operations += report.record.operations.length;
    for (const [name, n] of report.counts) add(counts, name, n);
    for (const [name, n] of report.cells) add(cells, name, n);
    const differences = mirror?.differences ?? [];
    if (report.violations.length + differences.length > 0) {
      total.failed += 1;
      if (mutant === undefined) print(report, differences);
    }
    if (values.trace !== undefined) for (const line of trace(report.record, values.trace)) console.log(line);
    if (count === 1)
      console.log(
        `seed ${seed}: ${report.mode}, ${report.events} events, state writes hash to ${report.hash.slice(0, 16)}`,
      );
  }
  await mirrors?.stop();
  const seconds = (performance.now() - started) / 1_000;
  if (mutant !== undefined)
    return console.log(
      JSON.stringify({ mutant: mutant.name, failed: total.failed, seeds: total.seeds, seconds: Math.round(seconds) }),
    );
  const { user } = process.cpuUsage();
  console.log(
    `seeds ${first} to ${first + total.seeds - 1}: ${total.failed} with violations, ${seconds.toFixed(1)} s, ${(user / 1e6).toFixed(1)} s of user CPU ` +
      `(${((total.seeds / user) * 1e6).toFixed(0)} seeds/s) on Node ${process.version}, commit ${at}`,
  );
  console.log(
    `${(total.virtualMs / 3_600_000).toFixed(1)} virtual hours, ${total.events} events, ${total.operations} requests, ${total.calls} wallet calls, ${total.effects} effects, ${total.writes} row writes`,
  );
  const happened = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  console.log(`happened: ${happened.map(([name, n]) => `${name} ${n}`).join(", ")}`);
  if (count > 100) {
    const empty = [...emptyCells(cells, FAULTS_AT), ...FAULTS_OF_RUNS.filter((name) => !counts.has(name))];
    console.log(cellTable(cells, FAULTS_AT));
    console.log(empty.length === 0 ? "no empty cell" : `!!! NEVER HAPPENED, SO NEVER SURVIVED: ${empty.join(", ")}`);
  }
  if (total.failed > 0) process.exitCode = 1;
}

/** Without a mutant all scopes are explored, and with one only those of `npm test`. */
async function exploreScopes(): Promise<void> {
  const mutant = values.mutant === undefined ? undefined : mutantNamed(values.mutant);
  if (mutant !== undefined) plant(mutant);
  const { exploreAll } = await import("./small-scope/main.ts");
  const started = performance.now();
  const result = await exploreAll(mutant !== undefined);
  const seconds = Math.round((performance.now() - started) / 1_000);
  if (mutant !== undefined) return console.log(JSON.stringify({ mutant: mutant.name, ...result, seconds }));
  console.log(`${seconds} s, commit ${commit()}`);
  if (result.failed > 0) process.exitCode = 1;
}

function print({ seed, mode, violations }: SeedReport, differences: readonly string[]): void {
  console.log(
    `seed ${seed} (${mode}): ${violations.length} violations; again with: npm run simulate -- --seed ${seed}`,
  );
  for (const difference of differences.slice(0, 3)) console.log(`  the database answers otherwise: ${difference}`);
  for (const { invariant, key, what } of violations.slice(0, 5)) console.log(`  ${invariant} ${key} ${what}`);
}

/** Runs each mutant in its own process, and prints the share of seeds that notice it. */
function compareMutants(): void {
  for (const { name } of MUTANTS) {
    const args = [
      import.meta.filename,
      "--mutant",
      name,
      "--seeds",
      String(count),
      "--seed",
      String(first),
      "--failures",
      values.failures,
    ];
    console.log(execFileSync(process.execPath, args, { encoding: "utf8" }).trim());
  }
}

function mutantNamed(name: string): Mutant {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (mutant === undefined)
    throw new Error(`no mutant ${name}; there are ${MUTANTS.map((one) => one.name).join(", ")}`);
  return mutant;
}

function commit(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "unknown";
  }
}
