/** Wins that name their bet: what is paid, what is refused, and what settles a bet. */
import test from "ava";
import type { MoveRequest } from "../../../src/app/transaction/move-money.ts";
import { startMoney } from "./money.ts";

type Fields = Partial<MoveRequest>;

/** The bet `b1` of 2.50 that the wallet has accepted. */
async function startBet() {
  const money = await startMoney();
  const { move } = money;
  const win = (txId: string, fields: Fields = {}, use?: Parameters<typeof move>[1]) =>
    move({ action: "win", txId, betTxId: "b1", settles: true, ...fields }, use);
  const refund = (txId: string, fields: Fields = {}) =>
    move({ action: "refund", txId, refTxId: "b1", unlessSettled: true, ...fields });
  if ((await move({ action: "bet", txId: "b1" })) !== "success") throw new Error("the bet was not accepted");
  return { ...money, win, refund };
}

test("a bet is settled once: a repeat gets the stored result, and another id is refused with the first one's id", async (t) => {
  const { engine, win, close } = await startBet();
  t.teardown(close);
  t.is(await win("w1"), "success");
  t.is(await win("w1"), "success");
  t.is(engine.calls("w1"), 1);
  t.is(await win("w2"), "BET_SETTLED bet_tx_id");
  t.is(engine.calls("w2"), 0);
  t.is(await engine.row("w2"), undefined, "a refused win leaves no row");
  t.like(await engine.row("b1"), { settledBy: "ACME:w1", reversedBy: null });
  t.is(engine.balance(), 10_000n);
});

test("the refusal of a second settlement has the first one's wire id in its metadata", async (t) => {
  const { ask, close } = await startBet();
  t.teardown(close);
  const win = (txId: string) => ask({ action: "win", txId, betTxId: "b1", settles: true });
  t.true((await win("w1")).ok);
  t.deepEqual(await win("w2"), {
    ok: false,
    refusal: { code: "BET_SETTLED", field: "bet_tx_id", metadata: { settled_by: "ACME:w1" } },
  });
  t.deepEqual(await ask({ action: "refund", txId: "f1", refTxId: "b1", unlessSettled: true }), {
    ok: false,
    refusal: { code: "BET_SETTLED", field: "ref_tx_id", metadata: { settled_by: "ACME:w1" } },
  });
});

test("a win is refused if its bet is unknown, rejected, without a result, or reversed; nothing is sent or stored", async (t) => {
  const { engine, move, win, close } = await startBet();
  t.teardown(close);
  for (const settles of [true, false]) {
    t.is(await win(`w1 ${settles}`, { betTxId: "nothing", settles }), "BET_NOT_FOUND bet_tx_id");
    await move({ action: "bet", txId: "too much", amountMinor: 99_000n });
    t.is(await win(`w2 ${settles}`, { betTxId: "too much", settles }), "BET_NOT_FOUND bet_tx_id");
    engine.wallet.setFault({ kind: "http_500" });
    t.is(await move({ action: "bet", txId: `open ${settles}` }), "pending");
    engine.wallet.setFault({ kind: "none" });
    t.is(await win(`w3 ${settles}`, { betTxId: `open ${settles}`, settles }), "BET_PENDING bet_tx_id");
    t.is(await move({ action: "bet", txId: `open ${settles}` }), "success");
    t.is(await win(`w3 ${settles}`, { betTxId: `open ${settles}`, settles }), "success", "the result is known now");
    t.is(
      await move({ action: "refund", txId: `f ${settles}`, refTxId: `late ${settles}` }),
      "failed:TRANSACTION_NOT_FOUND",
    );
    t.is(await win(`w4 ${settles}`, { betTxId: `late ${settles}`, settles }), "TRANSACTION_REVERSED bet_tx_id");
  }
  t.is(await move({ action: "refund", txId: "f1", refTxId: "b1" }), "success");
  t.is(await win("w5"), "TRANSACTION_REVERSED bet_tx_id");
  t.is(await win("w5", { settles: false }), "TRANSACTION_REVERSED bet_tx_id");
  t.is(await win("w5", { amountMinor: 0n }), "TRANSACTION_REVERSED bet_tx_id");
  for (const own of ["w1 true", "w2 true", "w4 false", "w5"]) t.is(await engine.row(own), undefined, own);
});

test("a win that contradicts its bet is refused, and so is a win that names no bet", async (t) => {
  const { move, win, close } = await startBet();
  t.teardown(close);
  t.is(await move({ action: "win", txId: "other win" }), "success");
  t.is(await win("w1", { betTxId: "other win" }), "TRANSACTION_MISMATCH bet_tx_id");
  t.is(await win("w1", { sessionId: "session-rui" }), "TRANSACTION_MISMATCH player_id");
  t.is(await win("w1", { betTxId: "" }), "VALIDATION_ERROR bet_tx_id");
  t.is(await win("w1", { betTxId: "w1" }), "VALIDATION_ERROR bet_tx_id");
  t.is(await win("w1", { betTxId: "x".repeat(96) }), "VALIDATION_ERROR bet_tx_id");
  t.is(await win("w1", { betTxId: "", settles: false }), "success", "an empty id names no bet");
});

test("a repeat with another bet, or another word about the settlement, is a mismatch", async (t) => {
  const { move, win, close } = await startBet();
  t.teardown(close);
  t.is(await move({ action: "bet", txId: "b2" }), "success");
  t.is(await win("w1"), "success");
  t.is(await win("w1", { betTxId: "b2" }), "TRANSACTION_MISMATCH bet_tx_id");
  t.is(await win("w1", { settles: false }), "TRANSACTION_MISMATCH settles");
  t.is(await win("w1", { betTxId: "", settles: false }), "TRANSACTION_MISMATCH bet_tx_id");
  t.is(await win("w1", { amountMinor: 0n }), "TRANSACTION_MISMATCH amount");
  t.is(await win("w2", { settles: false }), "success", "a win that settles nothing is paid beside a settlement");
  t.is(await win("w2"), "TRANSACTION_MISMATCH settles");
});

