/** PROCESSES: several worker processes behind one supervisor, on MariaDB. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { adminOf, refusalOf } from "../../testbed/callers/administration.ts";
import { signedCall } from "../../testbed/callers/signed-call.ts";
import { type DatabaseServer, startDatabaseServer } from "../../testbed/database/server.ts";
import { judge } from "../../testbed/judge/judge.ts";
import type { Outcome } from "../../testbed/judge/record.ts";
import { settled } from "../../testbed/judge/stored-rows.ts";
import { compileCache } from "../../testbed/programs/child.ts";
import { Provider } from "../../testbed/provider/provider.ts";
import { FREE_PORTS } from "../../testbed/service/environment.ts";
import type { Replica } from "../../testbed/service/replica.ts";
import { connectionsOf, workersOf } from "../../testbed/service/worker-processes.ts";
import { Installation } from "../../testbed/stage/installation.ts";

const WORKERS = 3;
const PROVIDERS = 6;
const WITHIN_MS = 60_000;

let server: DatabaseServer;
test.before(async () => {
  server = await startDatabaseServer();
});
test.after.always(() => server.stop());

async function open(t: ExecutionContext): Promise<{ readonly installation: Installation; readonly replica: Replica }> {
  t.timeout(180_000);
  const installation = await Installation.open({ databaseUrl: await server.createDatabase() });
  t.teardown(() => installation.close());
  // While a worker leaves, clients move their connections.
  const replica = await installation.startReplica({ PROCESSES: String(WORKERS), DRAIN_DELAY_MS: "500" });
  t.is(workersOf(replica).length, WORKERS);
  return { installation, replica };
}

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + WITHIN_MS; !holds(); await pause(20))
    if (Date.now() > end) throw new Error("it did not become true in time");
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/**
 * Starts providers that have one connection each. They send bets and wins one after the other, and repeat each request
 * until its answer is final. `over` stops the providers, and resolves to all their outcomes.
 */
function load(
  installation: Installation,
  replica: Replica,
): { readonly sent: () => number; over(): Promise<Outcome[]> } {
  let [isOver, count] = [false, 0];
  const outcomes: Outcome[] = [];
  const play = async (n: number): Promise<void> => {
    const provider = new Provider(installation.directory.apiKey, installation.history);
    for (let i = 0; !isOver; i++) {
      const player = installation.players[(n + i * PROVIDERS) % installation.players.length];
      if (player === undefined) throw new Error("the installation has no players");
      const content = installation.content(player, i % 2 === 0 ? "bet" : "win", `p${n}-${i}`);
      outcomes.push(
        await provider.repeatUntilFinal(
          content,
          player.sessionId,
          () => replica,
          () => !replica.isRunning,
        ),
      );
      count += 1;
      // Some hundred requests a second are enough, and the workers of other tests need the processor, too.
      await pause(10);
    }
    provider.close();
  };
  const players = Promise.all(Array.from({ length: PROVIDERS }, (_, n) => play(n)));
  return {
    sent: () => count,
    over: async () => {
      isOver = true;
      await players;
      return outcomes;
    },
  };
}

test.serial(
  "a worker that is killed under load is started again, and no transaction is lost or made twice",
  async (t) => {
    const { installation, replica } = await open(t);
    const running = load(installation, replica);
    const deaths: number[] = [];
    for (let kills = 0; kills < 3; kills++) {
      const sent = running.sent();
      await until(() => running.sent() > sent + 100 && workersOf(replica).length === WORKERS);
      deaths.push(Date.now());
      process.kill(workersOf(replica)[kills] as number, "SIGKILL");
      await until(() => replica.output().split("a worker ended and is started again").length === kills + 2);
    }
    await until(() => workersOf(replica).length === WORKERS);
    await running.over();
    await settled(installation.database, WITHIN_MS);
    t.deepEqual(await judge(installation, { healed: true, standstills: [], deaths, bugs: [] }, replica.origin), []);
  },
);

test.serial("SIGHUP replaces each worker, and no call fails", async (t) => {
  const { installation, replica } = await open(t);
  const before = workersOf(replica);
  const running = load(installation, replica);
  const [merchant] = installation.directory.merchants;
  if (merchant === undefined) throw new Error("the installation has no merchant");
  const replies: string[] = [];
  let isReloaded = false;
  // An address may make 200 calls a second, shared by all workers. Without pauses a fast machine reaches that limit.
  const merchantCalls = (async () => {
    for (; !isReloaded; await pause(50)) {
      const reply = await signedCall(replica.origin, merchant, "GET", "/v1/games").catch(String);
      replies.push(typeof reply === "string" ? reply : reply.ok ? "ok" : reply.code);
    }
  })();
  await until(() => running.sent() > 50);
  replica.signal("SIGHUP");
  // A second SIGHUP during the reload does not start another reload.
  replica.signal("SIGHUP");
  await until(() => replica.output().includes("reload: every worker was replaced"));
  const sent = running.sent();
  await until(() => running.sent() > sent + 50);
  isReloaded = true;
  await merchantCalls;
  const outcomes = await running.over();
  t.deepEqual([...new Set(replies)], ["ok"]);
  t.deepEqual(
    outcomes.filter((outcome) => outcome.kind !== "ok" || outcome.status !== "success"),
    [],
  );
  // A busy machine makes a worker late, and then it refuses new calls for a moment. That is not the reload's fault.
  const failed = installation.history.operations.filter(
    ({ outcome }) => outcome.kind !== "ok" && !(outcome.kind === "refused" && outcome.code === "OVERLOADED"),
  );
  t.deepEqual(failed, [], "no call had to be repeated");
  const after = workersOf(replica);
  t.is(after.length, WORKERS);
  t.deepEqual(
    after.filter((pid) => before.includes(pid)),
    [],
  );
  t.is(await replica.drain(), 0);
});

