/**
 * The alert rules and dashboards of deploy/, evaluated by a real Prometheus beside a real service: first under load, then
 * with one fault after the other.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import test from "ava";
import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { WalletService } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { ALERTS } from "../../src/ports/telemetry.ts";
import { startDatabaseServer } from "../../testbed/database/server.ts";
import { startNameServer } from "../../testbed/programs/name-server.ts";
import { PROGRAM_ENV, programOf } from "../../testbed/programs/operations-program.ts";
import { METHODS } from "../../testbed/provider/methods.ts";
import { type Scope, startWorldOfProcesses } from "../../testbed/stage/world.ts";
import { page, table } from "../docs/markdown.ts";
import { alertNames, GALERA, GROUP_REPLICATION, RARE, UNIT_TESTS_ONLY } from "./alert-names.ts";
import { addFaultyWallets } from "./faulty-wallets.ts";
import { Monitoring, RULES, until } from "./monitoring.ts";
import { withPrometheus } from "./with-prometheus.ts";

const DASHBOARDS = "deploy/grafana/dashboards";

/** Alerts that a busy or full machine may raise by itself. */
const OF_THE_MACHINE = new Set([
  "AggregatorEventLoopLate",
  "AggregatorCpuFull",
  "AggregatorOverloaded",
  "DiskFilling",
  "DiskFull",
  "ClockWrong",
]);
/** This alert is silent only if Prometheus or Alertmanager does not work. */
const ALWAYS_FIRES = "Watchdog";
/** Metrics that this stage cannot have: it has no cluster, and a container may have no disk of its own. */
const ABSENT_HERE = /wsrep_local_recv_queue|replication_group_member_info|node_filesystem|node_timex/;

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

/** Every expression of the dashboards, with its place. */
const dashboardExpressions = () =>
  readdirSync(DASHBOARDS).flatMap((file) => {
    const { panels } = JSON.parse(readFileSync(`${DASHBOARDS}/${file}`, "utf8")) as Dashboard;
    return panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({ place: `${file}: ${title}`, expression: expr })),
    );
  });

/** The selectors in an expression: each metric with its labels. */
const selectorsOf = (expression: string): string[] => [
  ...new Set(expression.match(/\b(?:aggregator|process|nodejs|mysql|node|up)(?:_\w+)?\b(?:\{[^}]*\})?/g)),
];

