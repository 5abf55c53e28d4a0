/** How the service stops while a background task hangs. */
import { connect } from "node:net";
import test from "ava";
import { TransactionStore } from "../../src/ports/transactions/transaction-store.ts";
import { adminOf, startReplica } from "../../testbed/callers/administration.ts";

/** Resolves when the port accepts no more connections. */
async function closed(port: number): Promise<void> {
  const refused = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      const settle = (answer: boolean) => () => {
        socket.destroy();
        resolve(answer);
      };
      socket.once("connect", settle(false)).once("error", settle(true));
    });
  while (!(await refused())) await new Promise((resolve) => setTimeout(resolve, 20));
}

test("background work that never ends delays neither the change to not ready, nor the close of the ports, nor the end of a stop", async (t) => {
  // The test waits for the longest time that a stop may take.
  t.timeout(60_000);
  const walletCalled = Promise.withResolvers<void>();
  const never = () => {
    walletCalled.resolve();
    return new Promise(() => {});
  };
  // No caller calls the service, so only its background work reads the transactions.
  const hanging = (real: TransactionStore) =>
    new Proxy(real, { get: (store, name) => (name in store ? never : undefined) });
  const env = { WALLET_TIMEOUT_MS: "1", DRAIN_DELAY_MS: "1000" };
  const service = await startReplica(t, "sqlite::memory:", env, {
    adjust: (container) => container.onActivation(TransactionStore, (_, real) => hanging(real)),
  });
  const admin = adminOf(service);
  await admin.brands.createBrand({ code: "house" });
  await admin.merchants.createMerchant({ code: "casa", currency: "BRL", brand: "house" });
  await walletCalled.promise;
  const { rest, grpc, internalGrpc, internalHttp } = service.ports;
  let over = false;
  const stopped = service.stop().then(() => {
    over = true;
  });
  const ready = await fetch(`http://127.0.0.1:${rest}/health/ready`);
  t.deepEqual(await ready.json(), { status: "not_ready", reasons: ["draining"] });
  t.is(ready.headers.get("connection"), "close", "the client opens its next connection elsewhere");
  await Promise.all([rest, grpc, internalGrpc, internalHttp].map(closed));
  t.false(over, "the round is still given its time");
  await stopped;
});