test("a settlement of 0 is recorded on the bet alone, and its id has no other amount", async (t) => {
  const { engine, win, refund, close } = await startBet();
  t.teardown(close);
  t.is(await win("lost", { amountMinor: 0n }), "success");
  t.is(await win("lost", { amountMinor: 0n }), "success");
  t.is(engine.calls("lost"), 0);
  t.is(await engine.row("lost"), undefined);
  t.like(await engine.row("b1"), { settledBy: "ACME:lost" });
  t.is(await win("lost"), "TRANSACTION_MISMATCH amount");
  t.is(await win("w1"), "BET_SETTLED bet_tx_id");
  t.is(await win("w1", { amountMinor: 0n }), "BET_SETTLED bet_tx_id");
  t.is(await refund("f1"), "BET_SETTLED ref_tx_id");
  t.is(await refund("f1", { unlessSettled: false }), "success", "a refund without the condition goes to the wallet");
  t.is(await win("lost", { amountMinor: 0n }), "success", "the stored result");
});

test("a win of 0 that settles nothing leaves no trace, and is refused like a win of money", async (t) => {
  const { engine, win, close } = await startBet();
  t.teardown(close);
  t.is(await win("w0", { amountMinor: 0n, settles: false }), "success");
  t.like(await engine.row("b1"), { settledBy: null });
  t.is(await win("w0", { amountMinor: 0n, betTxId: "nothing" }), "BET_NOT_FOUND bet_tx_id");
});

test("a refund with the condition is refused after the settlement, and a settlement after such a refund", async (t) => {
  const { engine, move, win, refund, close } = await startBet();
  t.teardown(close);
  t.is(await win("w1"), "success");
  t.is(await refund("f1"), "BET_SETTLED ref_tx_id");
  t.is(engine.calls("f1"), 0);
  t.is(await engine.row("f1"), undefined);
  t.is(await move({ action: "bet", txId: "b2" }), "success");
  t.is(await refund("f2", { refTxId: "b2" }), "success");
  t.is(await win("w2", { betTxId: "b2" }), "TRANSACTION_REVERSED bet_tx_id");
  t.is(await refund("f2", { refTxId: "b2" }), "success", "a repeat gets the stored result");
  t.is(await refund("f3", { refTxId: "b2" }), "success", "a second refund gets the result of the first");
});

test("a refund that has begun before the settlement is answered from its row, whatever its condition", async (t) => {
  const { win, refund, close } = await startBet();
  t.teardown(close);
  t.is(await win("w1"), "success");
  t.is(await refund("f1", { unlessSettled: false }), "success");
  t.is(await refund("f1"), "success");
  t.is(await refund("f2"), "success", "another id follows the first refund");
});

test("a settlement that the wallet rejected still settles its bet, and its repeat pays it", async (t) => {
  const { engine, win, refund, close } = await startBet();
  t.teardown(close);
  engine.wallet.setFault({ kind: "rejected" });
  t.is(await win("w1"), "failed:REJECTED");
  engine.wallet.setFault({ kind: "none" });
  t.is(await win("w2"), "BET_SETTLED bet_tx_id");
  t.is(await refund("f1"), "BET_SETTLED ref_tx_id");
  t.is(await win("w1"), "success");
  t.is(engine.balance(), 10_000n);
});

test("after a rollback of the settlement the bet stays settled, and a win that settles nothing is paid", async (t) => {
  const { move, win, close } = await startBet();
  t.teardown(close);
  t.is(await win("w1"), "success");
  t.is(await move({ action: "rollback", txId: "k1", refTxId: "w1" }), "success");
  t.is(await win("w2"), "BET_SETTLED bet_tx_id");
  t.is(await win("w2", { settles: false }), "success");
});

test("a settlement whose own rollback came first is refused", async (t) => {
  const { engine, move, win, close } = await startBet();
  t.teardown(close);
  t.is(await move({ action: "rollback", txId: "k1", refTxId: "w1" }), "failed:TRANSACTION_NOT_FOUND");
  t.is(await win("w1"), "TRANSACTION_REVERSED");
  t.like(await engine.row("b1"), { settledBy: null });
});

test("of many settlements and refunds at once, on two replicas, one reaches the wallet", async (t) => {
  const { engine, win, refund, money, close } = await startBet();
  t.teardown(close);
  const other = money();
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, i) => [
      win(`w${i}`),
      win(`w${i}`, {}, other),
      win(`z${i}`, { amountMinor: 0n }, other),
      refund(`f${i}`),
    ]).flat(),
  );
  const sent = new Set(
    engine.callbacks
      .map(({ body }) => JSON.parse(body).tx_id as string)
      .filter((id) => id !== "ACME:b1" && id !== undefined),
  );
  const bet = await engine.row("b1");
  t.true((bet?.settledBy === null) !== (bet?.reversedBy === null));
  const settledByZero = bet?.settledBy?.startsWith("ACME:z") === true;
  t.is(sent.size, settledByZero ? 0 : 1, [...sent].join());
  const losers = new Set(outcomes.filter((outcome) => outcome !== "success" && outcome !== "pending"));
  for (const code of losers) t.regex(code, /^(BET_SETTLED|TRANSACTION_REVERSED) /);
});