test("each alert of the service has a Prometheus rule, and each rule has a section in the runbooks", (t) => {
  const rules = readFileSync(RULES, "utf8");
  for (const alert of ALERTS) t.true(rules.includes(`aggregator_alerts_total{alert="${alert}"}`), alert);
  const runbooks = readFileSync("docs/runbooks.md", "utf8");
  const sections = [...runbooks.matchAll(/^### (\w+)$/gm)].map(([, name = ""]) => name);
  t.deepEqual(sections.toSorted(), alertNames().toSorted());
  for (const section of runbooks.split(/^### /m).slice(1))
    for (const part of ["**Money:**", "**See:**", "**Do:**", "**Wake somebody?**"])
      t.true(section.includes(part), `${section.split("\n")[0]}: ${part}`);
  for (const name of alertNames()) t.true(rules.includes(`runbook: docs/runbooks.md#${name.toLowerCase()}\n`), name);
});

test("each alert rule has a unit test in which it fires and one in which it does not", (t) => {
  const tests = readFileSync("deploy/prometheus/aggregator.rules.test.yml", "utf8");
  for (const name of alertNames())
    for (const end of name === ALWAYS_FIRES ? ["fires"] : ["fires", "is silent"])
      t.true(tests.includes(`name: '${name} ${end}'`), `${name} ${end}`);
});

test("docs/deployment.md names exactly the alerts that have only unit tests", (t) => {
  const row = table(page("docs/deployment.md"), "Tested and not tested").find(
    ({ section }) => section === "Monitoring",
  );
  t.deepEqual(
    alertNames()
      .filter((name) => row?.["not tested"]?.match(/\w+/g)?.includes(name))
      .toSorted(),
    [...UNIT_TESTS_ONLY],
  );
});

withPrometheus("promtool accepts the rules and the configuration, and the unit tests of the rules pass", (t) => {
  const promtool = (...args: readonly string[]) =>
    execFileSync(programOf("promtool") ?? "", args, {
      cwd: "deploy/prometheus",
      env: PROGRAM_ENV,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  t.regex(promtool("check", "rules", "aggregator.rules.yml"), /SUCCESS/);
  t.regex(promtool("check", "config", "prometheus.yml"), /SUCCESS/);
  t.notThrows(() => promtool("test", "rules", "aggregator.rules.test.yml"));
});

/** The service on MariaDB, with a load of bets, wins and REST calls that goes on until the test ends. */
async function startStage(t: Scope) {
  const mariadb = await startDatabaseServer(["--log-bin=binlog", "--sync-binlog=1"]);
  t.teardown(mariadb.stop);
  const databaseUrl = await mariadb.createDatabase();
  const names = await startNameServer(() => ({ addresses: ["169.254.169.254"] }));
  t.teardown(names.close);
  // Few transactions at a time, so that slow wallets fill them; a short time-out, so that faults end soon.
  const env = { MAX_IN_FLIGHT: "40", WALLET_TIMEOUT_MS: "3000", WALLET_DNS_SERVERS: names.address };
  const world = await startWorldOfProcesses(t, { databaseUrl, env });
  const sessionId = await world.session();
  let stopped = false;
  let bets = 0;
  const play = async (): Promise<void> => {
    while (!stopped) {
      const id = `load-${++bets}`;
      await world.request("bet", { sessionId, txId: id, amountMinor: 1n });
      await world.request("win", { sessionId, txId: `${id}-win`, amountMinor: 1n });
      await sleep(50);
    }
  };
  const call = async (): Promise<void> => {
    while (!stopped) {
      await world.rest("GET", "/v1/transactions").catch(() => {});
      await sleep(300);
    }
  };
  const load = [play(), play(), call()];
  t.teardown(async () => {
    stopped = true;
    await Promise.allSettled(load);
  });
  return { mariadb, databaseUrl, world, sessionId };
}

withPrometheus("expressions of rules and panels give values, and each planted fault raises its alert", async (t) => {
  t.timeout(600_000);
  const { mariadb, databaseUrl, world, sessionId } = await startStage(t);
  const { wallet, first } = world;
  const monitoring = await Monitoring.start(t, { replicas: [first], databases: [databaseUrl] });
  const expressions = [
    ...dashboardExpressions(),
    ...(await monitoring.rules()).flatMap(({ name, query }) =>
      selectorsOf(query).map((expression) => ({ place: name, expression })),
    ),
  ];
  t.true(expressions.length > 100);
  await until("the load reaches the metrics", async () => {
    const [bets] = await monitoring.query('aggregator_transactions_total{action="win",outcome="success"}');
    return Number(bets?.value[1]) > 20;
  });
  // Longer than the longest range of the rules, so that the start does not count.
  await sleep(3_000);
  t.deepEqual(
    [...(await monitoring.firing())].filter((name) => !OF_THE_MACHINE.has(name)),
    [ALWAYS_FIRES],
    "no fault, no alert",
  );

  let transactions = 0;
  const send = (action: "bet" | "win") => world.request(action, { sessionId, txId: `fault-${++transactions}` });
  const many = (count: number, action: "bet" | "win") => Promise.all(Array.from({ length: count }, () => send(action)));
  const balance = () =>
    world
      .callerOf(first)
      .call(WalletService.method.getBalance, { sessionId }, { keys: [world.apiKey], deadline: Date.now() + 3_000 })
      .then(
        () => "success",
        (error: Error) => error.message,
      );

  t.log("a win that comes again with another label");
  for (const kind of ["jackpot", "promo"])
    t.is(await world.request("win", { sessionId, txId: "labelled", kind }), "success");
  await monitoring.untilFired("AggregatorLabelDiffers");

  t.log("a wallet that rejects wins, and a rollback that the service delivers");
  wallet.setFault({ kind: "rejected" });
  await world
    .callerOf(first)
    .call(
      WalletService.method.reverse,
      { sessionId, txId: "delivered", refTxId: "labelled", deliver: true },
      { keys: [world.apiKey], deadline: Date.now() + 20_000 },
    );
  await monitoring.untilFired("AggregatorRollbackFailed");
  for (let i = 0; i < 30; i++) await send("win");
  await monitoring.untilFired("AggregatorCreditFailed", "AggregatorCreditsFailing");
  wallet.setFault({ kind: "none" });

  t.log("a wallet without answers, whose later answer is no");
  wallet.setFault({ kind: "reset" });
  await Promise.all([many(12, "bet"), many(3, "win")]);
  await monitoring.untilFired("AggregatorBreakerOpen");
  let refused = 0;
  for (let i = 0; i < 6; i++) {
    const answers = await Promise.all(Array.from({ length: 20 }, balance));
    refused += answers.filter((answer) => answer.includes("WALLET_UNAVAILABLE")).length;
    await sleep(1_000);
  }
  t.true(refused > 60, String(refused));
  const [counted] = await monitoring.query(
    'sum(aggregator_rpc_calls_total{code="UNAVAILABLE",error="WALLET_UNAVAILABLE",cause="wallet"})',
  );
  t.true(Number(counted?.value[1]) >= refused, counted?.value[1]);
  t.false((await monitoring.firing()).has("AggregatorRpcErrors"), "one silent wallet is no fault of the service");
  wallet.setFault({ kind: "rejected" });
  await monitoring.untilFired("AggregatorCreditFailedAfterSilence");
  wallet.setFault({ kind: "none" });

  t.log("bets that have been pending for two hours");
  await world.database
    .knex("tx")
    .whereNotNull("next_at")
    .update({ created_at: world.database.knex.raw("created_at - 7200000") });
  await monitoring.untilFired("AggregatorPendingOld");

  t.log("wallets with a wrong address or wrong answers; five of them give no answer");
  const sessions = await addFaultyWallets(t, world);
  wallet.setFault({ kind: "reset" });
  for (const [code, session] of sessions)
    await Promise.all(
      Array.from({ length: 12 }, (_, i) => world.request("bet", { sessionId: session, txId: `${code}-${i}` })),
    );
  await monitoring.untilFired(
    "AggregatorWalletTls",
    "AggregatorWalletRedirects",
    "AggregatorWalletAddress",
    "AggregatorBalancePrecision",
    "AggregatorManyWalletsSilent",
  );
  for (const code of ["forgets", "refuses-refunds"])
    await world.request("refund", {
      sessionId: sessions.get(code) ?? "",
      playerRef: "ana",
      txId: `${code}-refund`,
      refTxId: `${code}-0`,
    });
  await monitoring.untilFired("AggregatorReversalContradicts", "AggregatorOriginalStuck");

  t.log("a win without an answer for 80 hours, a win that its rollback holds for 20 minutes, hundreds of pending bets");
  await world.request("win", { sessionId, txId: "old-win" });
  await world.request("win", { sessionId, txId: "held-win" });
  await world.request("rollback", { sessionId, playerRef: "ana", txId: "holds", refTxId: "held-win" });
  const pending = (ids: string) => world.database.knex("tx").whereNotNull("next_at").where("tx_id", "like", ids);
  const age = (ids: string, minutes: number) => {
    const earlier = (column: string) => world.database.knex.raw("?? - ?", [column, minutes * 60_000]);
    return pending(ids).update({ created_at: earlier("created_at"), opened_at: earlier("opened_at"), next_at: 1 });
  };
  await age("%old-win", 80 * 60);
  await age("%holds", 20);
  await age("%held-win", 20);
  await monitoring.untilFired("AggregatorResendHorizonOver", "AggregatorWinHeld");
  const { id: _, ...bet } = await pending("%redirects-%").first();
  const copies = Array.from({ length: 501 }, (_, i) => ({
    ...bet,
    tx_id: `copy-${i}`,
    created_at: Number(bet.created_at) - 7_200_000,
  }));
  await world.database.knex.batchInsert("tx", copies, 100);
  await monitoring.untilFired("AggregatorPendingMany");
  await world.database.knex("tx").where("tx_id", "like", "copy-%").delete();
  wallet.setFault({ kind: "none" });

  t.log("a wallet with another secret, and callers without a key");
  const secrets = [...world.walletSecrets];
  for (const [code] of secrets) world.walletSecrets.set(code, ["sk_another"]);
  await many(8, "bet");
  for (let i = 0; i < 12; i++)
    await world
      .callerOf(first)
      .call(METHODS.bet, {}, { keys: ["wrong"] })
      .catch(() => {});
  await monitoring.untilFired("AggregatorWallet401s", "AggregatorWrongKeys");
  for (const [code, own] of secrets) world.walletSecrets.set(code, own);

  t.log("a slow wallet and more bets than the replica may have in flight");
  wallet.setFault({ kind: "slow", ms: 1_500 });
  let crowding = true;
  const crowd = Array.from({ length: 45 }, async () => {
    while (crowding) await send("bet");
  });
  await monitoring.untilFired("AggregatorNearInFlightLimit", "AggregatorOverloaded");
  crowding = false;
  wallet.setFault({ kind: "none" });
  await Promise.all(crowd);

  t.log("a database that is set up badly");
  const { knex } = world.database;
  // The service corrects the first two settings every ten seconds and reads them back at once. So the test sets them
  // again without a pause, until one of these readings sees them.
  let spoiling = true;
  const spoilt = (async () => {
    while (spoiling) {
      await knex.raw("SET GLOBAL sync_binlog = 0");
      await knex.raw("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
    }
  })();
  await monitoring.untilFired("AggregatorDatabaseUnsafe");
  await knex.raw("SET GLOBAL max_prepared_stmt_count = 1");
  const badlySet = [
    "DatabaseNotDurable",
    "DatabaseBinlogNotDurable",
    "DatabasePreparedStatementsHigh",
    "DatabaseConnectionsHigh",
  ];
  // The service and its exporter have fewer than 20 connections, so none of them is refused.
  const idle = openDatabase(databaseUrl, { max: 100, decisiveMax: 1 });
  t.teardown(() => idle.close());
  // One after the other: a socket's queue of new connections is shorter than 100, and connect() would give EAGAIN.
  const connections: unknown[] = [];
  while (connections.length < 100) connections.push(await idle.knex.client.acquireConnection());
  await knex.raw("SET GLOBAL max_connections = 120");
  await monitoring.untilFired(...badlySet);
  for (const connection of connections) await idle.knex.client.releaseConnection(connection);
  spoiling = false;
  await spoilt;
  await knex.raw("SET GLOBAL max_prepared_stmt_count = 16382");
  await knex.raw("SET GLOBAL max_connections = 200");
  await monitoring.untilSilent(...badlySet);

  t.log("a replica that stands still for a second, again and again");
  let isStalling = true;
  const stalls = (async () => {
    for (; isStalling; await sleep(1_500)) {
      first.process.kill("SIGSTOP");
      await sleep(1_200);
      first.process.kill("SIGCONT");
    }
  })();
  await monitoring.untilFired("AggregatorEventLoopLate");
  isStalling = false;
  await stalls;

  t.log("a database that is gone, and comes back");
  // Statements wait for this lock, so some are in flight when the database dies, and fail.
  await knex.raw("FLUSH TABLES WITH READ LOCK");
  await sleep(1_000);
  await mariadb.kill();
  const gone = [
    "DatabaseDown",
    "AggregatorSettingsStale",
    "AggregatorNotReady",
    "AggregatorNoReplicaReady",
    "AggregatorInternalErrors",
    "AggregatorRpcErrors",
    "AggregatorHttpErrors",
  ];
  await monitoring.untilFired(...gone);
  await mariadb.restart();
  await monitoring.untilSilent(...gone, "AggregatorCreditFailed", "AggregatorBreakerOpen", "AggregatorWrongKeys");

  t.log("exporters that are gone, and a replica that is gone, which was the only one");
  monitoring.stopExporters();
  await monitoring.untilFired("ExporterDown");
  t.false((await monitoring.firing()).has("AggregatorNoReplicaReady"));
  first.process.kill("SIGKILL");
  await monitoring.untilFired("AggregatorDown", "AggregatorNoReplicaReady", ALWAYS_FIRES);

  t.deepEqual(
    alertNames()
      .filter((name) => !monitoring.fired.has(name))
      .toSorted(),
    [...UNIT_TESTS_ONLY, ...RARE, ...GALERA, ...GROUP_REPLICATION].toSorted(),
    "alerts that did not fire",
  );
  const empty: string[] = [];
  // A scrape that fails makes all series of the service stale for a moment. So each expression is evaluated at all
  // moments of this test, and not only now.
  for (const { place, expression } of expressions)
    if ((await monitoring.query(`present_over_time((${expression})[5m:1s])`)).length === 0)
      empty.push(`${place}: ${expression}`);
  t.deepEqual(
    empty.filter((line) => !ABSENT_HERE.test(line)),
    [],
    "expressions that never gave a value",
  );
});
