import test from "ava";
import { eachCall } from "../../../src/adapters/telemetry/each-call.ts";
import { outcomeText, pause, startEngine } from "../../../testbed/in-process/engine.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";

test("a bet is debited once; its repeat gets the stored success without a wallet call", async (t) => {
  const engine = await startEngine();
  t.is(await engine.request("bet", "b1"), "success");
  t.is(engine.balance(), 9_750n);
  t.deepEqual(await engine.ask("bet", "b1"), await engine.ask("bet", "b1"));
  t.is(engine.calls("b1"), 1);
  await engine.close();
});

test("a thousand concurrent copies at three replicas make one wallet call and get the same answer", async (t) => {
  const engine = await startEngine({ walletTimeoutMs: 5_000 });
  const replicas = [engine.transact, engine.replica().transact, engine.replica().transact];
  const copies = await Promise.all(
    Array.from({ length: 1_000 }, (_, i) => engine.ask("bet", "b1", {}, 20_000, replicas[i % 3])),
  );
  t.deepEqual([...new Set(copies.map(outcomeText))], ["success"]);
  t.is(engine.calls("b1"), 1);
  t.is(engine.balance(), 9_750n);
  await engine.close();
});

test("other content under a known id is refused with the field's name, whether the id's row succeeded, failed or is in progress; the wallet is not called", async (t) => {
  const engine = await startEngine();
  t.is(await engine.request("bet", "b1"), "success");
  t.is(await engine.request("bet", "b1", { amount: 251n }), "TRANSACTION_MISMATCH amount");
  t.is(await engine.request("win", "b1"), "TRANSACTION_MISMATCH action");
  t.is(await engine.request("bet", "b1", { player: "rui" }), "TRANSACTION_MISMATCH player_id");
  t.is(await engine.request("bet", "b1", { round: "r2" }), "TRANSACTION_MISMATCH round_id");
  t.is(await engine.request("bet", "poor", { amount: 99_999n }), "failed:INSUFFICIENT_FUNDS");
  t.is(await engine.request("bet", "poor", { amount: 1n }), "TRANSACTION_MISMATCH amount");
  t.is(engine.calls("b1") + engine.calls("poor"), 2);
  const [one, other] = await Promise.all([
    engine.request("bet", "race"),
    engine.request("bet", "race", { amount: 1n }),
  ]);
  t.deepEqual([one, other], ["success", "TRANSACTION_MISMATCH amount"]);
  await engine.close();
});

test("a new transaction is claimed without a read; its repeat at the same replica is read and not claimed again", async (t) => {
  const engine = await startEngine();
  const statements: string[] = [];
  const counted = eachCall(engine.store, ({ method, run }) => {
    statements.push(method);
    return run();
  });
  const { transact } = engine.replica(counted);
  const ask = async (action: "bet" | "win", own: string) =>
    outcomeText(await engine.ask(action, own, {}, 5_000, transact));
  t.deepEqual([await ask("bet", "b1"), await ask("win", "w1")], ["success", "success"]);
  t.deepEqual(statements.splice(0), ["claim", "settle", "claim", "settle"]);
  t.deepEqual([await ask("bet", "b1"), await ask("win", "w1")], ["success", "success"]);
  t.deepEqual(statements, ["read", "read"]);
  await engine.close();
});

test("a rejected bet stays rejected without a call; a repeat of a rejected win calls the wallet again", async (t) => {
  const engine = await startEngine();
  engine.wallet.setFault({ kind: "rejected" });
  t.regex(await engine.request("bet", "b1"), /^failed:/);
  t.regex(await engine.request("win", "w1"), /^failed:/);
  t.deepEqual(
    engine.telemetry.alerts.map(({ name }) => name),
    ["credit_failed"],
  );
  engine.wallet.setFault({ kind: "none" });
  t.regex(await engine.request("bet", "b1"), /^failed:/);
  t.is(await engine.request("win", "w1"), "success");
  t.is(engine.calls("b1"), 1);
  t.is(engine.calls("w1"), 2);
  t.is(engine.balance(), 10_250n);
  await engine.close();
});

