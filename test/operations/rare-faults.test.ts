/** Faults of replicas and of their database that watching.test.ts does not plant. Each must raise its alert. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ExecutionContext } from "ava";
import { RootConnection } from "../../testbed/database/root-connection.ts";
import { startDatabaseServer } from "../../testbed/database/server.ts";
import { freePort } from "../../testbed/programs/ports.ts";
import type { Replica } from "../../testbed/service/replica.ts";
import { startSportsbookWorld } from "../../testbed/stage/sportsbook-world.ts";
import { RARE } from "./alert-names.ts";
import { Monitoring, until } from "./monitoring.ts";
import { withPrometheus } from "./with-prometheus.ts";

const WALLET_TIMEOUT_MS = 1_500;
/** The second replica is paused for this time, 2 s after the wallet's first reply to it. */
const PAUSE_MS = 8_000;
/** The metrics wait up to 1 s for the count of pending transactions. */
const SCRAPE_MS = 1_500;
const OPEN_FILES_MAX = 160;
/** Longer than the horizon of a slip, 10 minutes. */
const LONG_AGO_MS = 11 * 60_000;
const RUNNING = 1;

/** A Node that may open few files. */
function nodeWithFewFiles(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), "few-files-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, "node");
  const script = `#!/bin/sh\nulimit -n ${OPEN_FILES_MAX}\nexec '${process.execPath}' "$@"\n`;
  writeFileSync(program, script, { mode: 0o755 });
  return program;
}

/** Opens connections to a replica, which then stay idle. */
async function idleConnections(t: ExecutionContext, { origin }: Replica, count: number): Promise<Agent> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: count });
  t.teardown(() => agent.destroy());
  const one = () =>
    new Promise<void>((resolve, reject) => {
      get(`${origin}/health/live`, { agent }, (response) => void response.resume().once("end", resolve)).once(
        "error",
        reject,
      );
    });
  await Promise.all(Array.from({ length: count }, one));
  return agent;
}

withPrometheus("a fault of a replica or of its database raises its alert", async (t) => {
  t.timeout(400_000);
  const mariadb = await startDatabaseServer();
  t.teardown(mariadb.stop);
  const databaseUrl = await mariadb.createDatabase();
  const { pathname, searchParams } = new URL(databaseUrl);
  const root = new RootConnection({ socketPath: searchParams.get("socketPath") ?? "" });
  t.teardown(() => root.close());
  await root.ask(`USE ${pathname.slice(1)}`);
  const env = { WALLET_TIMEOUT_MS: String(WALLET_TIMEOUT_MS), LEASE_MARGIN_MS: "700" };
  const world = await startSportsbookWorld(t, { databaseUrl, env });
  const { first, wallet, database } = world;
  const paused = await world.start({ GAS_FAILPOINTS: `CP7:pause=${PAUSE_MS}+2000` });
  const small = await world.start({}, { folder: ".", node: nodeWithFewFiles(t) });
  const port = String(await freePort());
  let restarted = await world.start({ INTERNAL_HTTP_PORT: port });
  const monitoring = await Monitoring.start(t, {
    replicas: [first, paused, small, restarted],
    databases: [databaseUrl],
    scrapeMs: SCRAPE_MS,
  });
  // A second scrape, so that the start does not count.
  await sleep(2 * SCRAPE_MS);
  const firing = await monitoring.firing();
  t.deepEqual(
    RARE.filter((name) => firing.has(name)),
    [],
    "no fault, no alert",
  );
  const game = async (code: string): Promise<string> => {
    await world.rest("POST", "/v1/game/launch", { player_id: "ana", game: "fruits" }, code);
    return world.opened.at(-1)?.sessionId ?? "";
  };

  t.log("launches that wait for a locked table, and need more connections than the replica has");
  await root.ask("LOCK TABLES sessions WRITE");
  const launches = Array.from({ length: 60 }, () => game("shop-brl"));
  await monitoring.untilFired("AggregatorConnectionsWaiting");
  await root.ask("UNLOCK TABLES");
  await Promise.all(launches);
  await monitoring.untilSilent("AggregatorConnectionsWaiting");

  t.log("a merchant whose changes get no number for a minute");
  const bet = { sessionId: await game("shop-clp"), currency: "CLP", amountMinor: 1n };
  await world.request("bet", { ...bet, txId: "numbered" });
  const head = "SELECT seq FROM feed_head JOIN merchants ON id = merchant_id WHERE code = 'shop-clp'";
  await until("the bet has its number", async () => (await root.ask(head)).length === 1);
  await root.ask("BEGIN");
  await root.ask(`${head} FOR UPDATE`);
  await world.request("bet", { ...bet, txId: "waits" });

  t.log("a wallet that rejects a bet of a replica which then stands still, and accepts its repeat by another replica");
  const contradicted = { sessionId: await game("shop-brl"), txId: "contradicted" };
  wallet.setFault({ kind: "rejected" });
  const late = world.request("bet", contradicted, paused);
  await until("the replica is paused", async () => paused.output().includes('"failpoint":"CP7"'));
  wallet.setFault({ kind: "none" });
  t.is(await world.request("bet", contradicted), "success");
  t.is(await late, "success");
  await monitoring.untilFired("AggregatorWalletContradicts");

  t.log("a slip that has not ended after ten minutes");
  t.is(await world.slip(await world.session(), "s1", "b1:100"), "success: b1 success");
  await database
    .knex("slips")
    .where({ slip_id: "s1", position: 0 })
    .update({ status: RUNNING, due_at: 1, created_at: Date.now() - LONG_AGO_MS });
  await monitoring.untilFired("AggregatorSlipStuck");

  t.log("a replica that has used its file descriptors");
  const connections = await idleConnections(t, small, 100);
  await monitoring.untilFired("AggregatorFileDescriptors");
  connections.destroy();
  await monitoring.untilSilent("AggregatorFileDescriptors");

  t.log("a replica that dies and starts again and again");
  for (let i = 0; i < 3; i++) {
    await restarted.kill();
    restarted = await world.start({ INTERNAL_HTTP_PORT: port });
    // Prometheus must see each start.
    await sleep(2 * SCRAPE_MS);
  }
  await monitoring.untilFired("AggregatorRestarts");

  await monitoring.untilFired("AggregatorFeedLags");
  await root.ask("ROLLBACK");
  await monitoring.untilSilent("AggregatorFeedLags");
  t.deepEqual([...monitoring.fired].toSorted(), [...RARE]);
});
