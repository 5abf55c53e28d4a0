/** GET /metrics of a replica with several workers, on MariaDB. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import test, { type ExecutionContext } from "ava";
import { type DatabaseServer, startDatabaseServer } from "../../testbed/database/server.ts";
import type { Replica } from "../../testbed/service/replica.ts";
import { workersOf } from "../../testbed/service/worker-processes.ts";
import { startWorldOfProcesses } from "../../testbed/stage/world.ts";

const WORKERS = 2;
const CALLS = 30;
const ANSWER_MS = 5_000;
const WITHIN_MS = 60_000;

let server: DatabaseServer;
test.before(async () => {
  server = await startDatabaseServer();
});
test.after.always(() => server.stop());

async function open(t: ExecutionContext, env: Readonly<Record<string, string>> = {}): Promise<Replica> {
  t.timeout(180_000);
  const databaseUrl = await server.createDatabase();
  return (
    await startWorldOfProcesses(t, { databaseUrl, env: { PROCESSES: String(WORKERS), DRAIN_DELAY_MS: "500", ...env } })
  ).first;
}

/**
 * A new connection for each request, so that the requests reach all workers in turn. A connection that was given to a
 * worker at the moment of its death never gets an answer.
 */
const get = (url: string) => fetch(url, { headers: { connection: "close" }, signal: AbortSignal.timeout(ANSWER_MS) });

const textOf = async ({ ports }: Replica) => (await get(`http://127.0.0.1:${ports.internalHttp}/metrics`)).text();

/** The value of a series; undefined: there is no such series. */
function sampleOf(text: string, series: string): number | undefined {
  const line = text.split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

const REQUESTS = 'aggregator_http_requests_total{method="GET",route="/health",status="200"}';

async function call(replica: Replica): Promise<void> {
  for (let i = 0; i < CALLS; i++) await (await get(`${replica.origin}/health/live`)).text();
}

/** The values of all counters and of all histograms' series. */
function countersOf(text: string): Map<string, number> {
  const names = [...text.matchAll(/^# TYPE (\w+) (?:counter|histogram)$/gm)].map(([, name = ""]) => name);
  const counters = new Set(names.flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]));
  const lines = text.split("\n").filter((line) => counters.has(/^\w+/.exec(line)?.[0] ?? ""));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

/** Reads the metrics again and again, and collects each counter that falls or ends. */
function watch(replica: Replica): { over(): Promise<string[]> } {
  const falls: string[] = [];
  let [isOver, scrapes] = [false, 0];
  const watching = (async () => {
    for (let last = new Map<string, number>(); !isOver; await sleep(50)) {
      // The worker that answers may be the one that ends.
      const text = await textOf(replica).catch(() => "");
      if (!text.includes("aggregator_ready")) continue;
      const now = countersOf(text);
      for (const [series, value] of last) {
        const next = now.get(series);
        if (next === undefined || next < value) falls.push(`${series}: ${value} became ${next}`);
      }
      [last, scrapes] = [now, scrapes + 1];
    }
  })();
  return {
    over: async () => {
      // On a busy machine a scrape takes long.
      await until(() => scrapes >= 10);
      isOver = true;
      await watching;
      return falls;
    },
  };
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WITHIN_MS; !(await holds()); await sleep(20))
    if (Date.now() > end) throw new Error("it did not become true in time");
}

/** Whether all workers are ready. */
const hasAllWorkers = async (replica: Replica): Promise<boolean> =>
  sampleOf(await textOf(replica).catch(() => ""), "aggregator_processes") === WORKERS;

test.serial("no counter falls when a worker is killed, and the calls that it had reported stay counted", async (t) => {
  const replica = await open(t);
  await call(replica);
  t.is(sampleOf(await textOf(replica), REQUESTS), CALLS);
  const watching = watch(replica);
  for (const kills of [1, 2]) {
    process.kill(workersOf(replica)[0] as number, "SIGKILL");
    await until(() => replica.output().split("a worker ended and is started again").length === kills + 1);
    await until(() => hasAllWorkers(replica));
  }
  await call(replica);
  t.deepEqual(await watching.over(), []);
  const text = await textOf(replica);
  t.is(sampleOf(text, REQUESTS), 2 * CALLS);
  t.is(sampleOf(text, "aggregator_worker_restarts_total"), 2);
});

test.serial("no counter falls at a reload, and calls that no scrape has seen stay counted", async (t) => {
  const replica = await open(t);
  const start = sampleOf(await textOf(replica), "process_start_time_seconds");
  t.true(Math.abs((start ?? 0) - Date.now() / 1_000) < 60);
  await call(replica);
  replica.signal("SIGHUP");
  await until(() => replica.output().includes("reload: every worker was replaced"));
  t.is(sampleOf(await textOf(replica), REQUESTS), CALLS);
  const watching = watch(replica);
  replica.signal("SIGHUP");
  await until(() => replica.output().split("reload: every worker was replaced").length === 3);
  t.deepEqual(await watching.over(), []);
  const text = await textOf(replica);
  t.is(sampleOf(text, REQUESTS), CALLS);
  t.is(sampleOf(text, "process_start_time_seconds"), start, "the replica has not started again");
  t.is(sampleOf(text, "aggregator_worker_restarts_total"), 0, "a reload is not a restart");
  t.is(sampleOf(text, "aggregator_processes"), WORKERS);
});

test.serial("file descriptors are those of the worker with most of them", async (t) => {
  const replica = await open(t);
  const text = await textOf(replica);
  const limit = /^Max open files +(\d+)/m.exec(readFileSync(`/proc/${replica.process.pid}/limits`, "utf8"));
  t.is(sampleOf(text, "process_max_fds"), Number(limit?.[1]));
  const counts = workersOf(replica).map((pid) => readdirSync(`/proc/${pid}/fd`).length);
  const most = sampleOf(text, "process_open_fds") ?? 0;
  // Connections to the database come and go.
  t.true(most > 0 && most < Math.max(...counts) + 10, `${most} of ${counts}`);
});

test.serial("one process has the same metrics as a replica with workers", async (t) => {
  const text = await textOf(await open(t, { PROCESSES: "1" }));
  t.is(sampleOf(text, "aggregator_processes"), 1);
  t.is(sampleOf(text, "aggregator_worker_restarts_total"), 0);
  t.true((sampleOf(text, "process_start_time_seconds") ?? 0) > 0);
  const names = (metrics: string) => [...metrics.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name).toSorted();
  t.deepEqual(names(await textOf(await open(t))), names(text));
});
