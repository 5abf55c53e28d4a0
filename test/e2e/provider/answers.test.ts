/** What the replies of the provider API say beside the status: whether a result was stored before, and the balances. */

import type { MessageShape } from "@bufbuild/protobuf";
import test from "ava";
import { TransactionStatus } from "../../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import { WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { patiently } from "../../../testbed/callers/busy.ts";
import { type DatabaseServer, startDatabaseServer } from "../../../testbed/database/server.ts";
import { METHODS } from "../../../testbed/provider/methods.ts";
import { startWorld } from "../../../testbed/stage/world.ts";

let server: DatabaseServer;
test.before(async () => {
  server = await startDatabaseServer();
});
test.after.always(() => server.stop());

const DATABASES = { SQLite: async () => ({}), MariaDB: async () => ({ databaseUrl: await server.createDatabase() }) };
const { SUCCESS, PENDING, FAILED } = TransactionStatus;

type World = Awaited<ReturnType<typeof startWorld>>;

/** A reply as `[status, balance before, balance, replayed]`. A balance that is absent is undefined. */
async function told(
  world: World,
  action: keyof typeof METHODS,
  fields: { sessionId: string; txId: string; refTxId?: string; amountMinor?: bigint },
) {
  const request = { roundId: "r1", currency: "BRL", amountMinor: 250n, ...fields };
  const method = METHODS[action] as unknown as typeof METHODS.refund;
  const reply: MessageShape<typeof method.output> = await patiently(() =>
    world.callerOf(world.first).call(method, request, { keys: world.keys, deadline: Date.now() + 20_000 }),
  );
  return [reply.status, reply.balanceBeforeMinor, reply.balanceMinor, reply.replayed];
}

for (const [name, database] of Object.entries(DATABASES)) {
  test.serial(
    `${name}: a first result has the balances before and after; a repeat has the same ones and is a replay`,
    async (t) => {
      const world = await startWorld(t, await database());
      const sessionId = await world.session();
      const calls = [
        ["bet", { txId: "b1" }, [10_000n, 9_750n]],
        ["win", { txId: "w1", amountMinor: 1_000n }, [9_750n, 10_750n]],
        ["refund", { txId: "f1", refTxId: "b1" }, [10_750n, 11_000n]],
        ["rollback", { txId: "k1", refTxId: "w1", amountMinor: 1_000n }, [11_000n, 10_000n]],
      ] as const;
      for (const [action, fields, balances] of calls)
        t.deepEqual(await told(world, action, { sessionId, ...fields }), [SUCCESS, ...balances, false], action);
      for (const [action, fields, balances] of calls.slice(2))
        t.deepEqual(await told(world, action, { sessionId, ...fields }), [SUCCESS, ...balances, true], action);
      // A second refund under another id has the stored result of the first.
      const second = { sessionId, txId: "f2", refTxId: "b1" };
      t.deepEqual(await told(world, "refund", second), [SUCCESS, 10_750n, 11_000n, true]);
      t.deepEqual(await told(world, "refund", second), [SUCCESS, 10_750n, 11_000n, true]);
      const zero = { sessionId, txId: "z1", amountMinor: 0n };
      t.deepEqual(await told(world, "bet", zero), [SUCCESS, 10_000n, 10_000n, false]);
      t.deepEqual(await told(world, "bet", zero), [SUCCESS, 10_000n, 10_000n, false]);
    },
  );

  test.serial(`${name}: a rejection has the wallet's balance, and its repeat the stored one`, async (t) => {
    const world = await startWorld(t, await database());
    const sessionId = await world.session();
    const bet = { sessionId, txId: "b1", amountMinor: 10_001n };
    t.deepEqual(await told(world, "bet", bet), [FAILED, 10_000n, 10_000n, false]);
    world.wallet.ledger.deposit("shop-brl", "ana", 5_000n);
    t.deepEqual(await told(world, "bet", bet), [FAILED, 10_000n, 10_000n, true]);
    const { transaction } = await world
      .callerOf(world.first)
      .call(WalletService.method.getTransaction, { sessionId, txId: "b1" }, { keys: world.keys });
    t.is(transaction?.balanceMinor, 10_000n);
    // The merchant's list shows the balance of a success only, as before.
    t.like(await world.rest("GET", "/v1/transactions/ACME:b1"), {
      ok: true,
      data: { status: "failed", balance: null },
    });
    // The sandbox's wallet sends no balance with another code.
    world.wallet.ledger.block("shop-brl", "ana", true);
    t.deepEqual(await told(world, "bet", { sessionId, txId: "b2" }), [FAILED, undefined, undefined, false]);
    t.deepEqual(await told(world, "bet", { sessionId, txId: "b2" }), [FAILED, undefined, undefined, true]);
  });

  test.serial(`${name}: after a silent call the balance before a success is not known`, async (t) => {
    const world = await startWorld(t, { ...(await database()), env: { WALLET_TIMEOUT_MS: "1000" } });
    const sessionId = await world.session();
    world.wallet.setFault({ kind: "applied_no_reply" });
    t.deepEqual(await told(world, "bet", { sessionId, txId: "b1" }), [PENDING, undefined, undefined, false]);
    world.wallet.setFault({ kind: "none" });
    t.deepEqual(await told(world, "bet", { sessionId, txId: "b1" }), [SUCCESS, undefined, 9_750n, false]);
    t.deepEqual(await told(world, "bet", { sessionId, txId: "b1" }), [SUCCESS, undefined, 9_750n, true]);
    const refund = { sessionId, txId: "f2", refTxId: "b1" };
    t.deepEqual(await told(world, "refund", refund), [SUCCESS, 9_750n, 10_000n, false]);
  });
}
