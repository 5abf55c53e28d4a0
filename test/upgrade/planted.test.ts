/** The upgrade of `npm run upgrade-test` reports the faults that a release may have. */
import test, { type ExecutionContext } from "ava";
import { Balancer } from "../../testbed/programs/balancer.ts";
import { THIS_RELEASE } from "../../testbed/service/replica.ts";
import { oneServer } from "./places.ts";
import { PLANTS, type Plant } from "./plants.ts";
import { upgrade } from "./rollout.ts";
import { startGames } from "./set-up.ts";

const REPLICAS = 3;

/**
 * Upgrades from this release to itself. Calls must fail for this reason in the last phase, which has the fault, and not
 * before. On a busy machine some calls may be refused for another reason.
 */
async function notices(t: ExecutionContext, fault: string, reason: RegExp): Promise<void> {
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
  const failures = phases.map(({ title, calls, failed }) => {
    t.log(`${title}: ${calls} calls, failed ${JSON.stringify([...failed])}`);
    t.true(calls > 0, title);
    return [...failed].filter(([why]) => reason.test(why)).reduce((sum, [, count]) => sum + count, 0);
  });
  t.true((failures.pop() ?? 0) > 0, "the fault is noticed");
  t.deepEqual(new Set(failures), new Set([0]));
}

test.serial("a replica that loses its calls when it is stopped is noticed", (t) =>
  notices(t, "lost-calls", /no reply$/),
);

test.serial("a migration with which the last release cannot work is noticed", (t) =>
  notices(t, "renamed-column", /^SERVICE_UNAVAILABLE$/),
);