test("a silent wallet leaves a bet pending; a repeat calls the wallet again under the same id, and the bet is debited once", async (t) => {
  const engine = await startEngine();
  engine.wallet.setFault({ kind: "applied_no_reply" });
  t.is(await engine.request("bet", "b1"), "pending");
  t.is(engine.balance(), 9_750n);
  engine.wallet.setFault({ kind: "none" });
  t.is(await engine.request("bet", "b1"), "success");
  t.is(engine.calls("b1"), 2);
  t.is(engine.balance(), 9_750n);
  t.is((await engine.row("b1"))?.resolvedBy, "resend");
  await engine.close();
});

test("an accepted refund of a pending bet makes both a success, and a repeat of the bet is refused", async (t) => {
  const engine = await startEngine();
  engine.wallet.setFault({ kind: "applied_no_reply" });
  t.is(await engine.request("bet", "b1"), "pending");
  engine.wallet.setFault({ kind: "none" });
  t.is(await engine.request("refund", "f1", { ref: "b1" }), "success");
  t.is(engine.balance(), 10_000n);
  const bet = await engine.row("b1");
  t.like(bet, { status: "success", resolvedBy: "refund:ACME:f1", reversedBy: "ACME:f1" });
  t.is(await engine.request("bet", "b1"), "TRANSACTION_REVERSED");
  t.is(engine.calls("b1"), 1);
  await engine.close();
});

test("TRANSACTION_NOT_FOUND is final for the refund of a silent bet only after the quiet period; then both have failed", async (t) => {
  const engine = await startEngine({ quietPeriodMs: 20_000 });
  engine.wallet.setFault({ kind: "silent" });
  t.is(await engine.request("bet", "b1"), "pending");
  engine.wallet.setFault({ kind: "none" });
  t.is(await engine.request("refund", "f1", { ref: "b1" }), "pending");
  t.is(await engine.request("bet", "b1"), "pending");
  engine.database.aheadMs = 20_050;
  t.is(await engine.request("refund", "f1", { ref: "b1" }), "failed:TRANSACTION_NOT_FOUND");
  t.like(await engine.row("b1"), { status: "failed", error: "TRANSACTION_NOT_FOUND", resolvedBy: "refund:ACME:f1" });
  t.is(engine.calls("b1"), 1);
  t.is(engine.balance(), 10_000n);
  await engine.close();
});

test("a refund waits for the end of its bet's call, and then returns the amount", async (t) => {
  const engine = await startEngine({ walletTimeoutMs: 5_000 });
  engine.wallet.setFault({ kind: "slow", ms: 1_000 });
  const bet = engine.request("bet", "b1", {}, 30_000);
  while (engine.calls("b1") === 0) await pause(5);
  const refund = engine.request("refund", "f1", { ref: "b1" }, 30_000);
  await pause(50);
  t.is(engine.calls("f1"), 0);
  t.deepEqual([await bet, await refund], ["success", "success"]);
  t.is(engine.balance(), 10_000n);
  await engine.close();
});

test("a second refund of a bet is a repeat of the first: there is one call, and the reply has the first refund's wire id", async (t) => {
  const engine = await startEngine();
  t.is(await engine.request("bet", "b1"), "success");
  t.is(await engine.request("refund", "f1", { ref: "b1" }), "success");
  const second = await engine.ask("refund", "f2", { ref: "b1" });
  t.like(second, { ok: true, value: { status: "success", txId: "ACME:f1" } });
  t.is(await engine.request("refund", "f2", { ref: "b1", round: "other" }), "TRANSACTION_MISMATCH round_id");
  t.is(engine.calls("f2"), 0);
  t.is((await engine.row("f2"))?.status, "void");
  t.is(engine.balance(), 10_000n);
  await engine.close();
});

test("twenty refunds of one bet under twenty ids credit its amount once", async (t) => {
  const engine = await startEngine();
  const other = engine.replica().transact;
  t.is(await engine.request("bet", "b1"), "success");
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      engine.ask("refund", `f${i}`, { ref: "b1" }, 5_000, i % 2 === 0 ? engine.transact : other),
    ),
  );
  t.deepEqual([...new Set(all.map(outcomeText))], ["success"]);
  t.is(new Set(all.map((one) => one.ok && one.value.txId)).size, 1);
  t.is(engine.balance(), 10_000n);
  await engine.close();
});

test("the refund of a bet that never came is sent to the wallet; a bet that comes after it never reaches the wallet", async (t) => {
  const engine = await startEngine();
  t.is(await engine.request("refund", "f1", { ref: "b1" }), "failed:TRANSACTION_NOT_FOUND");
  t.is((await engine.row("b1"))?.status, "void");
  t.is(await engine.request("bet", "b1"), "TRANSACTION_REVERSED");
  t.is(engine.calls("b1"), 0);
  await engine.close();
});

