import test from "ava";
import { startMoney } from "./money.ts";

test("a request of amount 0 succeeds without a row and without a wallet call for a transaction", async (t) => {
  const { engine, move, close } = await startMoney();
  t.is(await move({ action: "win", txId: "w0", amountMinor: 0n }), "success");
  t.is(await engine.row("w0"), undefined);
  t.is(engine.calls("w0"), 0);
  engine.wallet.setFault({ kind: "silent" });
  t.is(await move({ action: "bet", txId: "b0", amountMinor: 0n }), "success");
  await close();
});

test("a reversal of amount 0 is refused if the transaction that it names is known, and succeeds if it is unknown", async (t) => {
  const { engine, move, close } = await startMoney();
  t.teardown(close);
  const zero = (action: "refund" | "rollback", refTxId: string, txId = `${action} of ${refTxId}`) =>
    move({ action, txId, refTxId, amountMinor: 0n });
  t.is(await zero("refund", "b1"), "success");
  t.is(await move({ action: "bet", txId: "b1" }), "success");
  t.is(await zero("refund", "b1"), "TRANSACTION_MISMATCH amount_minor", "the repeat, once the bet is known");
  t.is(await move({ action: "win", txId: "w1" }), "success");
  t.is(await zero("rollback", "w1"), "TRANSACTION_MISMATCH amount_minor");
  t.is(await zero("rollback", "b1"), "TRANSACTION_MISMATCH ref_tx_id");
  t.is(await zero("refund", "w1"), "TRANSACTION_MISMATCH ref_tx_id");
  t.is(await move({ action: "refund", txId: "f1", refTxId: "b1" }), "success");
  t.is(await zero("refund", "b1", "f1"), "TRANSACTION_MISMATCH amount", "its id has a row");
  t.is(
    await zero("refund", "b1", "f2"),
    "TRANSACTION_MISMATCH amount_minor",
    "it counts as a repeat of the one refund",
  );
  t.is(await zero("refund", "f1", "f3"), "TRANSACTION_MISMATCH ref_tx_id");
  // A bet of 0 leaves no row, so its refund of 0 contradicts nothing.
  t.is(await move({ action: "bet", txId: "b0", amountMinor: 0n }), "success");
  t.is(await zero("refund", "b0"), "success");
  t.is(engine.balance(), 10_250n);
  t.deepEqual([...engine.store.rows.keys()].sort(), ["1/ACME:b1", "1/ACME:f1", "1/ACME:w1"]);
});

test("after the refund of a bet that never came, further requests are compared with that refund, also at amount 0", async (t) => {
  const { move, close } = await startMoney();
  t.teardown(close);
  t.is(await move({ action: "refund", txId: "f1", refTxId: "b1" }), "failed:TRANSACTION_NOT_FOUND");
  t.is(
    await move({ action: "refund", txId: "f2", refTxId: "b1", amountMinor: 0n }),
    "TRANSACTION_MISMATCH amount_minor",
  );
  t.is(
    await move({ action: "rollback", txId: "k1", refTxId: "b1", amountMinor: 0n }),
    "TRANSACTION_MISMATCH ref_tx_id",
  );
  t.is(await move({ action: "bet", txId: "b1", amountMinor: 0n }), "TRANSACTION_REVERSED");
  t.is(await move({ action: "win", txId: "b1", amountMinor: 0n }), "TRANSACTION_MISMATCH action");
  // f1 won the mark, so f3 stays void for ever, but its id is used.
  t.is(await move({ action: "refund", txId: "f3", refTxId: "b1" }), "failed:TRANSACTION_NOT_FOUND");
  t.is(await move({ action: "refund", txId: "f3", refTxId: "b1", amountMinor: 0n }), "TRANSACTION_MISMATCH amount");
  t.is(await move({ action: "bet", txId: "f3", amountMinor: 0n }), "TRANSACTION_MISMATCH action");
});

test("a request of amount 0 makes one read of its row and its reference; other requests make no such read", async (t) => {
  const { engine, move, close } = await startMoney();
  t.teardown(close);
  const looks: string[][] = [];
  const { read } = engine.store;
  engine.store.read = (keys) => {
    looks.push(keys.map(({ txId }) => txId).sort());
    return read.call(engine.store, keys);
  };
  await move({ action: "win", txId: "w0", amountMinor: 0n });
  await move({ action: "refund", txId: "f0", refTxId: "b1", amountMinor: 0n });
  await move({ action: "bet", txId: "b1" });
  t.deepEqual(looks, [["ACME:w0"], ["ACME:b1", "ACME:f0"]]);
});

test("the service waits for a silent wallet until shortly before the deadline; then a balance query gets WALLET_UNAVAILABLE, and a bet of amount 0 succeeds", async (t) => {
  const { engine, balance, settings, move, close } = await startMoney({ walletTimeoutMs: 60_000 });
  engine.wallet.setFault({ kind: "silent" });
  const provider = settings.provider("ACME");
  if (provider === undefined) return t.fail();
  const began = engine.clock.monotonic();
  const deadline = began + 400;
  const query = balance.query({ provider, sessionId: "s1", playerRef: "", game: "", deadline });
  t.is(await move({ action: "bet", txId: "b0", amountMinor: 0n, deadline }), "success");
  t.like(await query, { ok: false, refusal: { code: "WALLET_UNAVAILABLE" } });
  const took = engine.clock.monotonic() - began;
  t.true(took >= 290 && took < 30_000, String(took));
  await close();
});
