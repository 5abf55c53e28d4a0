/** The time from `npm run serve` until the service is ready. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { invent, seed } from "../../testbed/directory/seed.ts";
import { untilReady } from "../../testbed/service/readiness.ts";
import type { Bench, Measurement, Section } from "../measurement.ts";
import { figure, spreadText } from "../report/report.ts";
import { spread } from "../report/statistics.ts";
import { type DatabaseKind, startDatabase } from "../stage/bench-database.ts";
import { benchEnvironment, MASTER_KEY } from "../stage/programs.ts";

export const start: Measurement = { name: "start", run };

async function run(bench: Bench): Promise<Section> {
  const seconds = { mariadb: await startTimes(bench, "mariadb"), sqlite: await startTimes(bench, "sqlite") };
  return {
    title: "Start",
    method: `From \`npm run serve\`, set-up done, to 200 at /health/ready. Median (lowest-highest) of ${bench.options.runs} starts.`,
    tables: [
      {
        title: "",
        columns: ["", "s"],
        rows: [
          ["MariaDB", spreadText(spread(seconds.mariadb))],
          ["SQLite", spreadText(spread(seconds.sqlite))],
        ],
      },
    ],
    targets: [
      { what: "ready, MariaDB", measured: spread(seconds.mariadb), bound: { atMost: 2 }, unit: "s" },
      { what: "ready, SQLite", measured: spread(seconds.sqlite), bound: { atMost: 2 }, unit: "s" },
    ],
    raw: seconds,
  };
}

async function startTimes(bench: Bench, kind: DatabaseKind): Promise<number[]> {
  const database = await startDatabase(kind, bench.folder);
  try {
    const url = await database.create();
    await seed(url, MASTER_KEY, invent([{ merchants: 8, sessionsEach: 1, walletUrl: "http://127.0.0.1:9/wallet" }]));
    const seconds: number[] = [];
    for (let i = 0; i < bench.options.runs; i++) seconds.push(await startOnce(url));
    bench.log(`${kind}: ready after ${seconds.map(figure).join(", ")} s`);
    return seconds;
  } finally {
    await database.stop();
  }
}

async function startOnce(databaseUrl: string): Promise<number> {
  const { environment, restPort } = await benchEnvironment(databaseUrl);
  const root = join(import.meta.dirname, "../..");
  const beganAt = performance.now();
  // Its own process group, so that npm, its shell and the service are stopped together.
  const npm = spawn("npm", ["run", "serve"], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: "ignore",
    detached: true,
  });
  const assertRuns = (): void => {
    if (npm.exitCode !== null) throw new Error(`npm run serve ended with ${npm.exitCode}`);
  };
  try {
    await untilReady(restPort, { assertRuns, logTail: () => "" });
    return (performance.now() - beganAt) / 1_000;
  } finally {
    if (npm.exitCode === null && npm.pid !== undefined) {
      const exit = once(npm, "exit");
      process.kill(-npm.pid, "SIGTERM");
      await exit;
    }
  }
}
