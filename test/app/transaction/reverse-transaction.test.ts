/** Requests that reverse an id without knowing what it is. */
import test from "ava";
import type { ReverseRequest } from "../../../src/app/transaction/reverse-transaction.ts";
import { ReverseTransaction } from "../../../src/app/transaction/reverse-transaction.ts";
import { NEVER } from "../../../src/domain/transaction/transaction.ts";
import type { EngineOptions } from "../../../testbed/in-process/engine.ts";
import { startMoney } from "./money.ts";

async function startReversals(options: EngineOptions = {}) {
  const money = await startMoney(options);
  const { engine, settings, lookup, loadShedder } = money;
  const reversals = new ReverseTransaction(lookup(), engine.transact, loadShedder, engine.clock, engine.telemetry);
  /** `outcome status`, or the refusal's code with its field. */
  const reverse = async (txId: string, refTxId: string, fields: Partial<ReverseRequest> = {}): Promise<string> => {
    const provider = settings.provider("ACME");
    if (provider === undefined) throw new Error("no provider");
    const result = await reversals.reverse({
      provider,
      sessionId: "s1",
      playerRef: "",
      game: "",
      txId,
      refTxId,
      kind: null,
      amountMinor: null,
      currency: "",
      roundId: "",
      unlessSettled: false,
      deliver: false,
      deadline: engine.clock.monotonic() + 5_000,
      ...fields,
    });
    if (result.ok) {
      const { outcome, status, error } = result.value;
      return [outcome, status, error].filter((part) => part !== "").join(" ");
    }
    const { code, field, details } = result.refusal;
    return [code, field, ...(Array.isArray(details) ? details.map((fault) => fault.field) : [])]
      .filter((part) => part !== undefined)
      .join(" ");
  };
  return { ...money, reverse };
}

test("a known bet is refunded with its own content, a known win is rolled back, and repeats get the stored result", async (t) => {
  const { engine, move, reverse, close } = await startReversals();
  t.teardown(close);
  await move({ action: "bet", txId: "b1", roundId: "of the bet", amountMinor: 300n });
  await move({ action: "win", txId: "w1", amountMinor: 700n });
  t.is(await reverse("f1", "b1"), "refund success");
  t.is(await reverse("f1", "b1"), "refund success");
  t.is(await reverse("f2", "b1"), "refund success", "a second reversal gets the result of the first");
  t.is(await reverse("k1", "w1"), "rollback success");
  t.is(engine.balance(), 10_000n);
  t.is(engine.calls("f1"), 1);
  t.is(engine.calls("f2"), 0);
  t.like(JSON.parse(engine.callbacks.find(({ body }) => body.includes("ACME:f1"))?.body ?? ""), {
    action: "refund",
    round_id: "of the bet",
    amount: 3,
    ref_tx_id: "ACME:b1",
  });
  t.is(await move({ action: "bet", txId: "b1", roundId: "of the bet", amountMinor: 300n }), "TRANSACTION_REVERSED");
});

test("a bet that the wallet rejected needs nothing, and the wallet is not called", async (t) => {
  const { engine, move, reverse, close } = await startReversals();
  t.teardown(close);
  t.is(await move({ action: "bet", txId: "b1", amountMinor: 99_000n }), "failed:INSUFFICIENT_FUNDS");
  t.is(await reverse("f1", "b1"), "nothing success");
  t.is(await reverse("f1", "b1"), "nothing success");
  t.is(await engine.row("f1"), undefined);
  t.is(engine.callbacks.length, 1);
  t.is(await move({ action: "bet", txId: "b1", amountMinor: 99_000n }), "failed:INSUFFICIENT_FUNDS");
});

