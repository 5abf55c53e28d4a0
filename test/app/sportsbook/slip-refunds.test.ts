import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test from "ava";
import { NEVER } from "../../../src/domain/transaction/transaction.ts";
import { start, startScripted } from "./slips-setup.ts";

test("after a bet without an answer no further bet of the slip is sent; when its call is over, the bet is refunded, whether the wallet debited it or not", async (t) => {
  const { wallet, submit, calledIds, row, place } = await startScripted(t, { walletTimeoutMs: 1_500 });
  wallet.setAnswers("b2", "silent");
  wallet.setAnswers("c1", "silent");
  wallet.setAnswers("refund~c1", "TRANSACTION_NOT_FOUND");
  t.is(await submit("s1", "b1 b2 b3"), "failed: b1 success/success, b2 success/success, b3 failed NOT_SENT");
  t.is(calledIds().split(" ").slice(0, 2).join(" "), "b1 b2");
  t.like(await row("b2"), { status: "success", resolvedBy: "refund:SPORTSBOOK:refund~b2" });
  // The quiet period has not passed, so a late copy of the bet may still reach the wallet.
  t.is(await submit("s2", "c1 c2"), "failed: c1 pending/pending, c2 failed NOT_SENT");
  const again = await place("s2", "c1 c2");
  t.like(again.ok && again.value, { status: "failed", balanceMinor: null });
  t.is(wallet.calls("c1"), 1);
});

test("if the wallet becomes silent before the refunds, the slip is answered after their first attempt, and the service resends them", async (t) => {
  const { wallet, submit, engine, row } = await startScripted(t, { walletTimeoutMs: 1_500 });
  wallet.setAnswers("b2", "PLAYER_BLOCKED");
  wallet.setAnswers("refund~b1", "silent", "accepted");
  t.is(await submit("s1", "b1 b2"), "failed: b1 success/pending, b2 failed PLAYER_BLOCKED");
  const refund = await row("refund~b1");
  if (refund === undefined || refund instanceof Error) return t.fail();
  t.true(refund.nextAt !== null && refund.nextAt < NEVER);
  engine.database.aheadMs = 2_000;
  await engine.transact.resend(refund);
  t.is(wallet.calls("refund~b1"), 2);
  t.is(await submit("s1", "b1 b2"), "failed: b1 success/success, b2 failed PLAYER_BLOCKED");
});

test("a failed slip has the balance that the wallet told last, whatever the order in which its answers are recorded", async (t) => {
  const balances = new Map<string, number>();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const id = String(JSON.parse(body).tx_id).replace("SPORTSBOOK:", "");
      if (id === "b4") return response.end(JSON.stringify({ ok: false, error: "PLAYER_BLOCKED" }));
      // The first refund is answered last if all refunds are sent at the same time.
      const answer = () => {
        balances.set(id, balances.size + 1);
        response.end(JSON.stringify({ ok: true, balance: balances.size }));
      };
      setTimeout(answer, { "refund~b1": 60, "refund~b2": 15 }[id] ?? 0);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => server.closeAllConnections());
  t.teardown(() => server.close());
  const walletUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/wallet`;
  const { place, engine } = await start(t, { walletUrl });
  const settle = engine.store.settle.bind(engine.store);
  engine.store.settle = async (lines) => {
    // The database is slow when it records the answers of later refunds.
    if (lines.some(({ key }) => /refund~b[23]/.test(key.txId)))
      await new Promise((resolve) => setTimeout(resolve, 200));
    return settle(lines);
  };
  const placed = await place("s1", "b1 b2 b3 b4");
  t.is(balances.size, 6);
  t.is(placed.ok && placed.value.balanceMinor, 600n);
});

test("at the caller's deadline the answer is pending, the slip goes on, and a repeat on any replica waits for its end", async (t) => {
  const { wallet, submit, replica, calledIds } = await startScripted(t, { walletTimeoutMs: 2_500 });
  wallet.setAnswers("b2", "silent");
  const other = replica();
  t.is(await submit("s1", "b1 b2 b3", { waitMs: 1_200 }), "pending: b1 pending, b2 pending, b3 pending");
  const answer = "failed: b1 success/success, b2 success/success, b3 failed NOT_SENT";
  t.deepEqual(
    await Promise.all([
      submit("s1", "b1 b2 b3"),
      submit("s1", "b1 b2 b3", {}, other),
      submit("s1", "b1 b2 b3", {}, other),
    ]),
    [answer, answer, answer],
  );
  t.deepEqual(calledIds().split(" ").sort(), ["b1", "b2", "refund~b1", "refund~b2"]);
});

test("if the sportsbook refunds a bet that its slip has refunded, it gets that refund's result without a wallet call", async (t) => {
  const { submit, move, engine } = await start(t);
  await submit("s1", "b1:6000 b2:6000");
  t.is(await move("refund", "mine", "b1", 6_000n), "success SPORTSBOOK:refund~b1");
  t.is(await move("refund", "mine-too", "b1", 5_999n), "TRANSACTION_MISMATCH amount");
  t.is(engine.callbacks.length, 3);
  t.is(engine.balance(), 10_000n);
});

test("if the sportsbook refunds a bet and its slip fails later, the bet has only this one refund", async (t) => {
  const { wallet, submit, move, calledIds } = await startScripted(t, { walletTimeoutMs: 2_500 });
  wallet.setAnswers("b2", "silent");
  const slip = submit("s1", "b1 b2");
  while (wallet.calls("b2") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  t.is(await move("refund", "mine", "b1"), "success SPORTSBOOK:mine");
  t.is(await slip, "failed: b1 success/success by mine, b2 success/success");
  t.deepEqual(calledIds().split(" ").sort(), ["b1", "b2", "mine", "refund~b2"]);
});

test("a bet that was refunded before its slip came, or whose id another transaction has, makes the slip fail", async (t) => {
  const { engine, submit, move } = await start(t);
  t.is(await move("refund", "early", "b2"), "failed TRANSACTION_NOT_FOUND SPORTSBOOK:early");
  t.is(await submit("s1", "b1 b2"), "failed: b1 success/success, b2 failed TRANSACTION_REVERSED");
  t.is(await move("win", "c2", "c1", 300n), "success SPORTSBOOK:c2");
  t.is(await submit("s2", "c1 c2"), "failed: c1 success/success, c2 failed TRANSACTION_MISMATCH");
  t.is(engine.balance(), 10_300n);
});

test("a slip whose debited bet can't be refunded does not end, and raises the alert slip_stuck", async (t) => {
  const { engine, submit, move, slip } = await start(t);
  // Only a trusted caller can use such an id.
  t.is(await move("refund", "mine", "refund~b1"), "failed TRANSACTION_NOT_FOUND SPORTSBOOK:mine");
  const alerts = () => engine.telemetry.alerts.filter(({ name }) => name === "slip_stuck");
  const answer = submit("s1", "b1:6000 b2:6000", { waitMs: 3_000 });
  while (alerts().length === 0 && (await slip("s1"))?.dueAt !== null)
    await new Promise((resolve) => setTimeout(resolve, 5));
  t.like(alerts()[0]?.fields, { slip_id: "s1", tx_id: "SPORTSBOOK:b1" });
  t.is(await answer, "pending: b1 pending, b2 pending");
  t.like((await slip("s1"))?.state, { status: "failed", at: 1, refunding: true });
});
