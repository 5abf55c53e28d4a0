/**
 * `npm run fuzz -- [--inputs 1000000] [--seed 1] [--only kind] [--input 12.907]`: invalid input for every reader.
 * Prints a table in Markdown, and for each fault the command that reproduces it. Ends with 1 if there was a fault.
 */
import { parseArgs } from "node:util";
import { fuzzKind, type Outcome, replay } from "./fuzz-kind.ts";
import type { Kind, Rig } from "./kind.ts";
import { PARSERS } from "./kinds/parsers.ts";
import { serviceKinds } from "./kinds/service.ts";
import { socketKinds } from "./kinds/sockets.ts";

const { values } = parseArgs({
  options: {
    inputs: { type: "string" },
    seed: { type: "string" },
    only: { type: "string" },
    input: { type: "string" },
  },
});
const seed = Number(values.seed ?? 1);
const inputs = Number(values.inputs ?? 1_000_000);
if (
  !Number.isSafeInteger(seed) ||
  !Number.isSafeInteger(inputs) ||
  inputs < 1 ||
  (values.input !== undefined && !/^\d+(\.\d+)*$/.test(values.input))
) {
  console.error("npm run fuzz -- [--inputs N] [--seed S] [--only kind] [--input K or K.K.K]");
  process.exit(2);
}

const RIGS: readonly (() => Promise<Rig>)[] = [
  async () => ({ kinds: PARSERS, close: async () => {} }),
  serviceKinds,
  socketKinds,
];

const outcomes: Outcome[] = [];
for (const open of RIGS) {
  const { kinds, close } = await open();
  const wanted = kinds.filter(
    ({ name }) => values.only === undefined || name === values.only,
  ) as unknown as readonly Kind[];
  for (const kind of wanted) {
    if (values.input !== undefined) await again(kind, values.input);
    else outcomes.push(await run(kind));
  }
  await close();
}
if (outcomes.length > 0) report();
process.exit(outcomes.every(({ faults }) => faults.length === 0) && process.exitCode === undefined ? 0 : 1);

async function run(kind: Kind): Promise<Outcome> {
  const count = values.only === undefined ? Math.max(1, Math.round((inputs * kind.perMillion) / 1_000_000)) : inputs;
  const outcome = await fuzzKind(kind, seed, count);
  console.error(
    `${kind.name}: ${outcome.inputs} inputs in ${outcome.seconds.toFixed(1)} s, ${outcome.faults.length} faults`,
  );
  for (const { input, shown, what } of outcome.faults) {
    console.error(
      `${what}\n${shown}${input === "" ? "" : `\nnpm run fuzz -- --seed ${seed} --only ${kind.name} --input ${input}`}\n`,
    );
  }
  return outcome;
}

/** One input, by its name. */
async function again(kind: Kind, name: string): Promise<void> {
  const { shown, faults } = await replay(kind, seed, name);
  console.log(shown);
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
}

function report(): void {
  console.log(
    "| kind | read by | inputs | kept for new ways through the code | faults | inputs/s |\n|---|---|---|---|---|---|",
  );
  for (const { kind, reader, inputs: sent, kept, blocks, faults, seconds } of outcomes)
    console.log(
      `| ${kind} | ${reader} | ${sent} | ${kept} (${blocks} ways) | ${faults.length} | ${Math.round(sent / seconds)} |`,
    );
  const sum = outcomes.reduce((all, one) => all + one.inputs, 0);
  console.log(
    `\n${sum} inputs of ${outcomes.length} kinds, seed ${seed}, ${outcomes.reduce((all, one) => all + one.faults.length, 0)} faults`,
  );
}
