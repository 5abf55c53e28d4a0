/** Behaviour that needs two replicas on the same rows. */
import test from "ava";
import { outcomeText, pause, startEngine } from "../../../testbed/in-process/engine.ts";

test("copies of a request at two replicas make one call even if the wallet is silent, and both get pending", async (t) => {
  const engine = await startEngine({ walletTimeoutMs: 800 });
  const other = engine.replica().transact;
  engine.wallet.setFault({ kind: "silent" });
  for (const action of ["bet", "win"] as const) {
    const copies = [engine.ask(action, action), engine.ask(action, action, {}, 5_000, other)];
    t.deepEqual((await Promise.all(copies)).map(outcomeText), ["pending", "pending"]);
    t.is(engine.calls(action), 1);
  }
  await engine.close();
});

test("copies of a rejected win at two replicas make one call; a later repeat calls the wallet again", async (t) => {
  const engine = await startEngine();
  const other = engine.replica().transact;
  engine.wallet.setFault({ kind: "rejected" });
  const copies = [engine.ask("win", "w1"), engine.ask("win", "w1", {}, 5_000, other)];
  t.deepEqual((await Promise.all(copies)).map(outcomeText), ["failed:REJECTED", "failed:REJECTED"]);
  t.is(engine.calls("w1"), 1);
  engine.wallet.setFault({ kind: "none" });
  t.is(outcomeText(await engine.ask("win", "w1", {}, 5_000, other)), "success");
  await engine.close();
});

test("a refund that another replica wrote first waits for the bet's call, even if this replica read the bet before it", async (t) => {
  const engine = await startEngine({ walletTimeoutMs: 3_000, quietPeriodMs: 0 });
  const other = engine.replica().transact;
  engine.wallet.setFault({ kind: "reset" });
  t.is(await engine.request("bet", "b1"), "pending");
  engine.wallet.setFault({ kind: "applied_late", ms: 400 });
  const meanwhile: Promise<unknown>[] = [];
  const claim = engine.store.claim.bind(engine.store);
  engine.store.claim = async (lines) => {
    // This replica has read the bet, and will write the refund next. At this moment the bet is repeated, and the other
    // replica writes the refund first.
    engine.store.claim = claim;
    meanwhile.push(engine.ask("bet", "b1", {}, 5_000, other));
    while ((await engine.row("b1"))?.attempts !== 2) await pause(5);
    // The bet's request has reached the wallet, which applies it late. It applies later requests at once.
    await pause(50);
    engine.wallet.setFault({ kind: "none" });
    meanwhile.push(engine.ask("refund", "f1", { ref: "b1" }, 5_000, other));
    while ((await engine.row("f1"))?.status !== "pending") await pause(5);
    return claim(lines);
  };
  t.is(outcomeText(await engine.ask("refund", "f1", { ref: "b1" })), "success");
  await Promise.all(meanwhile);
  t.is(engine.calls("f1"), 1);
  t.is(engine.balance(), 10_000n);
  t.like(await engine.row("b1"), { status: "success", resolvedBy: "resend" });
  await engine.close();
});

test("a process that records its result too late answers with the stored result, not with the reply that it got from the wallet", async (t) => {
  const engine = await startEngine();
  const { settle } = engine.store;
  engine.store.settle = async (lines) => {
    engine.store.settle = settle;
    // The lease ended meanwhile, and another process got a rejection.
    const [key] = engine.store.rows.keys();
    const row = engine.store.rows.get(key ?? "");
    if (key !== undefined && row !== undefined) {
      const { balanceMinor: _, ...pending } = { balanceMinor: null, ...row.transaction };
      engine.store.rows.set(key, {
        ...row,
        transaction: {
          ...pending,
          leaseToken: "another's",
          leaseUntil: null,
          status: "failed",
          error: "PLAYER_BLOCKED",
        },
      });
    }
    return settle.call(engine.store, lines);
  };
  t.is(await engine.request("bet", "b1"), "failed:PLAYER_BLOCKED");
  await engine.close();
});
