/** `npm run simulate:slips -- [--seed S] [--seeds N] [--mutant NAME]`; docs/simulation.md explains. */
import { parseArgs } from "node:util";
import { plant } from "./mutants/plant.ts";
import { SLIP_MUTANTS } from "./mutants/slip-mutants.ts";

const { values } = parseArgs({
  options: {
    /** The number of seeds; 1000 by default, 1 with --seed. */
    seeds: { type: "string" },
    /** The first seed; 1 by default. */
    seed: { type: "string" },
    mutant: { type: "string" },
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
let [failed, seeds] = [0, 0];
for (let seed = first; seed < first + count && failed < Number(values.failures); seed++) {
  const { violations, counts } = await runSlips(seed);
  seeds += 1;
  for (const [name, n] of counts) happened.set(name, (happened.get(name) ?? 0) + n);
  if (violations.length === 0) continue;
  failed += 1;
  if (mutant === undefined) console.log([`seed ${seed}:`, ...violations.slice(0, 5)].join("\n  "));
}
const seconds = (performance.now() - started) / 1_000;
if (mutant !== undefined)
  console.log(JSON.stringify({ mutant: mutant.name, failed, seeds, seconds: Math.round(seconds) }));
else {
  console.log(
    `${seeds} seeds, ${failed} with violations, ${seconds.toFixed(1)} s (${(seeds / seconds).toFixed(0)} seeds/s)`,
  );
  console.log(`happened: ${[...happened].map(([name, n]) => `${name} ${n}`).join(", ")}`);
  if (failed > 0) process.exitCode = 1;
}
