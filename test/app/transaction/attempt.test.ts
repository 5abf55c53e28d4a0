import test from "ava";
import { startScriptedWallet } from "../../../testbed/callers/scripted-wallet.ts";
import { outcomeText, pause, startEngine } from "../../../testbed/in-process/engine.ts";

test("no call begins if the claim took more than five seconds, because the lease must end after the call", async (t) => {
  const engine = await startEngine();
  t.teardown(engine.close);
  const { claim } = engine.store;
  const monotonic = engine.clock.monotonic.bind(engine.clock);
  engine.store.claim = async (lines) => {
    const claimed = await claim.call(engine.store, lines);
    engine.clock.monotonic = () => monotonic() + 5_001;
    return claimed;
  };
  t.is(await engine.request("bet", "b1", {}, 20_000), "pending");
  t.is(engine.calls("b1"), 0);
  // The attempt counts as unanswered, not as never sent.
  t.not((await engine.row("b1"))?.silentAt, null);
  engine.store.claim = claim;
  t.is(await engine.request("bet", "b1", {}, 20_000), "success");
});

test("no call begins if the machine was suspended after the claim, although its monotonic clock stood still", async (t) => {
  const engine = await startEngine();
  t.teardown(engine.close);
  const { claim } = engine.store;
  engine.store.claim = async (lines) => {
    const claimed = await claim.call(engine.store, lines);
    engine.clock.now = () => Date.now() + 3_600_000;
    return claimed;
  };
  t.is(await engine.request("bet", "b1", {}, 20_000), "pending");
  t.is(engine.calls("b1"), 0);
  // The system clock may also step back. Then the monotonic clock is right.
  engine.store.claim = async (lines) => {
    const claimed = await claim.call(engine.store, lines);
    engine.clock.now = () => Date.now() - 60_000;
    return claimed;
  };
  t.is(await engine.request("bet", "b2", {}, 20_000), "success");
});

test("a settle that fails is repeated, so the wallet's answer is recorded without a second call", async (t) => {
  const engine = await startEngine();
  t.teardown(engine.close);
  const { settle } = engine.store;
  let failures = 2;
  engine.store.settle = async (lines) => {
    if (failures-- > 0) throw new Error("no database");
    return settle.call(engine.store, lines);
  };
  t.is(await engine.request("bet", "b1"), "success");
  t.is(engine.calls("b1"), 1);
  t.is(engine.telemetry.errors.length, 2);
});

test("ten silent calls in a row open the merchant's breaker; an answer between them starts the count again", async (t) => {
  const wallet = await startScriptedWallet();
  const engine = await startEngine({ walletTimeoutMs: 900, walletUrl: wallet.url });
  t.teardown(() => Promise.all([engine.close(), wallet.close()]));
  const silent = async (ids: string) => {
    for (const id of ids) wallet.setAnswers(id, "silent");
    t.deepEqual([...new Set(await Promise.all([...ids].map((id) => engine.request("bet", id))))], ["pending"]);
  };
  await silent("abcdefghi");
  t.is(await engine.request("bet", "z"), "success");
  await silent("jklmnopqr");
  t.deepEqual(engine.permits.limited(), []);
  await silent("s");
  t.deepEqual(engine.permits.limited(), [{ merchantId: 1, limit: 4 }]);
  t.deepEqual(
    engine.telemetry.alerts.map(({ name }) => name),
    ["breaker_open"],
  );
});

test("wins and refunds that wait for a permit get it before bets", async (t) => {
  const engine = await startEngine({ permitsPerMerchant: 1, walletTimeoutMs: 3_000 });
  t.teardown(engine.close);
  t.is(await engine.request("bet", "b0"), "success");
  const permit = await engine.permits.take(1, "debit", 0);
  const queued = [
    engine.request("bet", "b1"),
    engine.request("bet", "b2"),
    engine.request("win", "w1"),
    engine.request("refund", "f1", { ref: "b0" }),
  ];
  permit?.release();
  await Promise.all(queued);
  t.deepEqual(
    engine.callbacks.slice(1).map((callback) => JSON.parse(callback.body).tx_id),
    ["ACME:w1", "ACME:f1", "ACME:b1", "ACME:b2"],
  );
});

test("without a permit the repeat of a pending bet gets pending, and the repeat of a credit past its horizon makes the credit due again", async (t) => {
  const engine = await startEngine({ permitsPerMerchant: 1, walletTimeoutMs: 900, horizonMs: 0 });
  t.teardown(engine.close);
  engine.wallet.setFault({ kind: "reset" });
  t.deepEqual([await engine.request("bet", "b1"), await engine.request("win", "w1")], ["pending", "pending"]);
  t.deepEqual(
    engine.telemetry.alerts.map(({ name }) => name),
    ["resend_horizon_over"],
  );
  t.deepEqual(await engine.store.due([1], 10), []);
  const permit = await engine.permits.take(1, "debit", 0);
  const repeated = await Promise.all([
    engine.request("bet", "b1", {}, 500),
    engine.request("win", "w1", {}, 500),
    engine.request("bet", "new", {}, 500),
  ]);
  t.deepEqual(repeated, ["pending", "pending", "OVERLOADED"]);
  t.deepEqual(
    (await engine.store.due([1], 10)).map(({ txId }) => String(txId)),
    ["ACME:w1"],
  );
  permit?.release();
});

for (const [first, then, row, alerts] of [
  ["accepted", "PLAYER_BLOCKED", "failed:PLAYER_BLOCKED", [{ answer: "accepted", recorded: "failed" }]],
  ["PLAYER_BLOCKED", "accepted", "success", [{ answer: "PLAYER_BLOCKED", recorded: "success" }]],
  ["accepted", "accepted", "success", []],
] as const) {
  test(`if the wallet answers ${first} first and ${then} to the repeat, and the first answer is recorded too late, the row does not change, and there are ${alerts.length} alerts wallet_contradicts`, async (t) => {
    const wallet = await startScriptedWallet();
    const engine = await startEngine({ walletUrl: wallet.url });
    t.teardown(() => Promise.all([engine.close(), wallet.close()]));
    wallet.setAnswers("b1", first, then);
    const { settle } = engine.store;
    const late = Promise.withResolvers<void>();
    engine.store.settle = async (lines) => {
      engine.store.settle = settle;
      await late.promise;
      return settle.call(engine.store, lines);
    };
    const paused = engine.ask("bet", "b1");
    while (engine.store.settle !== settle) await pause(5);
    engine.database.aheadMs = 3_600_000;
    t.is(outcomeText(await engine.ask("bet", "b1", {}, 5_000, engine.replica().transact)), row);
    late.resolve();
    t.is(outcomeText(await paused), row);
    t.is(await engine.request("bet", "b1"), row);
    t.is(wallet.calls("b1"), 2);
    t.deepEqual(
      engine.telemetry.alerts.map(({ name, fields: { answer, recorded, tx_id } }) => ({
        name,
        answer,
        recorded,
        tx_id,
      })),
      alerts.map((alert) => ({ name: "wallet_contradicts", ...alert, tx_id: "ACME:b1" })),
    );
    t.deepEqual(
      engine.contradicted,
      alerts.map(() => "ACME:b1"),
    );
    const request_id = wallet.callbacks[0]?.headers["x-request-id"];
    t.deepEqual(
      engine.telemetry.ids,
      alerts.map(() => ({ tx_id: "ACME:b1", request_id, trace_id: undefined })),
    );
  });
}
