import test from "ava";
import { startMariaDb } from "../harness/mariadb.ts";
import { ACTIONS, CELLS, type Cell, NEXTS, OUTCOMES, POINTS, type Point } from "./cells.ts";
import { credentialsUsedUp } from "./credentials.ts";
import { SCENARIOS } from "./scenarios.ts";
import { ALONE, Stage } from "./stage.ts";

const server = await startMariaDb();
test.after.always(() => server.stop());

/** One transaction of each action; which wallet and which provider it meets differs from point to point. */
function someOf(point: Point): Cell[] {
  const at = POINTS.indexOf(point);
  const wanted = ACTIONS.map((action, i) => ({ point, action, outcome: OUTCOMES[(at + i) % OUTCOMES.length], next: NEXTS[(at + i) % NEXTS.length] }));
  const found = wanted.flatMap(
    (cell) => CELLS.find((one) => one.point === point && one.action === cell.action && one.outcome === cell.outcome && one.next === cell.next) ?? [],
  );
  return found.length > 0 ? found : CELLS.filter((cell) => cell.point === point).slice(0, 4);
}

for (const [where, points] of [
  ["in a first call or around it", POINTS.filter((point) => !ALONE.has(point))],
  ["in a later call or in the resend worker", POINTS.filter((point) => ALONE.has(point))],
] as const) {
  test(`a process that is killed ${where} loses nothing and repeats nothing, whatever the wallet did and the provider does: ${points.join(", ")}`, async (t) => {
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

// It takes the database along.
test.serial("stopped, stopped twice, killed together and killed with the database, processes leave nothing open or twice", async (t) => {
  const stage = await Stage.open(await server.createDatabase(), 2);
  t.teardown(() => stage.abandon());
  for (const run of Object.values(SCENARIOS)) await run(stage, server);
  t.deepEqual(await stage.end(), []);
});
