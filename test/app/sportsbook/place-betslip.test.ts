import test from "ava";
import { start } from "./slips-setup.ts";

test("the bets of a slip are debited one after the other, each as its own transaction", async (t) => {
  const { engine, place, submit } = await start(t);
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
  t.is(await submit("s1", "b1:250 b2:1 b3:9749"), "success: b1 success, b2 success, b3 success");
  t.is(engine.callbacks.length, 3);
});

test("the first rejected bet ends the slip: later bets are not sent, and debited bets are refunded before the answer", async (t) => {
  const { engine, place, submit } = await start(t);
  const placed = await place("s1", "b1:6000 b2:3000 b3:2000 b4:1");
  t.is(engine.balance(), 10_000n);
  t.is(placed.ok && placed.value.balanceMinor, 10_000n);
  const answer = "failed: b1 success/success, b2 success/success, b3 failed INSUFFICIENT_FUNDS, b4 failed NOT_SENT";
  t.is(await submit("s1", "b1:6000 b2:3000 b3:2000 b4:1"), answer);
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

test("forty copies of a slip at two replicas are placed as one slip", async (t) => {
  const { engine, submit, replica, first } = await start(t);
  const replicas = [first, replica()];
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => submit("s1", "b1 b2", {}, replicas[i % 2])));
  t.deepEqual([...new Set(answers)], ["success: b1 success, b2 success"]);
  t.is(engine.callbacks.length, 2);
  t.is(engine.balance(), 9_800n);
});

test("the same slip id with other content, or from another player, is refused and changes nothing", async (t) => {
  const { engine, submit } = await start(t);
  await submit("s1", "b1:100 b2:200");
  t.is(await submit("s1", "b1:100"), "TRANSACTION_MISMATCH bets");
  t.is(await submit("s1", "b2:200 b1:100"), "TRANSACTION_MISMATCH bets[0].tx_id");
  t.is(await submit("s1", "b1:100 b2:201"), "TRANSACTION_MISMATCH bets[1].amount_minor");
  t.is(await submit("s1", "b1:100 b2:200", { sessionId: "s-rui" }), "TRANSACTION_MISMATCH session_id");
  t.is(await submit("s1", "b1:100 b2:200", { currency: "CLP" }), "TRANSACTION_MISMATCH currency");
  t.is(await submit("s2", "b3 b2:200"), "TRANSACTION_MISMATCH bets[1].tx_id");
  t.is(await submit("s3", "b3"), "success: b3 success");
  t.is(engine.callbacks.length, 3);
});

test("all bets of a slip are checked before the first one is sent", async (t) => {
  const { engine, submit, slip } = await start(t);
  t.is(await submit("", "b1 b1 refund~x"), "VALIDATION_ERROR slip_id bets[1].tx_id bets[2].tx_id");
  t.is(await submit("s1", "b1 b2:-1"), "INVALID_AMOUNT bets[1].amount_minor");
  t.is(await submit("s1", "b1 b2:1000000000000"), "INVALID_AMOUNT bets[1].amount_minor");
  t.is(await submit("s1", "b1", { currency: "USD" }), "CURRENCY_NOT_ENABLED currency");
  t.is(await submit("s1", "b1", { sessionId: "nobody's" }), "SESSION_NOT_FOUND session_id");
  t.is(await submit("s1", "b1", { sessionId: "" }), "VALIDATION_ERROR session_id");
  t.is(await submit("", "b1 b1", { sessionId: "" }), "VALIDATION_ERROR session_id slip_id bets[1].tx_id");
  t.is(engine.callbacks.length, 0);
  t.is(await slip("s1"), undefined);
});

test("a new slip is refused if no path can have the id of a bet's round", async (t) => {
  const { engine, submit, slip } = await start(t);
  const bets = ["r", ".", ".."].map((roundId, i) => ({ txId: `b${i}`, roundId, amountMinor: 100n }));
  t.is(await submit("s1", "", { bets }), "VALIDATION_ERROR bets[1].round_id bets[2].round_id");
  t.is(await submit("..", "b1"), "success: b1 success");
  t.is(engine.callbacks.length, 1);
  t.is(await slip("s1"), undefined);
});

test("new slips are refused for a disabled merchant or product and an ended session; a known slip is still answered", async (t) => {
  const { submit, change, sessions, engine } = await start(t);
  await submit("s1", "b1");
  await change({ enabled: false });
  t.is(await submit("s2", "b2"), "MERCHANT_DISABLED");
  await change({ products: ["slot"] });
  t.is(await submit("s2", "b2"), "PRODUCT_NOT_ENABLED game");
  await change({});
  await sessions.end("s-ana");
  t.is(await submit("s2", "b2"), "SESSION_EXPIRED session_id");
  t.is(await submit("s1", "b1"), "success: b1 success");
  t.is(engine.callbacks.length, 1);
});

test("a session that ended on one replica accepts no slip on another replica, but still wins and refunds", async (t) => {
  const { submit, replica, sessions, move, engine } = await start(t);
  const other = replica();
  t.is(await submit("s1", "b1", {}, other), "success: b1 success");
  await sessions.end("s-ana");
  t.is(await submit("s2", "b2", {}, other), "SESSION_EXPIRED session_id");
  t.is(await move("win", "w1", "b1", 500n, other), "success SPORTSBOOK:w1");
  t.is(await move("refund", "f1", "b1", 100n, other), "success SPORTSBOOK:f1");
  t.is(engine.balance(), 10_500n);
});

test("an overloaded replica refuses a slip before it is written; if no wallet permit is free a slip fails before a bet is sent", async (t) => {
  const full = await start(t, { maxInFlight: 0 });
  t.is(await full.submit("s1", "b1"), "OVERLOADED");
  t.is(await full.slip("s1"), undefined);
  const busy = await start(t, { permitsPerMerchant: 0 });
  t.is(await busy.submit("s1", "b1 b2"), "failed: b1 failed OVERLOADED, b2 failed NOT_SENT");
  t.is(busy.engine.callbacks.length, 0);
});
