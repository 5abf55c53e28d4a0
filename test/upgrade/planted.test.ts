/** The upgrade of `npm run upgrade-test` reports the faults that a release may have. */
import test, { type ExecutionContext } from "ava";
import { Balancer } from "../../testbed/programs/balancer.ts";
import { THIS_RELEASE } from "../../testbed/service/replica.ts";
import { oneServer } from "./places.ts";
import { PLANTS, type Plant } from "./plants.ts";
import { upgrade } from "./rollout.ts";
import { startGames } from "./set-up.ts";

const REPLICAS = 3;

/** Upgrades from this release to itself. In the last phase, with the fault, a larger share of the calls must fail. */
async function notices(t: ExecutionContext, fault: string): Promise<void> {
  const balancer = await Balancer.of("haproxy");
  if (balancer === undefined) {
    t.log("skipped: HAProxy is missing. Install it, with the program on the PATH");
    t.pass();
    return;
  }
  const games = await startGames();
  t.teardown(() => games.close());
  const place = await oneServer(REPLICAS);
  t.teardown(() => place.stop());
  const plant = PLANTS[fault] as Plant;
  const { phases } = await upgrade(place, balancer, THIS_RELEASE, { games, seed: 1, playMs: 2_000, plant });
  t.is(phases.length, Number(plant.phases));
  const shares = phases.map(({ title, calls, failed }) => {
    t.log(`${title}: ${calls} calls, failed ${JSON.stringify([...failed])}`);
    t.true(calls > 0, title);
    return [...failed.values()].reduce((sum, one) => sum + one, 0) / calls;
  });
  const last = shares.pop() ?? 0;
  t.true(last > Math.max(...shares), "the fault is noticed");
}

test.serial("a replica that loses its calls when it is stopped is noticed", (t) => notices(t, "lost-calls"));

test.serial("a migration with which the last release cannot work is noticed", (t) => notices(t, "renamed-column"));
