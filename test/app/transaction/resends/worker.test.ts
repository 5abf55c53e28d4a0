import test from "ava";
import { ResendWorker } from "../../../../src/app/transaction/resend-worker.ts";
import { wholeMs } from "../../../../src/domain/values/whole-ms.ts";
import type { Clock } from "../../../../src/ports/clock.ts";
import { pause, startEngine } from "../../../../testbed/in-process/engine.ts";
import { ManualClock } from "../../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../../testbed/in-process/recorded-telemetry.ts";

/** A worker over an engine, whose wallet the test controls. */
async function startWorker(options: Parameters<typeof startEngine>[0] = {}) {
  const engine = await startEngine(options);
  const random = { fraction: () => 0, token: () => "", uuid: () => "" };
  const worker = new ResendWorker(
    engine.store,
    engine.transact,
    engine.permits,
    () => [1],
    engine.clock,
    random,
    new RecordedTelemetry(),
    4_000,
  );
  worker.start();
  return { engine, worker };
}

test("a win and a refund without an answer are resent until they have one, and are credited once; a bet and a rollback are not resent", async (t) => {
  const { engine, worker } = await startWorker({ walletTimeoutMs: 2_000, quietPeriodMs: 10 });
  await engine.request("bet", "b0");
  await engine.request("win", "w0");
  engine.wallet.setFault({ kind: "applied_no_reply" });
  const silent = [
    engine.request("bet", "b1"),
    engine.request("win", "w1"),
    engine.request("refund", "f1", { ref: "b0" }),
    engine.request("rollback", "k1", { ref: "w0" }),
  ];
  t.deepEqual(await Promise.all(silent), ["pending", "pending", "pending", "pending"]);
  engine.wallet.setFault({ kind: "none" });
  while ((await engine.row("w1"))?.status !== "success" || (await engine.row("f1"))?.status !== "success")
    await pause(50);
  await pause(1_200);
  await worker.stop();
  t.deepEqual(["b1", "w1", "f1", "k1"].map(engine.calls), [1, 2, 2, 1]);
  t.is((await engine.row("w1"))?.resolvedBy, "resend");
  t.deepEqual([(await engine.row("b1"))?.status, (await engine.row("k1"))?.status], ["pending", "pending"]);
  t.is(engine.balance(), 10_000n - 250n + 250n + 250n + 250n - 250n - 250n);
  await engine.close();
});

test("the time between two attempts is at least the back-off", async (t) => {
  const { engine, worker } = await startWorker({ walletTimeoutMs: 50 });
  engine.wallet.setFault({ kind: "silent" });
  t.is(await engine.request("win", "w1"), "pending");
  while (engine.calls("w1") < 3) await pause(20);
  await worker.stop();
  const times = engine.callbacks.map((callback) => callback.at);
  const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0));
  t.true((gaps[0] ?? 0) >= 1_000 && (gaps[1] ?? 0) >= 2_000, String(gaps));
  await engine.close();
});

test("a due credit that another replica has sent meanwhile is not sent again before its next due time", async (t) => {
  const { engine, worker } = await startWorker();
  t.teardown(engine.close);
  await worker.stop();
  engine.wallet.setFault({ kind: "http_500" });
  t.is(await engine.request("win", "w1"), "pending");
  engine.database.aheadMs = 2_000;
  const [found] = await engine.store.due([1], 16);
  if (found === undefined) return t.fail("it is due");
  for (const { transact } of [engine, engine.replica()]) await transact.resend(found);
  t.is(engine.calls("w1"), 2);
});

test("a rejected win is not sent again by the worker", async (t) => {
  const { engine, worker } = await startWorker({ walletTimeoutMs: 30_000 });
  engine.wallet.setFault({ kind: "rejected" });
  t.regex(await engine.request("win", "w1", {}, 30_000), /^failed:/);
  await pause(1_200);
  await worker.stop();
  t.is(engine.calls("w1"), 1);
  await engine.close();
});

test("a win that its rollback holds is not sent; after ten minutes there is an alert, and later the worker checks the win again", async (t) => {
  const engine = await startEngine({ walletTimeoutMs: 3_000, quietPeriodMs: 60_000 });
  t.teardown(engine.close);
  engine.wallet.setFault({ kind: "applied_no_reply" });
  t.is(await engine.request("win", "w1"), "pending");
  t.is(await engine.request("rollback", "k1", { ref: "w1" }), "pending");
  const win = engine.content("win", "w1");
  const now = () => Date.now() + engine.database.aheadMs;
  const heldFor = async (minutes: number) => {
    const rollback = engine.store.rows.get("1/ACME:k1");
    if (rollback === undefined) throw new Error("no rollback");
    // Now the transaction is due again.
    engine.database.aheadMs += 61_000;
    engine.store.rows.set("1/ACME:k1", {
      ...rollback,
      transaction: { ...rollback.transaction, createdAt: now() - minutes * 60_000 },
    });
    await engine.transact.resend(win);
    return engine.telemetry.alerts.splice(0);
  };
  t.deepEqual(await heldFor(9.9), []);
  t.like(await heldFor(10.1), {
    length: 1,
    0: { name: "win_held", fields: { tx_id: "ACME:w1", rollback: "ACME:k1" } },
  });
  const wait = ((await engine.row("w1"))?.nextAt ?? 0) - now();
  t.true(wait > 50_000 && wait <= 60_000, String(wait));
  t.deepEqual([engine.calls("w1"), engine.calls("k1")], [1, 0]);
});

