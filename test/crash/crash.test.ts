import test from "ava";
import { startMariaDb } from "../../testbed/database/mariadb.ts";
import { ACTIONS, CELLS, type Cell, NEXTS, OUTCOMES, POINTS, type Point } from "./cells.ts";
import { credentialsUsedUp } from "./credentials.ts";
import { allKilled, drained, powerCut, stoppedTwice } from "./scenarios.ts";
import { ALONE, Stage } from "./stage.ts";

/** On a machine that is short of time every wait is longer; none is for a time. */
const PATIENCE_MS = 15 * 60_000;

const server = await startMariaDb();
test.after.always(() => server.stop());

/** One transaction of each action; which wallet and which provider it meets differs from point to point. */
function someOf(point: Point): Cell[] {
  const at = POINTS.indexOf(point);
  const wanted = ACTIONS.map((action, i) => ({
    point,
    action,
    outcome: OUTCOMES[(at + i) % OUTCOMES.length],
    next: NEXTS[(at + i) % NEXTS.length],
  }));
  const found = wanted.flatMap(
    (cell) =>
      CELLS.find(
        (one) =>
          one.point === point && one.action === cell.action && one.outcome === cell.outcome && one.next === cell.next,
      ) ?? [],
  );
  return found.length > 0 ? found : CELLS.filter((cell) => cell.point === point).slice(0, 4);
}

for (const [where, points] of [
  ["in a first call or around it", POINTS.filter((point) => !ALONE.has(point))],
  ["in a later call or in the resend worker", POINTS.filter((point) => ALONE.has(point))],
] as const) {
  test(`a process that is killed ${where} loses nothing and repeats nothing, whatever the wallet did and the provider does: ${points.join(", ")}`, async (t) => {
    t.timeout(PATIENCE_MS);
    const stage = await Stage.open(await server.createDatabase(), 1);
    t.teardown(() => stage.abandon());
    for (const point of points) {
      const met = await stage.injure(point, someOf(point), { kind: "kill" });
      t.true(met.length > 0, `the process died at ${point}, with a transaction there`);
    }
    t.deepEqual(await stage.end(), []);
  });
}

test("a nonce or a launch token that a dead process had used up is never accepted again, and a fresh one is", async (t) => {
  t.deepEqual(await credentialsUsedUp(server, ["kill"]), []);
});

// The database goes with them, so nothing else may use it.
test.serial("processes that are killed together with their database lose nothing and repeat nothing", async (t) => {
  t.timeout(PATIENCE_MS);
  const stage = await Stage.open(await server.createDatabase(), 2);
  t.teardown(() => stage.abandon());
  await powerCut(stage, server);
  t.deepEqual(await stage.end(), []);
});

test("a process that is stopped answers what is under way; stopped twice, or killed with all others, it leaves nothing open or twice", async (t) => {
  t.timeout(PATIENCE_MS);
  const stage = await Stage.open(await server.createDatabase(), 3);
  t.teardown(() => stage.abandon());
  for (const run of [drained, stoppedTwice, allKilled]) await run(stage, server);
  t.deepEqual(await stage.end(), []);
});
