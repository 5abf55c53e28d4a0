import test from "ava";
import { startDatabaseServer } from "../../testbed/database/server.ts";
import { ASKED, CELLS, type Cell, endingOf, NEXTS, OUTCOMES, POINTS, type Point } from "./cells.ts";
import { credentialsUsedUp } from "./credentials.ts";
import { allKilled, drained, powerCut, stoppedTwice } from "./scenarios.ts";
import { Stage, WITHOUT_SURVIVOR } from "./stage.ts";

/** On a busy machine every wait is longer. No check here depends on a time. */
const PATIENCE_MS = 15 * 60_000;
/** A caller on a busy machine may stop waiting before its request has reached the point. */
const TRIES = 5;

const server = await startDatabaseServer();
test.after.always(() => server.stop());

/** One transaction of each kind. Wallet and provider differ from point to point. */
function someOf(point: Point): Cell[] {
  const at = POINTS.indexOf(point);
  const wanted = ASKED.map((asked, i) => ({
    point,
    asked,
    outcome: OUTCOMES[(at + i) % OUTCOMES.length],
    next: NEXTS[(at + i) % NEXTS.length],
  }));
  const found = wanted.flatMap(
    (cell) =>
      CELLS.find(
        (one) =>
          one.point === point && one.asked === cell.asked && one.outcome === cell.outcome && one.next === cell.next,
      ) ?? [],
  );
  return found.length > 0 ? found : CELLS.filter((cell) => cell.point === point).slice(0, 4);
}

for (const [where, points] of [
  ["during a first call, or just before or after it", POINTS.filter((point) => !WITHOUT_SURVIVOR.has(point))],
  ["during a later call or in the resend worker", POINTS.filter((point) => WITHOUT_SURVIVOR.has(point))],
] as const) {
  test(`a process that is killed ${where} (${points.join(", ")}) loses no transaction and repeats none`, async (t) => {
    t.timeout(PATIENCE_MS);
    const stage = await Stage.open(await server.createDatabase(), 1);
    t.teardown(() => stage.abandon());
    for (const point of points) {
      for (const [ending, cells] of Map.groupBy(someOf(point), endingOf)) {
        let reached: readonly Cell[] = [];
        for (let tries = 0; reached.length === 0 && tries < TRIES; tries++)
          reached = await stage.inject(point, cells, { kind: "kill" });
        t.true(reached.length > 0, `the process died at ${point}, with a transaction ${ending} there`);
      }
    }
    t.deepEqual(await stage.end(), []);
  });
}

test("a nonce or launch token that a dead process used is never accepted again, and a new one is accepted", async (t) => {
  t.deepEqual(await credentialsUsedUp(server, ["kill"]), []);
});

// The database is killed, too, so no other test may use it.
test.serial("processes that are killed together with their database lose no transaction and repeat none", async (t) => {
  t.timeout(PATIENCE_MS);
  const stage = await Stage.open(await server.createDatabase(), 2);
  t.teardown(() => stage.abandon());
  await powerCut(stage, server);
  t.deepEqual(await stage.end(), []);
});

test("a stopped process finishes its calls; if it is stopped twice, or killed with all others, no call stays open or is made twice", async (t) => {
  t.timeout(PATIENCE_MS);
  const stage = await Stage.open(await server.createDatabase(), 3);
  t.teardown(() => stage.abandon());
  for (const run of [drained, stoppedTwice, allKilled]) await run(stage, server);
  t.deepEqual(await stage.end(), []);
});
