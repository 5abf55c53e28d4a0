import test, { type ExecutionContext } from "ava";
import { MemorySlipStore } from "../../../src/adapters/memory/slip-store.ts";
import { NEVER } from "../../../src/domain/transaction/transaction.ts";
import { StoreUnavailable } from "../../../src/ports/store-unavailable.ts";
import { startToldWallet } from "../../../testbed/callers/told-wallet.ts";
import { startSlips } from "../../../testbed/in-process/slips.ts";

type Options = Parameters<typeof startSlips>[0];

async function start(t: ExecutionContext, options: Options = {}) {
  const world = await startSlips(options);
  t.teardown(() => world.close());
  return world;
}

/** As {@link start}, with a wallet that answers each transaction as it is told. */
async function startTold(t: ExecutionContext, options: Options = {}) {
  const wallet = await startToldWallet("SPORTSBOOK");
  t.teardown(() => wallet.close());
  const world = await start(t, { ...options, walletUrl: wallet.url });
  return { ...world, wallet, heard: () => wallet.heard.map(({ txId }) => txId.replace("SPORTSBOOK:", "")).join(" ") };
}

test("a slip's bets are debited one after the other, each as a bet of its own", async (t) => {
  const { engine, place, say } = await start(t);
  const placed = await place("s1", "b1:250 b2:1 b3:9749");
  t.deepEqual(placed.ok && [placed.value.status, placed.value.balanceMinor], ["success", 0n]);
  t.is(engine.balance(), 0n);
  t.deepEqual(
    engine.callbacks.map(({ body }) => body),
    [
      '{"action":"bet","player_id":"ana","currency":"BRL","provider":"SPORTSBOOK","game":"sportsbook","tx_id":"SPORTSBOOK:b1","round_id":"r-b1","amount":2.5}',
      '{"action":"bet","player_id":"ana","currency":"BRL","provider":"SPORTSBOOK","game":"sportsbook","tx_id":"SPORTSBOOK:b2","round_id":"r-b2","amount":0.01}',
      '{"action":"bet","player_id":"ana","currency":"BRL","provider":"SPORTSBOOK","game":"sportsbook","tx_id":"SPORTSBOOK:b3","round_id":"r-b3","amount":97.49}',
    ],
  );
  t.is(await say("s1", "b1:250 b2:1 b3:9749"), "success: b1 success, b2 success, b3 success");
  t.is(engine.callbacks.length, 3);
});

test("the first rejected bet ends the slip: the rest is not sent, what was debited is refunded before the answer", async (t) => {
  const { engine, place, say } = await start(t);
  const placed = await place("s1", "b1:6000 b2:3000 b3:2000 b4:1");
  t.is(engine.balance(), 10_000n);
  t.is(placed.ok && placed.value.balanceMinor, 10_000n);
  const answer = "failed: b1 success/success, b2 success/success, b3 failed INSUFFICIENT_FUNDS, b4 failed NOT_SENT";
  t.is(await say("s1", "b1:6000 b2:3000 b3:2000 b4:1"), answer);
  t.deepEqual(
    engine.callbacks.map(({ body }) => JSON.parse(body).tx_id).sort(),
    ["b1", "b2", "b3", "refund~b1", "refund~b2"].map((id) => `SPORTSBOOK:${id}`),
  );
  const refund = engine.callbacks
    .map(({ body }) => JSON.parse(body))
    .find(({ tx_id }) => tx_id === "SPORTSBOOK:refund~b1");
  t.like(refund, {
    action: "refund",
    ref_tx_id: "SPORTSBOOK:b1",
    round_id: "r-b1",
    amount: 60,
    player_id: "ana",
    game: "sportsbook",
  });
});