test("a reversal that contradicts the transaction that it names is refused without a wallet call", async (t) => {
  const engine = await startEngine();
  await engine.request("bet", "b1");
  await engine.request("win", "w1");
  await engine.request("refund", "f0", { ref: "b1" });
  t.is(await engine.request("refund", "f1", { ref: "b1", amount: 100n }), "TRANSACTION_MISMATCH amount");
  t.is(await engine.request("refund", "f2", { ref: "w1" }), "TRANSACTION_MISMATCH ref_tx_id");
  t.is(await engine.request("rollback", "k1", { ref: "b1" }), "TRANSACTION_MISMATCH ref_tx_id");
  t.is(await engine.request("refund", "f3", { ref: "f0" }), "TRANSACTION_MISMATCH ref_tx_id");
  t.is(await engine.request("refund", "f4", { ref: "b1", player: "rui" }), "TRANSACTION_MISMATCH player_id");
  t.deepEqual(["f1", "f2", "k1", "f3", "f4"].map(engine.calls), [0, 0, 0, 0, 0]);
  await engine.close();
});

test("a rollback takes its win back once, and is not sent while a late copy of the win may reach the wallet", async (t) => {
  const engine = await startEngine({ quietPeriodMs: 20_000 });
  t.is(await engine.request("win", "w1"), "success");
  t.is(await engine.request("rollback", "k1", { ref: "w1" }), "success");
  t.is(engine.balance(), 10_000n);
  engine.wallet.setFault({ kind: "applied_no_reply" });
  t.is(await engine.request("win", "w2"), "pending");
  engine.wallet.setFault({ kind: "none" });
  t.is(await engine.request("rollback", "k2", { ref: "w2" }), "pending");
  t.is(engine.calls("k2"), 0);
  t.is(await engine.request("win", "w2"), "pending");
  engine.database.aheadMs = 20_050;
  t.is(await engine.request("rollback", "k2", { ref: "w2" }), "success");
  t.is(await engine.request("win", "w2"), "TRANSACTION_REVERSED");
  t.is(engine.balance(), 10_000n);
  await engine.close();
});

test("without a free permit a debit is refused and leaves no row; a credit is written for the worker, and its caller gets pending", async (t) => {
  // Signatures contain the current time.
  const clock = new ManualClock(Date.now());
  const engine = await startEngine({ permitsPerMerchant: 1, walletTimeoutMs: 5_000, clock });
  t.teardown(engine.close);
  // The first bet holds the only permit until the test releases the wallet's answer.
  const { promise: released, resolve: answer } = Promise.withResolvers<void>();
  const send = engine.http.send.bind(engine.http);
  engine.http.send = async (...call) => {
    const reply = await send(...call);
    await released;
    return reply;
  };
  const slow = engine.request("bet", "b1");
  while (engine.calls("b1") === 0) await pause(5);
  /** A request with 550 ms to its deadline waits 50 ms for a permit. */
  const waiting = async (action: "bet" | "win", id: string): Promise<string> => {
    const result = engine.request(action, id, {}, 550);
    await clock.pass(50);
    return result;
  };
  t.is(await waiting("bet", "b2"), "OVERLOADED");
  t.is(await engine.row("b2"), undefined);
  t.is(await waiting("win", "w1"), "pending");
  t.like(await engine.row("w1"), { status: "pending", attempts: 0 });
  answer();
  t.is(await slow, "success");
  const [due] = await engine.store.due([1], 10);
  t.is(due?.txId, engine.content("win", "w1").txId);
  if (due !== undefined) await engine.transact.resend(due);
  t.like(await engine.row("w1"), { status: "success", attempts: 1, resolvedBy: null });
});

test("at the deadline the caller gets pending and the transaction goes on; a repeat that joins it gets the success", async (t) => {
  const engine = await startEngine({ walletTimeoutMs: 5_000 });
  engine.wallet.setFault({ kind: "slow", ms: 1_500 });
  t.is(await engine.request("bet", "b1", {}, 250), "pending");
  t.is(await engine.request("bet", "b1"), "success");
  t.is(engine.calls("b1"), 1);
  await engine.close();
});