test("a rejected bet is refunded all the same if one of its attempts got no answer", async (t) => {
  const { engine, move, reverse, close } = await startReversals();
  t.teardown(close);
  engine.wallet.setFault({ kind: "http_500" });
  t.is(await move({ action: "bet", txId: "b1" }), "pending");
  engine.wallet.setFault({ kind: "rejected" });
  t.is(await move({ action: "bet", txId: "b1" }), "failed:REJECTED");
  engine.wallet.setFault({ kind: "none" });
  await new Promise((resolve) => setTimeout(resolve, 120));
  t.is(await reverse("f1", "b1"), "refund failed TRANSACTION_NOT_FOUND");
  t.is(engine.calls("f1"), 1);
});

test("an unknown id is marked for ever without a wallet call: nothing that comes under it is sent", async (t) => {
  const { engine, move, reverse, close } = await startReversals();
  t.teardown(close);
  t.is(await reverse("r1", "x"), "marked success");
  t.is(await reverse("r1", "x"), "marked success");
  t.is(await reverse("r2", "x"), "marked success");
  t.is(await move({ action: "bet", txId: "x" }), "TRANSACTION_REVERSED");
  t.is(await move({ action: "win", txId: "x" }), "TRANSACTION_REVERSED");
  t.is(await move({ action: "bet", txId: "x", amountMinor: 0n }), "TRANSACTION_REVERSED");
  t.is(await move({ action: "refund", txId: "f1", refTxId: "x" }), "TRANSACTION_REVERSED ref_tx_id");
  t.is(await move({ action: "rollback", txId: "k1", refTxId: "x" }), "TRANSACTION_REVERSED ref_tx_id");
  t.is(await move({ action: "refund", txId: "f1", refTxId: "x", amountMinor: 0n }), "TRANSACTION_REVERSED ref_tx_id");
  t.is(await move({ action: "win", txId: "w1", betTxId: "x" }), "TRANSACTION_REVERSED bet_tx_id");
  t.is(engine.callbacks.length, 0);
  t.like(await engine.row("x"), { status: "void", reversedBy: "ACME:r1" });
  t.is(await move({ action: "bet", txId: "r1" }), "success", "a reversal that moved nothing has no row");
});

test("fields that are given must fit; those that are left out fit everything", async (t) => {
  const { engine, move, reverse, close } = await startReversals();
  t.teardown(close);
  await move({ action: "bet", txId: "b1" });
  await move({ action: "win", txId: "w1" });
  t.is(await reverse("f1", "b1", { kind: "win" }), "TRANSACTION_MISMATCH kind");
  t.is(await reverse("f1", "b1", { amountMinor: 251n }), "TRANSACTION_MISMATCH amount");
  t.is(await reverse("f1", "b1", { amountMinor: 0n }), "TRANSACTION_MISMATCH amount");
  t.is(await reverse("f1", "b1", { currency: "CLP" }), "TRANSACTION_MISMATCH currency");
  t.is(await reverse("f1", "b1", { roundId: "r2" }), "TRANSACTION_MISMATCH round_id");
  t.is(await reverse("f1", "b1", { sessionId: "session-rui" }), "TRANSACTION_MISMATCH player_id");
  t.is(await reverse("w1", "b1"), "TRANSACTION_MISMATCH action");
  t.is(engine.callbacks.length, 2);
  t.is(await reverse("f1", "b1", { kind: "bet", amountMinor: 250n, currency: "BRL", roundId: "r1" }), "refund success");
  t.is(await reverse("f1", "w1"), "TRANSACTION_MISMATCH ref_tx_id");
  t.is(await reverse("f2", "f1"), "TRANSACTION_MISMATCH ref_tx_id");
  t.is(
    await reverse("", "", { kind: "other", sessionId: "" }),
    "VALIDATION_ERROR session_id tx_id ref_tx_id ref_tx_id kind",
  );
  t.is(await reverse("f1", "b1", { amountMinor: -1n }), "INVALID_AMOUNT amount_minor");
  t.is(await reverse("f3", "y", { currency: "EUR" }), "CURRENCY_NOT_ENABLED currency");
});