test("a bet without an answer ends the slip and is refunded once its call is over, whether or not the wallet had taken it", async (t) => {
  const { wallet, say, heard, row, place } = await startTold(t, { walletTimeoutMs: 1_500 });
  wallet.tell("b2", "silent");
  wallet.tell("c1", "silent");
  wallet.tell("refund~c1", "TRANSACTION_NOT_FOUND");
  t.is(await say("s1", "b1 b2 b3"), "failed: b1 success/success, b2 success/success, b3 failed NOT_SENT");
  t.is(heard().split(" ").slice(0, 2).join(" "), "b1 b2");
  t.like(await row("b2"), { status: "success", resolvedBy: "refund:SPORTSBOOK:refund~b2" });
  // The quiet period is not over: a late copy of the bet may still land.
  t.is(await say("s2", "c1 c2"), "failed: c1 pending/pending, c2 failed NOT_SENT");
  const again = await place("s2", "c1 c2");
  t.like(again.ok && again.value, { status: "failed", balanceMinor: null });
  t.is(wallet.calls("c1"), 1);
});

test("a wallet that dies before the refunds leaves them to the service: the slip is answered after their first attempt", async (t) => {
  const { wallet, say, engine, row } = await startTold(t, { walletTimeoutMs: 1_500 });
  wallet.tell("b2", "PLAYER_BLOCKED");
  wallet.tell("refund~b1", "silent", "accepted");
  t.is(await say("s1", "b1 b2"), "failed: b1 success/pending, b2 failed PLAYER_BLOCKED");
  const refund = await row("refund~b1");
  if (refund === undefined || refund instanceof Error) return t.fail();
  t.true(refund.nextAt !== null && refund.nextAt < NEVER);
  engine.database.aheadMs = 2_000;
  await engine.transact.resend(refund);
  t.is(wallet.calls("refund~b1"), 2);
  t.is(await say("s1", "b1 b2"), "failed: b1 success/success, b2 failed PLAYER_BLOCKED");
});

test("a caller whose time is up is told pending, the slip goes on, and a repeat on any replica waits for it", async (t) => {
  const { wallet, say, replica, heard } = await startTold(t, { walletTimeoutMs: 2_500 });
  wallet.tell("b2", "silent");
  const other = replica();
  t.is(await say("s1", "b1 b2 b3", { waitMs: 1_200 }), "pending: b1 pending, b2 pending, b3 pending");
  const answer = "failed: b1 success/success, b2 success/success, b3 failed NOT_SENT";
  t.deepEqual(
    await Promise.all([say("s1", "b1 b2 b3"), say("s1", "b1 b2 b3", {}, other), say("s1", "b1 b2 b3", {}, other)]),
    [answer, answer, answer],
  );
  t.deepEqual(heard().split(" ").sort(), ["b1", "b2", "refund~b1", "refund~b2"]);
});

test("forty copies of a slip on two replicas are one slip", async (t) => {
  const { engine, say, replica, first } = await start(t);
  const replicas = [first, replica()];
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => say("s1", "b1 b2", {}, replicas[i % 2])));
  t.deepEqual([...new Set(answers)], ["success: b1 success, b2 success"]);
  t.is(engine.callbacks.length, 2);
  t.is(engine.balance(), 9_800n);
});

test("the same slip with other content, or of another player, is refused and changes nothing", async (t) => {
  const { engine, say } = await start(t);
  await say("s1", "b1:100 b2:200");
  t.is(await say("s1", "b1:100"), "TRANSACTION_MISMATCH bets");
  t.is(await say("s1", "b2:200 b1:100"), "TRANSACTION_MISMATCH bets[0].tx_id");
  t.is(await say("s1", "b1:100 b2:201"), "TRANSACTION_MISMATCH bets[1].amount_minor");
  t.is(await say("s1", "b1:100 b2:200", { sessionId: "s-rui" }), "TRANSACTION_MISMATCH session_id");
  t.is(await say("s1", "b1:100 b2:200", { currency: "CLP" }), "TRANSACTION_MISMATCH currency");
  t.is(await say("s2", "b3 b2:200"), "TRANSACTION_MISMATCH bets[1].tx_id");
  t.is(await say("s3", "b3"), "success: b3 success");
  t.is(engine.callbacks.length, 3);
});

