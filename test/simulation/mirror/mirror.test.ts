import test from "ava";
import { runSeed } from "../run-seed.ts";
import { runSlips } from "../run-slips.ts";
import { openMirrors } from "./mirrors.ts";

/**
 * These seeds are only for the mirrors. `npm run simulate -- --mirror sqlite --seeds N` runs more seeds, and so do
 * `--mirror mariadb` and `npm run simulate:slips`.
 */
const SEEDS = {
  sqlite: [1, 2, 3, 9, 7_300_100_043, 7_300_100_083, 7_300_100_107],
  mariadb: [1, 7_300_100_043],
} as const;
const SLIP_SEEDS = { sqlite: [1, 2, 3, 4], mariadb: [5] } as const;

for (const kind of ["sqlite", "mariadb"] as const) {
  test(`on ${kind} the service's own SQL answers every statement of a run as the simulated database does`, async (t) => {
    const mirrors = await openMirrors(kind);
    t.teardown(() => mirrors.stop());
    for (const seed of SEEDS[kind]) {
      const mirror = await mirrors.open();
      const { violations } = await runSeed(seed, { mirror });
      await mirror.close();
      t.deepEqual([...violations, ...mirror.differences], [], `npm run simulate -- --mirror ${kind} --seed ${seed}`);
    }
    for (const seed of SLIP_SEEDS[kind]) {
      const mirror = await mirrors.open();
      const { violations } = await runSlips(seed, mirror);
      await mirror.close();
      const again = `npm run simulate:slips -- --mirror ${kind} --seed ${seed}`;
      t.deepEqual([...violations, ...mirror.differences], [], again);
    }
  });
}

test("the mirror reports each answer of the database that differs from the answer of the simulated database", async (t) => {
  const mirror = await (await openMirrors("sqlite")).open();
  await mirror.compare("read", 0, [{ status: "success", amount: 5n }], async () => [
    { amount: 5n, status: "success", error: undefined },
  ]);
  t.deepEqual(mirror.differences, []);
  await mirror.compare("read", 0, [{ status: "success" }], async () => [{ status: "pending" }]);
  await mirror.compare("read", 0, [undefined], () => Promise.reject(new Error("no such column")));
  t.is(mirror.differences.length, 2);
  await mirror.close();
});
