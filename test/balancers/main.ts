/**
 * `npm run balancers [-- haproxy|nginx]`: three replicas behind HAProxy, then behind nginx, with the configurations of
 * deploy/balancer/, under a load of gRPC and REST calls. It restarts, drains, kills and stops replicas, and prints how
 * many calls failed. The exit code is 1 if a call failed in a rolling restart or a drain.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { startDatabaseServer } from "../../testbed/database/server.ts";
import { BALANCERS, Balancer, type BalancerKind } from "../../testbed/programs/balancer.ts";
import type { Replica } from "../../testbed/service/replica.ts";
import { type Scope, startWorldOfProcesses } from "../../testbed/stage/world.ts";
import { Load } from "./load.ts";

const QUIET_MS = 3_000;
const STOPPED_MS = 10_000;

/** Returns whether no call failed in a rolling restart and a drain. */
async function tryBalancer(scope: Scope, kind: BalancerKind): Promise<boolean> {
  const balancer = await Balancer.of(kind);
  if (balancer === undefined) {
    console.log(`${kind} is skipped: it is not on this machine`);
    return true;
  }
  console.log(kind);
  const server = await startDatabaseServer();
  scope.teardown(server.stop);
  const env = { DRAIN_DELAY_MS: "5000", TRUSTED_PROXIES: "127.0.0.1" };
  const world = await startWorldOfProcesses(scope, { databaseUrl: await server.createDatabase(), env });
  const session = await world.session();
  await world.first.drain();
  const start = (i: number): Promise<Replica> => world.start(balancer.portsOf(i));
  const replicas = await Promise.all([0, 1, 2].map(start));
  scope.teardown(() => balancer.stop());
  await balancer.start();

  const secret = world.secrets.get("shop-brl") ?? "";
  const load = new Load({ ...balancer.ports, session, apiKey: world.apiKey, secret });
  const phase = async (title: string, act: () => Promise<void>): Promise<number> => {
    load.begin();
    await act();
    await sleep(QUIET_MS);
    const { calls, failed, longestMs, reasons } = load.end();
    console.log(
      `${title.padEnd(18)} ${String(calls).padStart(6)} calls ${String(failed).padStart(4)} failed, the slowest took ${Math.round(longestMs)} ms${reasons === "" ? "" : ` (${reasons})`}`,
    );
    return failed;
  };
  const untilReady = async (replica: Replica): Promise<void> => {
    while (!(await replica.isReady())) await sleep(100);
    // In this time the balancer's next checks notice the change.
    await sleep(QUIET_MS);
  };

  load.start();
  await phase("no fault", () => sleep(QUIET_MS));
  const failed = await phase("rolling restart", async () => {
    for (const [i, replica] of replicas.entries()) {
      await balancer.takeOut(i);
      await replica.drain();
      replicas[i] = await start(i);
      await untilReady(replicas[i]);
    }
    await balancer.takeOut();
  });
  const drained = await phase("one drained", async () => {
    await balancer.takeOut(0);
    await replicas[0]?.drain();
  });
  replicas[0] = await start(0);
  await untilReady(replicas[0]);
  await balancer.takeOut();
  if (kind === "nginx") {
    await phase("one only SIGTERM", async () => void (await replicas[0]?.drain()));
    replicas[0] = await start(0);
    await untilReady(replicas[0]);
  }
  await phase("kill -9 of one", async () => void (await replicas[1]?.kill()));
  replicas[1] = await start(1);
  await untilReady(replicas[1]);
  await phase("SIGSTOP for 10 s", async () => {
    replicas[2]?.pause();
    await sleep(STOPPED_MS);
    replicas[2]?.resume();
  });
  await load.stop();
  return failed + drained === 0;
}

const only = process.argv[2];
let passed = true;
for (const kind of BALANCERS.filter((one) => only === undefined || one === only)) {
  const ends: (() => void | Promise<void>)[] = [];
  try {
    passed = (await tryBalancer({ teardown: (end) => void ends.push(end) }, kind)) && passed;
  } finally {
    for (const end of ends.reverse()) await end();
  }
}
if (!passed) console.error("A call failed during a restart or a drain.");
process.exit(passed ? 0 : 1);
