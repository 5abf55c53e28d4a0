/** Plays through gRPC, on the real service and databases, also when its process is killed in the middle. */

import test from "ava";
import { TransactionStatus } from "../../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import { WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { patiently } from "../../../testbed/callers/busy.ts";
import { type DatabaseServer, startDatabaseServer } from "../../../testbed/database/server.ts";
import { pause } from "../../../testbed/in-process/engine.ts";
import { startWorld, startWorldOfProcesses } from "../../../testbed/stage/world.ts";

let server: DatabaseServer;
test.before(async () => {
  server = await startDatabaseServer();
});
test.after.always(() => server.stop());

const DATABASES = { SQLite: async () => ({}), MariaDB: async () => ({ databaseUrl: await server.createDatabase() }) };
const { SUCCESS, FAILED, UNSPECIFIED } = TransactionStatus;
const { play: method } = WalletService.method;

const playOf = (sessionId: string, own: string, betMinor = 250n) => ({
  sessionId,
  roundId: `round ${own}`,
  currency: "BRL",
  bet: { txId: `bet ${own}`, amountMinor: betMinor },
  win: { txId: `win ${own}`, amountMinor: 400n, settles: true },
});

for (const [name, database] of Object.entries(DATABASES))
  test.serial(`${name}: a Play takes the bet and pays the win, and a repeat gets the same reply`, async (t) => {
    const world = await startWorld(t, await database());
    const sessionId = await world.session();
    const ask = (own: string, betMinor?: bigint) =>
      patiently(() =>
        world
          .callerOf(world.first)
          .call(method, playOf(sessionId, own, betMinor), { keys: world.keys, deadline: Date.now() + 20_000 }),
      );
    const balances = { status: SUCCESS, balanceBeforeMinor: 10_000n, balanceMinor: 10_150n, winStatus: SUCCESS };
    t.like(await ask("1"), { ...balances, betTxId: "ACME:bet 1", winTxId: "ACME:win 1", replayed: false });
    t.like(await ask("1"), { ...balances, replayed: true });
    t.like(await ask("2", 99_000n), { status: FAILED, error: "INSUFFICIENT_FUNDS", winStatus: UNSPECIFIED });
    t.is(world.wallet.ledger.balanceMinor("shop-brl", "ana"), 10_150n);
  });

/** Where the process is killed: the statement of the Play, the one of its end, and before the win is sent. */
for (const point of ["CP2", "CP8", "CP14"])
  test.serial(`a process that is killed at ${point} of a Play takes no money and loses none`, async (t) => {
    const env = { WALLET_TIMEOUT_MS: "2000", LEASE_MARGIN_MS: "700" };
    const world = await startWorldOfProcesses(t, { databaseUrl: await server.createDatabase(), env });
    const sessionId = await world.session();
    const victim = await world.start({ GAS_FAILPOINTS: `${point}:kill` });
    const settings = () => ({ keys: world.keys, deadline: Date.now() + 20_000 });
    const request = playOf(sessionId, point);
    await t.throwsAsync(world.callerOf(victim).call(method, request, settings()));
    const balance = () => world.wallet.ledger.balanceMinor("shop-brl", "ana");
    // After the bet's success nobody needs to repeat the Play.
    if (point === "CP14") while (balance() !== 10_150n) await pause(20);
    for (;;) {
      const reply = await patiently(() => world.callerOf(world.first).call(method, request, settings()));
      if (reply.status === SUCCESS && reply.winStatus === SUCCESS) break;
      await pause(100);
    }
    t.is(balance(), 10_150n);
  });