test.serial(
  "after SIGHUP the workers use the new content of a secret's file; with a wrong file the old ones stay",
  async (t) => {
    t.timeout(180_000);
    const folder = mkdtempSync(join(tmpdir(), "reload-"));
    t.teardown(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "admin_key");
    writeFileSync(file, "the-first-admin-key\n");
    const installation = await Installation.open({ databaseUrl: await server.createDatabase() });
    t.teardown(() => installation.close());
    const replica = await installation.startReplica({ PROCESSES: "2", DRAIN_DELAY_MS: "0", ADMIN_KEY_FILE: file });
    const brandsBy = (key: string) => adminOf(replica, key).brands.listBrands({});
    const before = workersOf(replica);
    await t.notThrowsAsync(brandsBy("the-first-admin-key"));

    writeFileSync(file, "");
    replica.signal("SIGHUP");
    await until(() => replica.output().includes("reload: a new worker could not start, so the old ones stay"));
    t.true(replica.output().includes("ADMIN_KEY_FILE names a file that is empty"));
    t.deepEqual(workersOf(replica), before);
    await t.notThrowsAsync(brandsBy("the-first-admin-key"));

    writeFileSync(file, "the-second-admin-key\n");
    replica.signal("SIGHUP");
    await until(() => replica.output().includes("reload: every worker was replaced"));
    await t.notThrowsAsync(brandsBy("the-second-admin-key"));
    t.is(await refusalOf(brandsBy("the-first-admin-key")), "INVALID_API_KEY");
    t.is(await replica.drain(), 0);
  },
);

test.serial("with PROCESSES=1 the process goes on after SIGHUP, and logs that it replaces nothing", async (t) => {
  t.timeout(180_000);
  const installation = await Installation.open({ databaseUrl: await server.createDatabase() });
  t.teardown(() => installation.close());
  const replica = await installation.startReplica({ PROCESSES: "1" });
  replica.signal("SIGHUP");
  await until(() => replica.output().includes("PROCESSES is 1"));
  const [merchant] = installation.directory.merchants;
  if (merchant === undefined) throw new Error("the installation has no merchant");
  t.true((await signedCall(replica.origin, merchant, "GET", "/v1/games")).ok);
  t.is(await replica.drain(), 0);
});

test.serial("every worker gets connections, and /metrics has the sums of all workers", async (t) => {
  const { installation, replica } = await open(t);
  const { rest, internalHttp } = replica.ports;
  const sockets = Array.from({ length: 10 * WORKERS }, () => connect(rest, "127.0.0.1"));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const connections = () => workersOf(replica).map((pid) => connectionsOf(pid, rest));
  await until(() => connections().reduce((sum, count) => sum + count) === sockets.length);
  // A busy worker gets no new connection, so the numbers may differ.
  t.true(Math.min(...connections()) > 0, String(connections()));

  const running = load(installation, replica);
  await until(() => running.sent() > 100);
  const { length } = await running.over();
  const sum = async () => {
    const text = await (await fetch(`http://127.0.0.1:${internalHttp}/metrics`)).text();
    const counts = [...text.matchAll(/^aggregator_transactions_total\{action="\w+",outcome="success"\} (\d+)$/gm)];
    return counts.reduce((total, [, count]) => total + Number(count), 0);
  };
  // Any worker may answer, and all answers must be the same.
  t.deepEqual(await Promise.all(Array.from({ length: WORKERS }, sum)), new Array(WORKERS).fill(length));
});

test.serial("after SIGTERM all workers finish their calls; a worker without its supervisor ends", async (t) => {
  const { installation, replica } = await open(t);
  const running = load(installation, replica);
  await until(() => running.sent() > 50);
  t.is(await replica.drain(), 0);
  await running.over();
  const second = await installation.startReplica({ PROCESSES: "2" });
  await settled(installation.database, WITHIN_MS);
  t.deepEqual(await judge(installation, { healed: true, standstills: [], bugs: [] }, second.origin), []);

  const workers = workersOf(second);
  await second.kill();
  await until(() => !workers.some(isAlive));
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a wrong configuration is reported once, and SQLite is refused with more than one process", async (t) => {
  const serve = async (env: Readonly<Record<string, string>>): Promise<{ code: number; output: string }> => {
    const key = (letter: string) => Buffer.from(letter.repeat(32)).toString("base64");
    const child = spawn(process.execPath, ["src/main.ts"], {
      env: {
        PATH: process.env.PATH,
        ...compileCache(),
        ENVIRONMENT: "development",
        ...FREE_PORTS,
        MASTER_KEY: key("m"),
        JWT_KEY: key("j"),
        PROCESSES: "3",
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
    const [code] = await once(child, "close");
    return { code, output: output.trim() };
  };
  t.deepEqual(await serve({ DATABASE_URL: "sqlite:any.db" }), {
    code: 1,
    output: "PROCESSES must be 1 with SQLite, because only one process may use its file. Use MariaDB for more",
  });
  t.like(await serve({ DATABASE_URL: "sqlite:any.db", PROCESSES: "0" }), { code: 1 });
  const { code, output } = await serve({ DATABASE_URL: await server.createDatabase() });
  t.is(code, 1);
  t.regex(output, /^The service could not start: .*npm run migrate.*$/);
});
