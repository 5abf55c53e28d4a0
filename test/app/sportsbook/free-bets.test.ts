import test from "ava";
import { start } from "./slips-setup.ts";

test("free bets (amount 0) succeed without a wallet call; the answer to a slip of only free bets has a fresh balance", async (t) => {
  const { engine, submit, place } = await start(t);
  t.is(
    await submit("s1", "b1:0 b2:20000 b3:0"),
    "failed: b1 success, b2 failed INSUFFICIENT_FUNDS, b3 failed NOT_SENT",
  );
  const free = await place("s2", "c1:0 c2:0");
  t.deepEqual(free.ok && [free.value.status, free.value.balanceMinor], ["success", 10_000n]);
  engine.wallet.setFault({ kind: "reset" });
  const withoutBalance = await place("s2", "c1:0 c2:0");
  t.deepEqual(withoutBalance.ok && [withoutBalance.value.status, withoutBalance.value.balanceMinor], ["success", null]);
  t.deepEqual(
    engine.callbacks.map(({ body }) => JSON.parse(body).action),
    ["bet", "balance", "balance"],
  );
});

test("a free bet makes its slip fail if another transaction has its id, or if it was refunded before", async (t) => {
  const { engine, submit, move } = await start(t);
  t.is(await move("win", "b2", "r", 300n), "success SPORTSBOOK:b2");
  t.is(
    await submit("s2", "b1 b2:0 b3"),
    "failed: b1 success/success, b2 failed TRANSACTION_MISMATCH, b3 failed NOT_SENT",
  );
  t.is(await move("refund", "early", "c1"), "failed TRANSACTION_NOT_FOUND SPORTSBOOK:early");
  t.is(await submit("s3", "c1:0 c2"), "failed: c1 failed TRANSACTION_REVERSED, c2 failed NOT_SENT");
  t.is(engine.balance(), 10_300n);
});

test("a refund of amount 0 is refused for a debited bet of a slip, and succeeds for a free bet", async (t) => {
  const { engine, submit, move } = await start(t);
  t.is(await submit("s1", "b1 b2:0"), "success: b1 success, b2 success");
  t.is(await move("refund", "f1", "b1", 0n), "TRANSACTION_MISMATCH amount_minor");
  t.is(await move("refund", "f2", "b2", 0n), "success");
  t.is(engine.balance(), 9_900n);
});

test("a process that takes a slip over does not check the slip's free bets again, because the old process may have sent the next bet", async (t) => {
  const { engine, submit, move, createAbandoned } = await start(t);
  t.is(await move("win", "b1", "r", 300n), "success SPORTSBOOK:b1");
  await createAbandoned("s1", "b1:0 b2");
  t.is(await submit("s1", "b1:0 b2"), "success: b1 success, b2 success");
  t.is(engine.balance(), 10_200n);
});
