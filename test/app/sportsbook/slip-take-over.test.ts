import test from "ava";
import { StoreUnavailable } from "../../../src/ports/store-unavailable.ts";
import { MemorySlipStore } from "../../../testbed/memory/slip-store.ts";
import { start, startScripted } from "./slips-setup.ts";

test("a worker, or a repeat of the request, continues a slip whose process has died", async (t) => {
  const { createAbandoned, submit, first, slip, engine } = await start(t);
  await createAbandoned("s1", "b1 b2");
  t.is(await submit("s1", "b1 b2"), "success: b1 success, b2 success");
  await createAbandoned("s2", "c1:6000 c2:6000");
  first.worker.start();
  t.teardown(() => first.worker.stop());
  while ((await slip("s2"))?.dueAt !== null) await new Promise((resolve) => setTimeout(resolve, 20));
  t.is(await submit("s2", "c1:6000 c2:6000"), "failed: c1 success/success, c2 failed INSUFFICIENT_FUNDS");
  t.is(engine.balance(), 9_800n);
});

test("a slip that can't be taken over is logged and delays no other slip; a stopped worker takes over no further slip", async (t) => {
  const { store, createAbandoned, first, slip, engine } = await start(t, { takenUpMax: 16 });
  const take = store.take.bind(store);
  const takenIds: string[] = [];
  store.take = async (...[key, token, leaseMs]: Parameters<typeof take>) => {
    takenIds.push(key.slipId);
    if (key.slipId === "s1") throw new Error("no database");
    return take(key, token, leaseMs);
  };
  for (const own of ["s1", "s2"]) await createAbandoned(own, `${own}-b`);
  first.worker.start();
  while ((await slip("s2"))?.dueAt !== null) await new Promise((resolve) => setTimeout(resolve, 20));
  t.is(engine.telemetry.errors[0]?.what, "taking up slip 1/s1");

  const held = Promise.withResolvers<void>();
  store.take = async (...[key, token, leaseMs]: Parameters<typeof take>) => {
    takenIds.push(key.slipId);
    await held.promise;
    return take(key, token, leaseMs);
  };
  takenIds.length = 0;
  for (const own of ["s3", "s4"]) await createAbandoned(own, `${own}-b`);
  while (takenIds.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const stopped = first.worker.stop();
  held.resolve();
  await stopped;
  t.deepEqual(takenIds, ["s1"]);
});

test("a replica that is busy with its own slips also takes over a slip whose process has died", async (t) => {
  const { wallet, createAbandoned, submit, first, slip } = await startScripted(t, { walletTimeoutMs: 2_500 });
  wallet.setAnswers("b1", "silent");
  const own = submit("s1", "b1");
  while (wallet.calls("b1") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await createAbandoned("s2", "c1");
  first.worker.start();
  t.teardown(() => first.worker.stop());
  let busy = true;
  void own.then(() => {
    busy = false;
  });
  while (busy && (await slip("s2"))?.dueAt !== null) await new Promise((resolve) => setTimeout(resolve, 20));
  t.true(busy);
  t.is(await own, "failed: b1 success/success");
});

test("if another transaction has the id of a bet, a slip that is taken over never treats it as the bet", async (t) => {
  const { engine, replica, submit, move, createAbandoned } = await start(t);
  let behindMs = 0;
  const store = new MemorySlipStore(() => Date.now() - behindMs);
  const on = replica(store);
  t.is(await move("win", "b2", "b1", 300n), "success SPORTSBOOK:b2");
  t.is(await move("win", "c1", "b1", 100n), "success SPORTSBOOK:c1");
  await createAbandoned("s1", "b1 b2 b3", store);
  t.is(
    await submit("s1", "b1 b2 b3", {}, on),
    "failed: b1 success/success, b2 failed TRANSACTION_MISMATCH, b3 failed NOT_SENT",
  );
  behindMs = 61_000;
  await createAbandoned("s2", "c1 c2", store);
  behindMs = 0;
  t.is(await submit("s2", "c1 c2", {}, on), "failed: c1 failed TRANSACTION_MISMATCH, c2 failed NOT_SENT");
  t.is(engine.callbacks.length, 4);
  t.is(engine.balance(), 10_400n);
});

test("a slip whose process died a minute ago sends no bet and marks its next bet as refunded; after ten minutes slip_stuck is raised", async (t) => {
  const { engine, replica, submit, createAbandoned } = await start(t);
  let behindMs = 61_000;
  const store = new MemorySlipStore(() => Date.now() - behindMs);
  await createAbandoned("s1", "b1 b2", store);
  behindMs = 601_000;
  await createAbandoned("s2", "c1 c2", store);
  behindMs = 0;
  const on = replica(store);
  t.is(await submit("s1", "b1 b2", {}, on), "failed: b1 failed/failed NOT_SENT, b2 failed NOT_SENT");
  t.deepEqual(
    engine.telemetry.alerts.map(({ name }) => name).filter((name) => name === "slip_stuck"),
    [],
  );
  t.is(await submit("s2", "c1 c2", {}, on), "failed: c1 failed/failed NOT_SENT, c2 failed NOT_SENT");
  const [alert] = engine.telemetry.alerts.filter(({ name }) => name === "slip_stuck");
  t.is(alert?.fields.slip_id, "s2");
  t.deepEqual(
    engine.callbacks.map(({ body }) => JSON.parse(body).tx_id),
    ["SPORTSBOOK:refund~b1", "SPORTSBOOK:refund~c1"],
  );
});

test("after a take-over a bet that was refused as OVERLOADED is refunded, because the paused old process may still have sent it", async (t) => {
  const { createAbandoned, submit, row, engine, replica } = await start(t, { permitsPerMerchant: 0 });
  await createAbandoned("s1", "b1 b2");
  t.is(await submit("s1", "b1 b2"), "failed: b1 pending/pending, b2 failed NOT_SENT");
  t.like(await row("b1"), { status: "void", reversedBy: "SPORTSBOOK:refund~b1" });
  t.is(engine.callbacks.length, 0);
  t.is(await submit("s2", "b3", {}, replica()), "failed: b3 failed OVERLOADED");
});

test("if the database fails while a slip is placed, the caller gets SERVICE_UNAVAILABLE, and a repeat finishes the slip", async (t) => {
  class Failing extends MemorySlipStore {
    failing = false;
    override async decide(...args: Parameters<MemorySlipStore["decide"]>): Promise<boolean> {
      if (this.failing) throw new StoreUnavailable("gone");
      return super.decide(...args);
    }
    override async read(...args: Parameters<MemorySlipStore["read"]>) {
      if (this.failing) throw new StoreUnavailable("gone");
      return super.read(...args);
    }
  }
  const { engine, replica, submit } = await start(t);
  let aheadMs = 0;
  const store = new Failing(() => Date.now() + aheadMs);
  const on = replica(store);
  store.failing = true;
  t.is(await submit("s1", "b1 b2", {}, on), "SERVICE_UNAVAILABLE");
  store.failing = false;
  aheadMs = 20_000;
  t.is(await submit("s1", "b1 b2", {}, replica(store)), "success: b1 success, b2 success");
  t.is(engine.balance(), 9_800n);
  t.is(engine.callbacks.length, 2);
});

test("a process that has lost its lease records nothing more: both callers get the result of the new lease holder", async (t) => {
  const { wallet, replica, submit } = await startScripted(t, { walletTimeoutMs: 2_000 });
  let aheadMs = 0;
  const store = new MemorySlipStore(() => Date.now() + aheadMs);
  const [slow, fast] = [replica(store), replica(store)];
  wallet.setAnswers("b1", "silent", "accepted");
  const first = submit("s1", "b1 b2", {}, slow);
  while (wallet.calls("b1") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  // The first process's lease has ended by the database's clock, but not by its own.
  aheadMs = 10_000;
  const answers = await Promise.all([first, submit("s1", "b1 b2", {}, fast)]);
  // The bet's own lease is live, so the new process waits for that call. The silence of the call ends the slip for both
  // processes.
  t.deepEqual([...new Set(answers)], ["failed: b1 success/success, b2 failed NOT_SENT"]);
});

test("a slip that has refunded a bet fails for ever, even if its row says that it still runs", async (t) => {
  const { wallet, submit, createAbandoned, replica, calledIds } = await startScripted(t, { walletTimeoutMs: 2_000 });
  wallet.setAnswers("b2", "silent");
  const failed = "failed: b1 success/success, b2 success/success, b3 failed NOT_SENT";
  t.is(await submit("s1", "b1 b2 b3"), failed);
  const called = calledIds();
  const revived = new MemorySlipStore(() => Date.now());
  await createAbandoned("s1", "b1 b2 b3", revived);
  t.is(await submit("s1", "b1 b2 b3", {}, replica(revived)), failed);
  t.is(calledIds(), called);
});

test("slips that a replica drives itself do not keep it from a slip whose process has died", async (t) => {
  const { wallet, createAbandoned, submit, replica } = await startScripted(t, {
    walletTimeoutMs: 3_000,
    takenUpMax: 1,
  });
  let aheadMs = 0;
  const store = new MemorySlipStore(() => Date.now() + aheadMs);
  const on = replica(store);
  wallet.setAnswers("b1", "silent");
  const own = submit("s1", "b1", {}, on);
  while (wallet.calls("b1") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  // The lease of the own slip has ended, and its call has not.
  aheadMs = 3_600_000;
  await createAbandoned("s2", "c1", store);
  on.worker.start();
  t.teardown(() => on.worker.stop());
  let busy = true;
  void own.then(() => {
    busy = false;
  });
  while (busy && (await store.read({ merchantId: 1, slipId: "s2" }))?.dueAt !== null)
    await new Promise((resolve) => setTimeout(resolve, 20));
  t.true(busy, "the abandoned slip ended while the own slip was in progress");
  await own;
});

for (const clockName of ["monotonic", "now"] as const)
  test(`when a third of a slip's lease has passed by the clock "${clockName}", its process renews the lease`, async (t) => {
    const { wallet, replica, submit, engine } = await startScripted(t, { walletTimeoutMs: 2_000 });
    let leases = 0;
    class Counting extends MemorySlipStore {
      override async renew(...args: Parameters<MemorySlipStore["renew"]>): Promise<boolean> {
        leases += 1;
        return super.renew(...args);
      }
    }
    const store = new Counting(() => Date.now());
    const on = replica(store);
    const clock = engine.clock[clockName].bind(engine.clock);
    let skipped = 0;
    // A suspended machine's monotonic clock stands still, and its system clock goes on.
    engine.clock[clockName] = () => clock() + skipped;
    const slip = submit("s1", "b1 b2 b3 b4", { waitMs: 600_000 }, on);
    while (wallet.calls("b1") === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    // A third of the lease has passed by the time the next bet is due.
    skipped = 4_000;
    t.is(await slip, "success: b1 success, b2 success, b3 success, b4 success");
    t.true(leases >= 1);
  });
