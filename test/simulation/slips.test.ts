import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import test from "ava";
import { assertFits } from "./mutants/plant.ts";
import { SLIP_MUTANTS } from "./mutants/slip-mutants.ts";
import { runSlips } from "./run-slips.ts";

/** The number of seeds. A test run has 100 by default, and SIMULATION_SLIP_SEEDS sets another number. */
const SEEDS = Number(process.env.SIMULATION_SLIP_SEEDS ?? 100);
const MAIN = join(import.meta.dirname, "slips-main.ts");

test(`in ${SEEDS} seeds every slip debits all of its bets or nothing, and every kind of fault and of end happens`, async (t) => {
  const happened = new Set<string>();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { violations, counts } = await runSlips(seed);
    t.deepEqual(violations, [], `npm run simulate:slips -- --seed ${seed}`);
    for (const [name, count] of counts) if (count > 0) happened.add(name);
  }
  const faults = [
    "crash",
    "pause",
    "dbRefused",
    "dbLost",
    "dbSlow",
    "dbAgain",
    "dbDown",
    "walletRefused",
    "walletLate",
    "walletReplyLost",
    "walletBroken",
    "walletDown",
  ];
  const ends = ["silent", "refused"].flatMap((why) =>
    ["the first", "another", "the last"].map((at) => `failed: ${why} at ${at}`),
  );
  t.deepEqual(
    [...faults, ...ends, "accepted"].filter((name) => !happened.has(name)),
    [],
  );
});

test("the same seed gives the same states, and another seed gives other states", async (t) => {
  const [first, again, other] = [await runSlips(7), await runSlips(7), await runSlips(8)];
  t.is(again.hash, first.hash);
  t.not(other.hash, first.hash);
});

for (const mutant of SLIP_MUTANTS)
  test(`the planted bug ${mutant.name} can still be applied to the code`, (t) => t.notThrows(() => assertFits(mutant)));

for (const { name, mistake } of SLIP_MUTANTS.filter((mutant) => mutant.shows === "often")) {
  test.serial(`the simulation finds the planted bug ${name}: ${mistake}`, async (t) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      MAIN,
      "--mutant",
      name,
      "--seeds",
      "300",
      "--failures",
      "1",
    ]);
    t.is(JSON.parse(stdout).failed, 1);
  });
}
