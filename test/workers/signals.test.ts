/** The signals that stop a supervisor and its workers, on MariaDB. */
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import test, { type ExecutionContext } from "ava";
import { type DatabaseServer, startDatabaseServer } from "../../testbed/database/server.ts";
import type { Replica } from "../../testbed/service/replica.ts";
import { workersOf } from "../../testbed/service/worker-processes.ts";
import { startWorldOfProcesses } from "../../testbed/stage/world.ts";

const CALLS = 20;
const WITHIN_MS = 60_000;
/** A wallet that answers after this time answers no bet of a test. */
const ENDLESS_MS = 60_000;

let server: DatabaseServer;
test.before(async () => {
  server = await startDatabaseServer();
});
test.after.always(() => server.stop());

/** Two workers with bets in flight, which a slow wallet answers after 2 s, or after another time. */
async function betsInFlight(t: ExecutionContext, slowMs = 2_000) {
  t.timeout(120_000);
  const databaseUrl = await server.createDatabase();
  const env = { PROCESSES: "2", DRAIN_DELAY_MS: "500", WALLET_TIMEOUT_MS: "15000" };
  const world = await startWorldOfProcesses(t, { databaseUrl, env });
  const sessionId = await world.session();
  world.wallet.setFault({ kind: "slow", ms: slowMs });
  const bets = Array.from({ length: CALLS }, (_, i) =>
    world.request("bet", { sessionId, txId: `b${i}`, amountMinor: 1n }),
  );
  for (const end = Date.now() + WITHIN_MS; world.callbacks.length < CALLS; await sleep(10))
    if (Date.now() > end) throw new Error("the bets did not reach the wallet");
  return { world, replica: world.first, bets };
}

/** Sends a signal to every process of a replica, as systemd does with KillMode=control-group, and a terminal. */
function signalAll(replica: Replica, name: NodeJS.Signals): void {
  for (const pid of [...workersOf(replica), replica.process.pid as number]) process.kill(pid, name);
}

test.serial("SIGTERM to every process of the replica: calls in flight are answered, and it ends with 0", async (t) => {
  const { replica, bets } = await betsInFlight(t);
  signalAll(replica, "SIGTERM");
  t.deepEqual(await Promise.all(bets), new Array(CALLS).fill("success"));
  t.is(await replica.ended(), 0);
});

test.serial("a worker that gets SIGTERM again goes on with its stop while its supervisor lives", async (t) => {
  const { replica, bets } = await betsInFlight(t);
  const workers = workersOf(replica);
  replica.signal("SIGTERM");
  for (let times = 0; times < 3; times++) {
    await sleep(100);
    for (const pid of workers.filter(isRunning)) process.kill(pid, "SIGTERM");
  }
  t.deepEqual(await Promise.all(bets), new Array(CALLS).fill("success"));
  t.is(await replica.ended(), 0);
});

test.serial(
  "SIGHUP to every process of the replica: it replaces the workers, and calls in flight are answered",
  async (t) => {
    const { replica, bets } = await betsInFlight(t);
    signalAll(replica, "SIGHUP");
    t.deepEqual(await Promise.all(bets), new Array(CALLS).fill("success"));
    for (const end = Date.now() + WITHIN_MS; !replica.output().includes("every worker was replaced"); await sleep(20))
      if (Date.now() > end) throw new Error("the workers were not replaced");
    t.notRegex(replica.output(), /a worker ended/);
  },
);

test.serial("a second SIGTERM to the supervisor ends all its workers at once", async (t) => {
  const { replica, bets } = await betsInFlight(t, ENDLESS_MS);
  const workers = workersOf(replica);
  replica.signal("SIGTERM");
  // The system joins a signal with one that the process has not taken yet.
  while (isPending(replica.process.pid as number, constants.signals.SIGTERM)) await sleep(5);
  replica.signal("SIGTERM");
  t.is(await replica.ended(), "SIGTERM");
  t.false((await Promise.all(bets)).includes("success"));
  for (const end = Date.now() + WITHIN_MS; workers.some(isRunning) && Date.now() < end; ) await sleep(10);
  t.false(workers.some(isRunning));
});

/** Whether a process has not taken a signal yet that was sent to it. */
function isPending(pid: number, signal: number): boolean {
  const [, mask = "0"] = /^ShdPnd:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return ((BigInt(`0x${mask}`) >> BigInt(signal - 1)) & 1n) === 1n;
}

/** Whether a process runs. A dead process whose parent has not read its end yet is a zombie, and does not run. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/status`, "utf8").includes("\nState:\tZ");
  } catch {
    return false;
  }
}