test("a settled bet is refunded, unless the request demands that it is not settled", async (t) => {
  const { move, reverse, close } = await startReversals();
  t.teardown(close);
  await move({ action: "bet", txId: "b1" });
  t.is(await move({ action: "win", txId: "w1", betTxId: "b1", settles: true }), "success");
  t.is(await reverse("f1", "b1", { unlessSettled: true }), "BET_SETTLED ref_tx_id");
  t.is(await reverse("f1", "b1"), "refund success");
});

test("a RefundBet of an unknown bet that was forwarded is followed", async (t) => {
  const { engine, move, reverse, close } = await startReversals();
  t.teardown(close);
  t.is(await move({ action: "refund", txId: "f1", refTxId: "b1" }), "failed:TRANSACTION_NOT_FOUND");
  t.is(await reverse("f2", "b1"), "refund failed TRANSACTION_NOT_FOUND");
  t.is(engine.calls("f2"), 0);
});

test("a rollback that the service delivers is due at once and again after a silence; another one never is", async (t) => {
  const { engine, move, reverse, close } = await startReversals();
  t.teardown(close);
  await move({ action: "win", txId: "w1" });
  await move({ action: "win", txId: "w2" });
  engine.wallet.setFault({ kind: "http_500" });
  t.is(await reverse("k1", "w1"), "rollback pending");
  t.is((await engine.row("k1"))?.nextAt, NEVER);
  t.is(await reverse("k2", "w2", { deliver: true }), "rollback pending");
  const row = await engine.row("k2");
  t.true(row?.nextAt !== null && row !== undefined && row.nextAt < row.readAt + 5_000);
  engine.wallet.setFault({ kind: "none" });
  engine.database.aheadMs += 5_000;
  t.true(await engine.transact.resend({ merchantId: 1, txId: engine.content("rollback", "k2").txId }));
  t.is((await engine.row("k2"))?.status, "success");
  t.false(await engine.transact.resend({ merchantId: 1, txId: engine.content("rollback", "k1").txId }));
});

test("a delivered rollback waits for the quiet period of its win, and is then due", async (t) => {
  const { engine, move, reverse, close } = await startReversals({ quietPeriodMs: 60_000 });
  t.teardown(close);
  engine.wallet.setFault({ kind: "http_500" });
  t.is(await move({ action: "win", txId: "w1" }), "pending");
  t.is(await reverse("k1", "w1", { deliver: true }), "rollback pending");
  t.is(engine.calls("k1"), 0);
  const key = { merchantId: 1, txId: engine.content("rollback", "k1").txId };
  t.false(await engine.transact.resend(key));
  const row = await engine.row("k1");
  t.true((row?.nextAt ?? 0) > (row?.readAt ?? 0) + 30_000, "it is not read again at once");
  engine.wallet.setFault({ kind: "none" });
  engine.database.aheadMs += 61_000;
  t.true(await engine.transact.resend(key));
  t.like(await engine.row("k1"), { status: "failed", error: "TRANSACTION_NOT_FOUND" });
});

