/** Clients that were built before the newest fields of the provider API: their recorded requests have the same effect. */
import test from "ava";
import { TransactionStatus } from "../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import { WalletService } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { patiently } from "../../testbed/callers/busy.ts";
import { startWorld } from "../../testbed/stage/world.ts";

/** The recorded bytes of a request without its session, and the body of the callback that it led to. */
const RECORDED = [
  [
    "placeBet",
    "1a0262312a02723130fa013a0342524c",
    '{"action":"bet","player_id":"ana","currency":"BRL","provider":"ACME","game":"fruits","tx_id":"ACME:b1","round_id":"r1","amount":2.5}',
  ],
  [
    "payWin",
    "1a0277312a02723130e8073a0342524c",
    '{"action":"win","player_id":"ana","currency":"BRL","provider":"ACME","game":"fruits","tx_id":"ACME:w1","round_id":"r1","amount":10}',
  ],
  [
    "refundBet",
    "1a026631220262312a02723130fa013a0342524c",
    '{"action":"refund","player_id":"ana","currency":"BRL","provider":"ACME","game":"fruits","tx_id":"ACME:f1","round_id":"r1","amount":2.5,"ref_tx_id":"ACME:b1"}',
  ],
  [
    "rollbackWin",
    "1a026b31220277312a02723130e8073a0342524c",
    '{"action":"rollback","player_id":"ana","currency":"BRL","provider":"ACME","game":"fruits","tx_id":"ACME:k1","round_id":"r1","amount":10,"ref_tx_id":"ACME:w1"}',
  ],
] as const;

test("recorded requests of old clients lead to the same bytes at the wallet", async (t) => {
  const world = await startWorld(t);
  const session = Buffer.from(await world.session());
  for (const [name, hex, body] of RECORDED) {
    // The session is field 1, a text.
    const raw = Buffer.concat([Buffer.from([0x0a, session.length]), session, Buffer.from(hex, "hex")]);
    const method = WalletService.method[name] as typeof WalletService.method.placeBet;
    const reply = await patiently(() => world.callerOf(world.first).call(method, {}, { keys: world.keys, raw }));
    t.is(reply.status, TransactionStatus.SUCCESS, name);
    t.is(world.callbacks.at(-1)?.body, body);
  }
  t.is(world.callbacks.length, RECORDED.length);
});

test("a win that names its bet, and the refund of a Reverse, have the bytes of a plain win and refund", async (t) => {
  const world = await startWorld(t);
  const sessionId = await world.session();
  const caller = world.callerOf(world.first);
  const money = { sessionId, roundId: "r1", currency: "BRL" };
  const { placeBet, payWin, reverse } = WalletService.method;
  const keys = { keys: world.keys };
  await patiently(() => caller.call(placeBet, { ...money, txId: "b1", amountMinor: 250n }, keys));
  const win = { ...money, txId: "w1", amountMinor: 1_000n, betTxId: "b1", settles: true };
  const paid = await patiently(() => caller.call(payWin, win, keys));
  t.is(paid.status, TransactionStatus.SUCCESS);
  t.is(world.callbacks.at(-1)?.body, RECORDED[1][2]);
  await patiently(() => caller.call(reverse, { sessionId, txId: "f1", refTxId: "b1" }, keys));
  t.is(world.callbacks.at(-1)?.body, RECORDED[2][2]);
  const row = await world.database.knex("tx").where({ tx_id: "ACME:b1" }).first("settled_by", "reversed_by");
  t.is(row.settled_by, "ACME:w1");
  t.is(row.reversed_by, "ACME:f1");
});
