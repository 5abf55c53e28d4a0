import { once } from "node:events";
import { status } from "@grpc/grpc-js";
import test from "ava";
import { TransactionStatus } from "../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import { WalletService } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { PRODUCT } from "../../testbed/database/products.ts";
import { type DatabaseServer, startDatabaseServer } from "../../testbed/database/server.ts";
import { startWorld, startWorldOfProcesses } from "../../testbed/stage/world.ts";

let server: DatabaseServer;
test.before(async () => {
  server = await startDatabaseServer();
});
test.after.always(() => server.stop());

const DATABASES = { SQLite: async () => ({}), MariaDB: async () => ({ databaseUrl: await server.createDatabase() }) };

for (const [name, database] of Object.entries(DATABASES)) {
  test(`${name}: launch, balance, bet, win, refund and rollback reach the merchant's wallet and move its money`, async (t) => {
    const world = await startWorld(t, await database());
    const launch = await world.rest("POST", "/v1/game/launch", { player_id: "ana", game: "fruits" });
    t.true(launch.ok);
    const [opened] = world.opened;
    t.like(opened, { gameCode: "fruits", currency: "BRL", language: "pt", country: "BR", demo: false });
    const sessionId = opened?.sessionId ?? "";

    t.is(await world.request("bet", { sessionId, txId: "b1", amountMinor: 250n }), "success");
    t.is(await world.request("win", { sessionId, txId: "w1", amountMinor: 1_000n }), "success");
    t.is(world.balance(), 10_750n);
    t.is(await world.request("refund", { sessionId, txId: "f1", refTxId: "b1", amountMinor: 250n }), "success");
    t.is(await world.request("rollback", { sessionId, txId: "k1", refTxId: "w1", amountMinor: 1_000n }), "success");
    t.is(world.balance(), 10_000n);
    t.true(world.callbacks.every((callback) => callback.signature === "ok"));
    t.is(
      world.callbacks[0]?.body,
      '{"action":"bet","player_id":"ana","currency":"BRL","provider":"ACME","game":"fruits","tx_id":"ACME:b1","round_id":"r1","amount":2.5}',
    );
  });

  test(`${name}: after kill -9 during the wallet call a repeat of the bet on a new process does not debit it twice`, async (t) => {
    const world = await startWorldOfProcesses(t, await database());
    const sessionId = await world.session();
    world.wallet.setFault({ kind: "applied_no_reply" });
    const cut = world.request("bet", { sessionId, txId: "b1" });
    while (world.calls("b1") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    world.first.process.kill("SIGKILL");
    await once(world.first.process, "exit");
    t.not(await cut, "success");
    t.is(world.balance(), 9_750n);

    world.wallet.setFault({ kind: "none" });
    // The lease of the dead process lasts for the wallet time-out plus the margin. A repeat waits until it ends.
    const second = await world.start();
    let answer = "";
    for (let tries = 0; answer !== "success" && tries < 5; tries++)
      answer = await world.request("bet", { sessionId, txId: "b1" }, second);
    t.is(answer, "success");
    t.is(world.calls("b1"), 2);
    t.is(world.balance(), 9_750n);
  });

  test(`${name}: the service resends a win without an answer, and the win is credited once`, async (t) => {
    const world = await startWorld(t, { ...(await database()), env: { WALLET_TIMEOUT_MS: "2000" } });
    const sessionId = await world.session();
    world.wallet.setFault({ kind: "applied_no_reply" });
    t.is(await world.request("win", { sessionId, txId: "w1" }), "pending");
    world.wallet.setFault({ kind: "none" });
    while (world.calls("w1") < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    let answer = "";
    while (answer !== "success") answer = await world.request("win", { sessionId, txId: "w1" });
    // On a busy machine the transaction may have been sent several times.
    t.is(world.balance(), 10_250n);
  });

  test(`${name}: amounts in CLP are sent in whole pesos, and another currency is refused before anything is written`, async (t) => {
    const world = await startWorld(t, await database());
    const sessionId = await world.session("shop-clp");
    t.is(
      await world.request("bet", { sessionId, txId: "b1", amountMinor: 1_500n, currency: "BRL" }),
      "CURRENCY_NOT_ENABLED",
    );
    t.is(await world.request("bet", { sessionId, txId: "b1", amountMinor: 1_500n, currency: "CLP" }), "success");
    t.is(JSON.parse(world.callbacks[0]?.body ?? "").amount, 1_500);
    t.is(
      await world.request("bet", { sessionId, txId: "b1", amountMinor: 1_500n, currency: "BRL" }),
      "TRANSACTION_MISMATCH",
    );
    t.is(await world.request("bet", { sessionId, txId: "b2", amountMinor: -1n, currency: "CLP" }), "INVALID_AMOUNT");
    t.is(
      await world.request("bet", { sessionId, txId: "b2", amountMinor: 10_000_000_000n, currency: "CLP" }),
      "INVALID_AMOUNT",
    );
    t.is(await world.request("win", { sessionId, txId: "zero", amountMinor: 0n, currency: "CLP" }), "success");
    t.is(
      await world.request("refund", { sessionId, txId: "f0", refTxId: "b1", amountMinor: 0n, currency: "CLP" }),
      "TRANSACTION_MISMATCH",
    );
    t.is(
      await world.request("refund", { sessionId, txId: "f0", refTxId: "unknown", amountMinor: 0n, currency: "CLP" }),
      "success",
    );
    t.is(world.calls("zero") + world.calls("b2") + world.calls("f0"), 0);
  });

  test(`${name}: after SIGTERM the process finishes the call in flight, answers it, and exits with 0`, async (t) => {
    const world = await startWorldOfProcesses(t, await database());
    const sessionId = await world.session();
    world.wallet.setFault({ kind: "slow", ms: 700 });
    const slow = world.request("bet", { sessionId, txId: "b1" });
    while (world.calls("b1") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    world.first.process.kill("SIGTERM");
    const [code] = await once(world.first.process, "exit");
    t.is(await slow, "success");
    t.is(code, 0, world.first.output());
  });
}

test("after SIGTERM the process waits for a call whose caller got pending: its answer is recorded, and the next process doesn't call again", async (t) => {
  const world = await startWorldOfProcesses(t, { env: { WALLET_TIMEOUT_MS: "25000" } });
  const sessionId = await world.session();
  // The wallet is so slow that a second and a third deadline also pass before its answer, even on a busy machine.
  world.wallet.setFault({ kind: "slow", ms: 12_000 });
  const bet = { sessionId, txId: "b1", roundId: "r1", amountMinor: 250n, currency: "BRL" };
  const place = () =>
    world
      .callerOf(world.first)
      .call(WalletService.method.placeBet, bet, { keys: world.keys, deadline: Date.now() + 1_000 });
  let reply = await place().catch(busy);
  while (reply === undefined) reply = await place().catch(busy);
  t.is(reply.status, TransactionStatus.PENDING);
  const metrics = await fetch(`http://127.0.0.1:${world.first.ports.internalHttp}/metrics`);
  t.regex(await metrics.text(), /^aggregator_transactions_in_flight 1$/m);
  world.first.process.kill("SIGTERM");
  await once(world.first.process, "exit");
  world.wallet.setFault({ kind: "none" });
  t.is(await world.request("bet", { sessionId, txId: "b1" }, await world.start()), "success");
  t.is(world.calls("b1"), 1);
});

test("the quiet period can be configured: a refund that the wallet does not find stays pending during it, and fails after it", async (t) => {
  const world = await startWorld(t);
  const sessionId = await world.session();
  world.wallet.setFault({ kind: "reset" });
  t.is(await world.request("bet", { sessionId, txId: "b1" }), "pending");
  t.is(await world.request("bet", { sessionId, txId: "b2" }), "pending");
  world.wallet.setFault({ kind: "none" });
  t.is(await world.request("refund", { sessionId, txId: "f1", refTxId: "b1" }), "pending");
  // This replica also sends f1 again by itself, so it starts after the first answer.
  const other = await world.start({ REFUND_QUIET_PERIOD_MS: "0" });
  t.is(await world.request("refund", { sessionId, txId: "f2", refTxId: "b2" }, other), "failed:TRANSACTION_NOT_FOUND");
});

test(`${PRODUCT.name}: ninety concurrent requests with one id at three replicas make one call and one debit, and get one answer`, async (t) => {
  const world = await startWorld(t, { databaseUrl: await server.createDatabase() });
  const sessionId = await world.session();
  const replicas = [world.first, await world.start(), await world.start()];
  const answers = await Promise.all(
    Array.from({ length: 90 }, (_, i) => world.request("bet", { sessionId, txId: "b1" }, replicas[i % 3])),
  );
  t.deepEqual([...new Set(answers)], ["success"]);
  t.is(world.calls("b1"), 1);
  t.is(world.balance(), 9_750n);
});

test("without MariaDB bets and wins get SERVICE_UNAVAILABLE, the wallet gets no call, and the service is not ready", async (t) => {
  const own = await startDatabaseServer();
  const world = await startWorld(t, { databaseUrl: await own.createDatabase() });
  const sessionId = await world.session();
  t.is(await world.request("bet", { sessionId, txId: "b1" }), "success");
  await own.stop();
  for (const [action, txId] of [
    ["bet", "b2"],
    ["win", "w2"],
  ] as const) {
    let answer = await world.requestOnce(action, { sessionId, txId });
    while (answer === "OVERLOADED") answer = await world.requestOnce(action, { sessionId, txId });
    t.is(answer, "SERVICE_UNAVAILABLE");
  }
  t.is(world.calls("b2") + world.calls("w2"), 0);
  const ready = async (): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${world.first.ports.rest}/health/ready`)).ok;
  while (await ready()) await new Promise((resolve) => setTimeout(resolve, 50));
  const metrics = await fetch(`http://127.0.0.1:${world.first.ports.internalHttp}/metrics`);
  t.is(metrics.status, 200);
  t.regex(await metrics.text(), /^aggregator_transactions_total\{action="bet",outcome="success"\} 1$/m);
});

/**
 * Handles refusals that other work on the machine causes. The same request may be sent again. It joins the first
 * request if that is still in progress.
 */
async function busy(cause: { readonly code?: number; readonly details?: string }): Promise<undefined> {
  if (cause.details !== "OVERLOADED" && cause.code !== status.DEADLINE_EXCEEDED) throw cause;
  await new Promise((resolve) => setTimeout(resolve, 100));
}