test("at the deadline a delivered rollback is pending only if its row is; before that, its caller must repeat", async (t) => {
  const { engine, move, reverse, close } = await startReversals();
  t.teardown(close);
  await move({ action: "win", txId: "w1" });
  // The database is slow: the statement that makes the rollback pending waits until the test lets it go.
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const mark = engine.store.mark.bind(engine.store);
  engine.store.mark = async (...lines) => {
    await released;
    return mark(...lines);
  };
  const soon = () => ({ deliver: true, deadline: engine.clock.monotonic() + 300 });
  t.is(await reverse("k1", "w1", soon()), "SERVICE_UNAVAILABLE");
  t.is(await reverse("k1", "w1", soon()), "SERVICE_UNAVAILABLE", "a copy joins");
  t.is((await engine.row("k1"))?.status, "void", "a crash would lose it");
  engine.wallet.setFault({ kind: "slow", ms: 1_000 });
  release();
  while (engine.calls("k1") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  t.is(await reverse("k1", "w1", soon()), "rollback pending", "now the service delivers it");
  t.is(await reverse("k1", "w1", { deliver: true }), "rollback success");
  t.is(engine.balance(), 10_000n);
});

test("after the horizon a delivered rollback is resent no more, and an alert is raised", async (t) => {
  const { engine, move, reverse, close } = await startReversals({ horizonMs: 1_000 });
  t.teardown(close);
  await move({ action: "win", txId: "w1" });
  engine.wallet.setFault({ kind: "http_500" });
  t.is(await reverse("k1", "w1", { deliver: true }), "rollback pending");
  t.is((await engine.row("k1"))?.nextAt, NEVER);
});

test("an alert says that a wallet rejects a delivered rollback, at once or later; no other rejection raises it", async (t) => {
  const { engine, move, reverse, close } = await startReversals();
  t.teardown(close);
  const raised = () =>
    engine.telemetry.alerts.filter(({ name }) => name === "rollback_failed").map(({ fields }) => fields.tx_id);
  for (const own of ["w1", "w2", "w3"]) await move({ action: "win", txId: own });
  engine.wallet.setFault({ kind: "rejected" });
  t.regex(await reverse("k1", "w1"), /^rollback failed /);
  t.deepEqual(raised(), []);
  t.regex(await reverse("k2", "w2", { deliver: true }), /^rollback failed /);
  t.deepEqual(raised(), ["ACME:k2"]);
  t.regex(await reverse("k2", "w2", { deliver: true }), /^rollback failed /);
  t.deepEqual(raised(), ["ACME:k2"], "a repeat is answered from the row");
  engine.wallet.setFault({ kind: "http_500" });
  t.is(await reverse("k3", "w3", { deliver: true }), "rollback pending");
  engine.wallet.setFault({ kind: "rejected" });
  engine.database.aheadMs += 5_000;
  t.true(await engine.transact.resend({ merchantId: 1, txId: engine.content("rollback", "k3").txId }));
  t.deepEqual(raised(), ["ACME:k2", "ACME:k3"]);
});

test("of an original and its reversal at the same moment, on two replicas, the original is sent only if it came first", async (t) => {
  const { engine, move, reverse, money, close } = await startReversals();
  t.teardown(close);
  const other = money();
  for (let i = 0; i < 20; i++) {
    const [bet, reversed] = await Promise.all([
      move({ action: "bet", txId: `b${i}` }, other),
      reverse(`r${i}`, `b${i}`),
    ]);
    if (reversed === "marked success") t.deepEqual([bet, engine.calls(`b${i}`)], ["TRANSACTION_REVERSED", 0]);
    else t.is(reversed, "refund success");
  }
  t.is(engine.balance(), 10_000n);
});

test("reversals that come together share their statements: one for all void rows, one for all marks, one for all leases", async (t) => {
  const { engine, move, reverse, close } = await startReversals();
  t.teardown(close);
  const ids = ["1", "2", "3", "4", "5"];
  for (const id of ids) await move({ action: "bet", txId: `b${id}`, amountMinor: 100n });
  const sizes: Record<string, number[]> = { claim: [], mark: [], takeOver: [] };
  for (const name of ["claim", "mark", "takeOver"] as const) {
    const real = engine.store[name].bind(engine.store) as (lines: readonly never[]) => Promise<never[]>;
    Object.assign(engine.store, {
      [name]: (lines: readonly never[]) => {
        sizes[name]?.push(lines.length);
        return real(lines);
      },
    });
  }
  const outcomes = await Promise.all(ids.map((id) => reverse(`f${id}`, `b${id}`)));
  t.deepEqual(outcomes, Array(5).fill("refund success"));
  t.deepEqual(sizes, { claim: [5], mark: [5], takeOver: [5] });
  t.is(engine.balance(), 10_000n);
});