test("the due credits of 130 merchants are all sent", async (t) => {
  const engine = await startEngine();
  t.teardown(engine.close);
  const merchants = Array.from({ length: 130 }, (_, i) => i + 1);
  const token = (n: number) => n.toString(16).padStart(32, "0");
  await engine.store.claim(
    merchants.map((merchantId) => ({
      content: { ...engine.content("win", "w"), merchantId },
      token: token(merchantId),
      as: "due",
      leaseMs: wholeMs(0),
    })),
  );
  const random = { fraction: () => 0.5, token: () => "", uuid: () => "" };
  const worker = new ResendWorker(
    engine.store,
    engine.transact,
    engine.permits,
    () => merchants,
    engine.clock,
    random,
    new RecordedTelemetry(),
    4_000,
  );
  worker.start();
  while (engine.calls("w") < 130) await pause(20);
  await worker.stop();
  t.deepEqual(await engine.store.due(merchants, 1), []);
});

/**
 * A worker with two merchants. The first merchant has 40 due wins. `queries`: the worker's queries to the store, "all"
 * or the ids of merchants.
 *
 * @param clock - the worker's clock; the engine's by default.
 */
async function backlog(options: Parameters<typeof startEngine>[0] = {}, clock?: Clock) {
  const engine = await startEngine(options);
  const claims = Array.from({ length: 40 }, (_, i) => ({
    content: engine.content("win", `w${i}`),
    token: i.toString(16).padStart(32, "0"),
    as: "due" as const,
    leaseMs: wholeMs(0),
  }));
  await engine.store.claim(claims);
  const queries: string[] = [];
  const due = engine.store.due.bind(engine.store);
  const merchantsDue = engine.store.merchantsDue.bind(engine.store);
  engine.store.due = (merchantIds, limit) => {
    queries.push(String(merchantIds));
    return due(merchantIds, limit);
  };
  engine.store.merchantsDue = () => {
    queries.push("all");
    return merchantsDue();
  };
  const random = { fraction: () => 0, token: () => "", uuid: () => "" };
  const worker = new ResendWorker(
    engine.store,
    engine.transact,
    engine.permits,
    () => [1, 2],
    clock ?? engine.clock,
    random,
    new RecordedTelemetry(),
    4_000,
  );
  worker.start();
  return { engine, worker, queries };
}

test("a merchant with a backlog is read again earlier than the others, a merchant without one is not read, and each credit is sent once", async (t) => {
  const clock = new ManualClock();
  const { engine, worker, queries } = await backlog({}, clock);
  t.teardown(engine.close);
  const settled = () =>
    [...engine.store.rows.values()].filter(({ transaction }) => transaction.status === "success").length;
  // The worker queries the store every 100 ms. Each query finds the credits that were not started after the earlier
  // query.
  for (const sent of [16, 32, 40]) {
    await clock.pass(100);
    while (settled() < sent) await pause(5);
    t.is(engine.callbacks.length, sent, "16, 16 and 8");
  }
  await clock.pass(1_200);
  await worker.stop();
  t.deepEqual(queries.slice(0, 4), ["all", "1", "1", "1"], "16, 16 and 8");
  t.true(queries.length >= 6, "the worker looked for all merchants at least twice more");
  t.deepEqual(new Set(queries.slice(4)), new Set(["all"]));
  t.is(engine.callbacks.length, 40);
  t.is(new Set(engine.callbacks.map(({ body }) => JSON.parse(body).tx_id)).size, 40);
});

test("due credits wait for a permit of their merchant, and meanwhile no more of its credits are read", async (t) => {
  // One of the four permits may be used for resends.
  const { engine, worker, queries } = await backlog({ permitsPerMerchant: 4, walletTimeoutMs: 1_000 });
  t.teardown(engine.close);
  engine.wallet.setFault({ kind: "silent" });
  while (queries.filter((one) => one === "all").length < 4) await pause(20);
  t.deepEqual(queries, ["all", "1", "all", "all", "all"]);
  t.true(engine.callbacks.length <= 2, "one at a time");
  engine.wallet.setFault({ kind: "none" });
  while (engine.callbacks.length < 16) await pause(20);
  await worker.stop();
  t.is(new Set(engine.callbacks.map(({ body }) => JSON.parse(body).tx_id)).size, engine.callbacks.length);
});

test("after its stop the worker begins none of the resends that it has found", async (t) => {
  const { engine, worker, queries } = await backlog();
  t.teardown(engine.close);
  const due = engine.store.due;
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  engine.store.due = async (merchantIds, limit) => {
    const found = await due(merchantIds, limit);
    await answered;
    return found;
  };
  while (queries.length === 0) await pause(20);
  const stopped = worker.stop();
  answer();
  await stopped;
  await pause(200);
  t.is(engine.callbacks.length, 0);
});
