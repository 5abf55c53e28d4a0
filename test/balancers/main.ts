/**
 * `npm run balancers`: three replicas behind HAProxy with the configuration of deploy/balancer/, under a load of gRPC and
 * REST calls. It restarts, drains, kills and stops replicas, and prints how many calls failed. The exit code is 1 if a
 * call failed in a rolling restart or a drain.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startDatabaseServer } from "../../testbed/database/server.ts";
import { freePorts } from "../../testbed/programs/child.ts";
import { PROGRAM_ENV, programOf } from "../../testbed/programs/operations-program.ts";
import { isReady } from "../../testbed/service/readiness.ts";
import type { Replica } from "../../testbed/service/replica.ts";
import { type Scope, startWorld } from "../../testbed/stage/world.ts";
import { Load } from "./load.ts";

/** The ports in the configuration, in the order: the balancer's REST and gRPC, then REST and gRPC of each replica. */
const PORTS = [18_080, 19_090, 18_081, 19_091, 18_082, 19_092, 18_083, 19_093] as const;
const CONFIGURATION = "deploy/balancer/haproxy.cfg";
const QUIET_MS = 3_000;
const STOPPED_MS = 10_000;

/** Returns whether no call failed in a rolling restart and a drain. */
async function tryHaproxy(scope: Scope): Promise<boolean> {
  const program = programOf("haproxy");
  if (program === undefined) {
    console.log("skipped, no HAProxy");
    return true;
  }
  const server = await startDatabaseServer();
  scope.teardown(server.stop);
  const ports = await freePorts(PORTS.length);
  const portsOf = (i: number) => ({ REST_PORT: String(ports[2 * i]), GRPC_PORT: String(ports[2 * i + 1]) });
  const env = { DRAIN_DELAY_MS: "5000", TRUSTED_PROXIES: "127.0.0.1" };
  const world = await startWorld(scope, { databaseUrl: await server.createDatabase(), env });
  const session = await world.session();
  await world.first.drain();
  const replicas = await Promise.all([1, 2, 3].map((i) => world.start(portsOf(i))));

  const folder = mkdtempSync(join(tmpdir(), "balancer-"));
  scope.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const own = PORTS.reduce(
    (text, port, i) => text.replaceAll(`:${port}`, `:${ports[i]}`),
    readFileSync(CONFIGURATION, "utf8"),
  );
  // HAProxy's checks of gRPC name REST's port without an address.
  const checked = PORTS.reduce((text, port, i) => text.replaceAll(`port ${port}`, `port ${ports[i]}`), own);
  writeFileSync(join(folder, "conf"), checked);
  const balancer = spawn(resolve(program), ["-db", "-f", join(folder, "conf")], {
    env: PROGRAM_ENV,
    stdio: ["ignore", "inherit", "inherit"],
  });
  scope.teardown(() => void balancer.kill("SIGKILL"));
  const [rest = 0, grpc = 0] = ports;
  while (!(await isReady(`http://127.0.0.1:${rest}`))) {
    if (balancer.exitCode !== null) throw new Error(`HAProxy ended with ${balancer.exitCode}`);
    await sleep(100);
  }

  const load = new Load({ rest, grpc, session, apiKey: world.apiKey, secret: world.secrets.get("shop-brl") ?? "" });
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
    // The balancer's next checks see it.
    await sleep(QUIET_MS);
  };

  load.start();
  await phase("no fault", () => sleep(QUIET_MS));
  const failed = await phase("rolling restart", async () => {
    for (const [i, replica] of replicas.entries()) {
      await replica.drain();
      replicas[i] = await world.start(portsOf(i + 1));
      await untilReady(replicas[i]);
    }
  });
  const drained = await phase("one drained", async () => void (await replicas[0]?.drain()));
  replicas[0] = await world.start(portsOf(1));
  await untilReady(replicas[0]);
  await phase("kill -9 of one", async () => void (await replicas[1]?.kill()));
  replicas[1] = await world.start(portsOf(2));
  await untilReady(replicas[1]);
  await phase("SIGSTOP for 10 s", async () => {
    replicas[2]?.pause();
    await sleep(STOPPED_MS);
    replicas[2]?.resume();
  });
  await load.stop();
  balancer.kill("SIGTERM");
  await once(balancer, "exit");
  return failed + drained === 0;
}

const ends: (() => void | Promise<void>)[] = [];
let passed = false;
try {
  passed = await tryHaproxy({ teardown: (end) => void ends.push(end) });
} finally {
  for (const end of ends.reverse()) await end();
}
if (!passed) console.error("A call failed during a restart or a drain.");
process.exit(passed ? 0 : 1);
