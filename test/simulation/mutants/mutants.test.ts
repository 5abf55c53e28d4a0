/** The simulation must notice planted bugs. Every test run plants the bugs that the simulation notices often. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import test from "ava";
import { MUTANTS } from "./mutants.ts";
import { assertFits } from "./plant.ts";

const MAIN = join(import.meta.dirname, "../main.ts");
/** Only `npm run simulate -- --mutants` plants bugs that fewer than one seed in 40 notices. */
const SEEDS = 300;

for (const mutant of MUTANTS)
  test(`the planted bug ${mutant.name} can still be applied to the code`, (t) => t.notThrows(() => assertFits(mutant)));

for (const { name, mistake } of MUTANTS.filter((mutant) => mutant.shows === "often")) {
  test.serial(`the simulation finds the planted bug ${name}: ${mistake}`, async (t) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      MAIN,
      "--mutant",
      name,
      "--seeds",
      String(SEEDS),
      "--failures",
      "1",
    ]);
    t.is(JSON.parse(stdout).failed, 1);
  });
}
