/**
 * Each fault of a wallet or its network once, against the real service; `npm run faults -- wallet --runs 20` makes them
 * many times.
 */

import test from "ava";
import { turns } from "../../../testbed/in-process/turns.ts";
import { fire } from "./fire.ts";
import { ROWS } from "./rows/catalogue.ts";
import type { Row } from "./rows/row.ts";
import { openStage, type Stage } from "./stage.ts";

const PACE = { timeoutMs: 3_000, soonMs: 300, lateMs: 3_600 };

/** Limits the rows that run at the same time. Rows that only wait are not limited. */
const inTurn = turns(8);
const waits = (row: Row): boolean => row.results.includes("timeout");

let stage: Stage;
const ends: (() => void | Promise<void>)[] = [];
test.before(async () => {
  stage = await openStage({ teardown: (end) => void ends.push(end) }, PACE);
  await stage.mount();
});
test.after.always(async () => {
  for (const end of ends.reverse()) await end();
});

for (const [n, row] of ROWS.entries()) {
  test(`if the wallet's behaviour is "${row.what}" (${row.id}), the transaction's outcome is ${row.outcome}`, async (t) => {
    const mounted = stage.mounted[n];
    if (mounted === undefined) return t.fail();
    // The row with swapped replies needs two calls.
    const runs = row.id === "C12" ? 2 : 1;
    const go = () => fire(stage, mounted, runs, runs);
    const { fired, violations } = await (waits(row) ? go() : inTurn(go));
    t.is(fired, runs);
    t.deepEqual(violations, []);
  });
}

test.after(
  "every request was signed, unchanged and encrypted, on an unbroken connection; no redirect was followed; no log or metric has a wallet's text",
  async (t) => {
    t.deepEqual(await stage.never(), []);
  },
);