test("a slip is checked whole before its first bet is sent", async (t) => {
  const { engine, say, slip } = await start(t);
  t.is(await say("", "b1 b1 refund~x"), "VALIDATION_ERROR slip_id bets[1].tx_id bets[2].tx_id");
  t.is(await say("s1", "b1 b2:-1"), "INVALID_AMOUNT bets[1].amount_minor");
  t.is(await say("s1", "b1 b2:1000000000000"), "INVALID_AMOUNT bets[1].amount_minor");
  t.is(await say("s1", "b1", { currency: "USD" }), "CURRENCY_NOT_ENABLED currency");
  t.is(await say("s1", "b1", { sessionId: "nobody's" }), "SESSION_NOT_FOUND session_id");
  t.is(await say("s1", "b1", { sessionId: "" }), "VALIDATION_ERROR session_id");
  t.is(engine.callbacks.length, 0);
  t.is(await slip("s1"), undefined);
});

test("gates are for new slips: a known one is answered whatever has ended since", async (t) => {
  const { say, change, sessions, engine } = await start(t);
  await say("s1", "b1");
  await change({ enabled: false });
  t.is(await say("s2", "b2"), "MERCHANT_DISABLED");
  await change({ products: ["slot"] });
  t.is(await say("s2", "b2"), "PRODUCT_NOT_ENABLED game");
  await change({});
  await sessions.end("s-ana");
  t.is(await say("s2", "b2"), "SESSION_EXPIRED session_id");
  t.is(await say("s1", "b1"), "success: b1 success");
  t.is(engine.callbacks.length, 1);
});

test("a session that was ended on one replica takes no slip on another, and pays wins and refunds for ever", async (t) => {
  const { say, replica, sessions, move, engine } = await start(t);
  const other = replica();
  t.is(await say("s1", "b1", {}, other), "success: b1 success");
  await sessions.end("s-ana");
  t.is(await say("s2", "b2", {}, other), "SESSION_EXPIRED session_id");
  t.is(await move("win", "w1", "b1", 500n, other), "success SPORTSBOOK:w1");
  t.is(await move("refund", "f1", "b1", 100n, other), "success SPORTSBOOK:f1");
  t.is(engine.balance(), 10_500n);
});

test("the sportsbook's refund of a bet that its slip has refunded gets that refund's result, and no call of its own", async (t) => {
  const { say, move, engine } = await start(t);
  await say("s1", "b1:6000 b2:6000");
  t.is(await move("refund", "mine", "b1", 6_000n), "success SPORTSBOOK:refund~b1");
  t.is(await move("refund", "mine-too", "b1", 5_999n), "TRANSACTION_MISMATCH amount");
  t.is(engine.callbacks.length, 3);
  t.is(engine.balance(), 10_000n);
});

test("a bet that the sportsbook refunded itself keeps that one refund when its slip fails later", async (t) => {
  const { wallet, say, move, heard } = await startTold(t, { walletTimeoutMs: 2_500 });
  wallet.tell("b2", "silent");
  const slip = say("s1", "b1 b2");
  while (wallet.calls("b2") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  t.is(await move("refund", "mine", "b1"), "success SPORTSBOOK:mine");
  t.is(await slip, "failed: b1 success/success by mine, b2 success/success");
  t.deepEqual(heard().split(" ").sort(), ["b1", "b2", "mine", "refund~b2"]);
});

test("a bet that was refunded before its slip came, or whose id is another transaction's, ends the slip", async (t) => {
  const { engine, say, move } = await start(t);
  t.is(await move("refund", "early", "b2"), "failed TRANSACTION_NOT_FOUND SPORTSBOOK:early");
  t.is(await say("s1", "b1 b2"), "failed: b1 success/success, b2 failed TRANSACTION_REVERSED");
  t.is(await move("win", "c2", "c1", 300n), "success SPORTSBOOK:c2");
  t.is(await say("s2", "c1 c2"), "failed: c1 success/success, c2 failed TRANSACTION_MISMATCH");
  t.is(engine.balance(), 10_300n);
});

test("a slip whose debited bet can't be refunded is not over, and a person is called", async (t) => {
  const { engine, say, move, slip } = await start(t);
  // Only a caller that is trusted with such an id can do this.
  t.is(await move("refund", "mine", "refund~b1"), "failed TRANSACTION_NOT_FOUND SPORTSBOOK:mine");
  const alerts = () => engine.telemetry.alerts.filter(({ name }) => name === "slip_stuck");
  const answer = say("s1", "b1:6000 b2:6000", { waitMs: 3_000 });
  while (alerts().length === 0 && (await slip("s1"))?.dueAt !== null)
    await new Promise((resolve) => setTimeout(resolve, 5));
  t.like(alerts()[0]?.fields, { slip_id: "s1", tx_id: "SPORTSBOOK:b1" });
  t.is(await answer, "pending: b1 pending, b2 pending");
  t.like((await slip("s1"))?.state, { status: "failed", at: 1, refunding: true });
});

test("free bets are not sent and succeed when their turn comes; a slip of nothing else is answered with a fresh balance", async (t) => {
  const { engine, say, place } = await start(t);
  t.is(await say("s1", "b1:0 b2:20000 b3:0"), "failed: b1 success, b2 failed INSUFFICIENT_FUNDS, b3 failed NOT_SENT");
  const free = await place("s2", "c1:0 c2:0");
  t.deepEqual(free.ok && [free.value.status, free.value.balanceMinor], ["success", 10_000n]);
  engine.wallet.setFault({ kind: "reset" });
  const unheard = await place("s2", "c1:0 c2:0");
  t.deepEqual(unheard.ok && [unheard.value.status, unheard.value.balanceMinor], ["success", null]);
  t.deepEqual(
    engine.callbacks.map(({ body }) => JSON.parse(body).action),
    ["bet", "balance", "balance"],
  );
});

test("a free bet whose id is another transaction's, or that was refunded before, ends the slip", async (t) => {
  const { engine, say, move } = await start(t);
  t.is(await move("win", "b2", "r", 300n), "success SPORTSBOOK:b2");
  t.is(await say("s2", "b1 b2:0 b3"), "failed: b1 success/success, b2 failed TRANSACTION_MISMATCH, b3 failed NOT_SENT");
  t.is(await move("refund", "early", "c1"), "failed TRANSACTION_NOT_FOUND SPORTSBOOK:early");
  t.is(await say("s3", "c1:0 c2"), "failed: c1 failed TRANSACTION_REVERSED, c2 failed NOT_SENT");
  t.is(engine.balance(), 10_300n);
});

test("the sportsbook's refund of 0 of a bet of a slip is refused, and of a free bet it is a success", async (t) => {
  const { engine, say, move } = await start(t);
  t.is(await say("s1", "b1 b2:0"), "success: b1 success, b2 success");
  t.is(await move("refund", "f1", "b1", 0n), "TRANSACTION_MISMATCH amount_minor");
  t.is(await move("refund", "f2", "b2", 0n), "success");
  t.is(engine.balance(), 9_900n);
});

test("a slip that was taken over lets its free bets pass: its old process may have done so, and sent the next bet", async (t) => {
  const { engine, say, move, leaveBehind } = await start(t);
  t.is(await move("win", "b1", "r", 300n), "success SPORTSBOOK:b1");
  await leaveBehind("s1", "b1:0 b2");
  t.is(await say("s1", "b1:0 b2"), "success: b1 success, b2 success");
  t.is(engine.balance(), 10_200n);
});

test("an overloaded replica refuses a slip before it is written; a slip without a place fails before anything is sent", async (t) => {
  const full = await start(t, { maxInFlight: 0 });
  t.is(await full.say("s1", "b1"), "OVERLOADED");
  t.is(await full.slip("s1"), undefined);
  const busy = await start(t, { places: 0 });
  t.is(await busy.say("s1", "b1 b2"), "failed: b1 failed OVERLOADED, b2 failed NOT_SENT");
  t.is(busy.engine.callbacks.length, 0);
});

test("a slip whose process is gone is gone on with, by a worker or by who asks for it", async (t) => {
  const { leaveBehind, say, first, slip, engine } = await start(t);
  await leaveBehind("s1", "b1 b2");
  t.is(await say("s1", "b1 b2"), "success: b1 success, b2 success");
  await leaveBehind("s2", "c1:6000 c2:6000");
  first.worker.start();
  t.teardown(() => first.worker.stop());
  while ((await slip("s2"))?.dueAt !== null) await new Promise((resolve) => setTimeout(resolve, 20));
  t.is(await say("s2", "c1:6000 c2:6000"), "failed: c1 success/success, c2 failed INSUFFICIENT_FUNDS");
  t.is(engine.balance(), 9_800n);
});

test("a slip that can't be taken up is reported and holds up no other, and a stop takes up no further one", async (t) => {
  const { store, leaveBehind, first, slip, engine } = await start(t, { takenUpMax: 16 });
  const take = store.take.bind(store);
  const asked: string[] = [];
  store.take = async (...[key, token, leaseMs]: Parameters<typeof take>) => {
    asked.push(key.slipId);
    if (key.slipId === "s1") throw new Error("no database");
    return take(key, token, leaseMs);
  };
  for (const own of ["s1", "s2"]) await leaveBehind(own, `${own}-b`);
  first.worker.start();
  while ((await slip("s2"))?.dueAt !== null) await new Promise((resolve) => setTimeout(resolve, 20));
  t.is(engine.telemetry.errors[0]?.what, "taking up slip 1/s1");

  const held = Promise.withResolvers<void>();
  store.take = async (...[key, token, leaseMs]: Parameters<typeof take>) => {
    asked.push(key.slipId);
    await held.promise;
    return take(key, token, leaseMs);
  };
  asked.length = 0;
  for (const own of ["s3", "s4"]) await leaveBehind(own, `${own}-b`);
  while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const stopped = first.worker.stop();
  held.resolve();
  await stopped;
  t.deepEqual(asked, ["s1"]);
});

test("a replica that is busy with slips of its own takes up one that was left behind all the same", async (t) => {
  const { wallet, leaveBehind, say, first, slip } = await startTold(t, { walletTimeoutMs: 2_500 });
  wallet.tell("b1", "silent");
  const own = say("s1", "b1");
  while (wallet.calls("b1") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await leaveBehind("s2", "c1");
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

test("a slip that was left behind takes no other transaction of its bet's id for its bet, however old it is", async (t) => {
  const { engine, replica, say, move, leaveBehind } = await start(t);
  let behindMs = 0;
  const store = new MemorySlipStore(() => Date.now() - behindMs);
  const on = replica(store);
  t.is(await move("win", "b2", "b1", 300n), "success SPORTSBOOK:b2");
  t.is(await move("win", "c1", "b1", 100n), "success SPORTSBOOK:c1");
  await leaveBehind("s1", "b1 b2 b3", store);
  t.is(
    await say("s1", "b1 b2 b3", {}, on),
    "failed: b1 success/success, b2 failed TRANSACTION_MISMATCH, b3 failed NOT_SENT",
  );
  behindMs = 61_000;
  await leaveBehind("s2", "c1 c2", store);
  behindMs = 0;
  t.is(await say("s2", "c1 c2", {}, on), "failed: c1 failed TRANSACTION_MISMATCH, c2 failed NOT_SENT");
  t.is(engine.callbacks.length, 4);
  t.is(engine.balance(), 10_400n);
});

test("a slip left behind for more than a minute sends nothing further: the way of its next bet is barred; after ten a person is called", async (t) => {
  const { engine, replica, say, leaveBehind } = await start(t);
  let behindMs = 61_000;
  const store = new MemorySlipStore(() => Date.now() - behindMs);
  await leaveBehind("s1", "b1 b2", store);
  behindMs = 601_000;
  await leaveBehind("s2", "c1 c2", store);
  behindMs = 0;
  const on = replica(store);
  t.is(await say("s1", "b1 b2", {}, on), "failed: b1 failed/failed NOT_SENT, b2 failed NOT_SENT");
  t.deepEqual(
    engine.telemetry.alerts.map(({ name }) => name).filter((name) => name === "slip_stuck"),
    [],
  );
  t.is(await say("s2", "c1 c2", {}, on), "failed: c1 failed/failed NOT_SENT, c2 failed NOT_SENT");
  const [alert] = engine.telemetry.alerts.filter(({ name }) => name === "slip_stuck");
  t.is(alert?.fields.slip_id, "s2");
  t.deepEqual(
    engine.callbacks.map(({ body }) => JSON.parse(body).tx_id),
    ["SPORTSBOOK:refund~b1", "SPORTSBOOK:refund~c1"],
  );
});

test("who took a slip over doesn't take a refusal for proof that nothing was sent: the bet is barred, for its old process may only stand still", async (t) => {
  const { leaveBehind, say, row, engine, replica } = await start(t, { places: 0 });
  await leaveBehind("s1", "b1 b2");
  t.is(await say("s1", "b1 b2"), "failed: b1 pending/pending, b2 failed NOT_SENT");
  t.like(await row("b1"), { status: "void", reversedBy: "SPORTSBOOK:refund~b1" });
  t.is(engine.callbacks.length, 0);
  t.is(await say("s2", "b3", {}, replica()), "failed: b3 failed OVERLOADED");
});

test("a database that fails in the middle is SERVICE_UNAVAILABLE, and the slip comes to its end all the same", async (t) => {
  class Failing extends MemorySlipStore {
    failing = false;
    override async record(...asked: Parameters<MemorySlipStore["record"]>): Promise<boolean> {
      if (this.failing) throw new StoreUnavailable("gone");
      return super.record(...asked);
    }
    override async read(...asked: Parameters<MemorySlipStore["read"]>) {
      if (this.failing) throw new StoreUnavailable("gone");
      return super.read(...asked);
    }
  }
  const { engine, replica, say } = await start(t);
  let aheadMs = 0;
  const store = new Failing(() => Date.now() + aheadMs);
  const on = replica(store);
  store.failing = true;
  t.is(await say("s1", "b1 b2", {}, on), "SERVICE_UNAVAILABLE");
  store.failing = false;
  aheadMs = 20_000;
  t.is(await say("s1", "b1 b2", {}, replica(store)), "success: b1 success, b2 success");
  t.is(engine.balance(), 9_800n);
  t.is(engine.callbacks.length, 2);
});

test("an overtaken process records nothing more: the verdict is the one of who took the slip up", async (t) => {
  const { wallet, replica, say } = await startTold(t, { walletTimeoutMs: 2_000 });
  let aheadMs = 0;
  const store = new MemorySlipStore(() => Date.now() + aheadMs);
  const [slow, fast] = [replica(store), replica(store)];
  wallet.tell("b1", "silent", "accepted");
  const first = say("s1", "b1 b2", {}, slow);
  while (wallet.calls("b1") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  // By the database's clock the first process is gone; by its own it is not.
  aheadMs = 10_000;
  const answers = await Promise.all([first, say("s1", "b1 b2", {}, fast)]);
  // The bet's own lease is live, so who took over waits for that call: silence ends the slip for both.
  t.deepEqual([...new Set(answers)], ["failed: b1 success/success, b2 failed NOT_SENT"]);
});

test("a slip that takes longer than its lease keeps it", async (t) => {
  const { wallet, replica, say, engine } = await startTold(t, { walletTimeoutMs: 2_000 });
  let leases = 0;
  class Counting extends MemorySlipStore {
    override async record(...asked: Parameters<MemorySlipStore["record"]>): Promise<boolean> {
      if (asked[2].status === "running") leases += 1;
      return super.record(...asked);
    }
  }
  const store = new Counting(() => Date.now());
  const on = replica(store);
  const monotonic = engine.clock.monotonic.bind(engine.clock);
  let skipped = 0;
  engine.clock.monotonic = () => monotonic() + skipped;
  const slip = say("s1", "b1 b2 b3 b4", { waitMs: 600_000 }, on);
  while (wallet.calls("b1") === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  // A third of the lease has passed by the time the next bet is due.
  skipped = 4_000;
  t.is(await slip, "success: b1 success, b2 success, b3 success, b4 success");
  t.true(leases >= 1);
});
