/**
 * Requests for a transaction that is already in progress on this replica: the answers that they may get and must not
 * get.
 */
import test from "ava";
import type { TransactionStore } from "../../../src/ports/transactions/transaction-store.ts";
import { around } from "../../../testbed/failpoints/around.ts";
import { outcomeText, pause, startEngine } from "../../../testbed/in-process/engine.ts";

/** A store whose answers to reads can be delayed before they reach one replica. */
function heldReads(store: TransactionStore) {
  let gate: Promise<void> | undefined;
  let open = () => {};
  const reads = {
    /** The number of reads whose answers are delayed now. */
    waiting: 0,
    hold(): void {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    release(): void {
      gate = undefined;
      open();
    },
    store: around(store, {
      async read(read, keys) {
        const rows = await read(keys);
        if (gate === undefined) return rows;
        reads.waiting += 1;
        await gate;
        reads.waiting -= 1;
        return rows;
      },
    }),
  };
  return reads;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(5);
}

/** Another replica, whose reads can be delayed. */
function behindGate(engine: Awaited<ReturnType<typeof startEngine>>) {
  const reads = heldReads(engine.store);
  return { reads, transact: engine.replica(reads.store).transact };
}

test("a request that joins a transaction in progress after its row was read gets its answer from a later read", async (t) => {
  const engine = await startEngine();
  t.teardown(() => engine.close());
  const other = behindGate(engine);
  engine.wallet.setFault({ kind: "applied_no_reply" });
  t.is(await engine.request("bet", "b1"), "pending");
  // The wallet does not answer the refund either, so the bet stays pending and marked.
  t.is(await engine.request("refund", "f1", { ref: "b1" }), "pending");
  other.reads.hold();
  const early = engine.ask("bet", "b1", {}, 10_000, other.transact);
  await until(() => other.reads.waiting > 0);
  engine.wallet.setFault({ kind: "none" });
  t.is(await engine.request("refund", "f1", { ref: "b1" }), "success");
  t.is(await engine.request("bet", "b1"), "TRANSACTION_REVERSED");

  const late = engine.ask("bet", "b1", {}, 10_000, other.transact);
  other.reads.release();
  t.is(
    outcomeText(await late),
    "TRANSACTION_REVERSED",
    "the provider has already got this answer from the other replica",
  );
  t.is(outcomeText(await early), "pending", "true while this request was in progress");
});

test("a request that came after the credit was sent again does not get an older rejection that was still being read", async (t) => {
  const engine = await startEngine({ walletTimeoutMs: 5_000 });
  t.teardown(() => engine.close());
  const other = behindGate(engine);
  engine.wallet.setFault({ kind: "slow", ms: 1_000 });
  const first = engine.ask("win", "w1", { player: "eva" }, 10_000);
  await until(() => engine.calls("w1") === 1);
  // This replica reads the row repeatedly until the other replica's call has ended.
  const early = engine.ask("win", "w1", { player: "eva" }, 10_000, other.transact);
  t.is(outcomeText(await first), "failed:PLAYER_NOT_FOUND");
  other.reads.hold();
  await until(() => other.reads.waiting > 0);
  engine.wallet.setFault({ kind: "silent" });
  const again = engine.ask("win", "w1", { player: "eva" }, 10_000);
  await until(() => engine.calls("w1") === 2);

  const late = engine.ask("win", "w1", { player: "eva" }, 1_500, other.transact);
  other.reads.release();
  t.is(outcomeText(await early), "failed:PLAYER_NOT_FOUND");
  t.is(outcomeText(await late), "pending", "the second call may still pay the player");
  engine.wallet.setFault({ kind: "none" });
  await again;
});

test("a credit's request gets pending only after a read that was sent after the request came", async (t) => {
  const engine = await startEngine({ walletTimeoutMs: 5_000 });
  t.teardown(() => engine.close());
  const other = behindGate(engine);
  engine.wallet.setFault({ kind: "slow", ms: 500 });
  const first = engine.ask("win", "w1", { player: "eva" }, 10_000);
  await until(() => engine.store.rows.size === 1);
  other.reads.hold();
  const early = engine.ask("win", "w1", { player: "eva" }, 10_000, other.transact);
  await until(() => other.reads.waiting > 0);
  t.is(outcomeText(await first), "failed:PLAYER_NOT_FOUND");
  t.is(
    outcomeText(await engine.ask("win", "w1", { player: "eva" }, 300, other.transact)),
    "SERVICE_UNAVAILABLE",
    "the service no longer sends this credit again by itself",
  );
  other.reads.release();
  t.is(outcomeText(await early), "failed:PLAYER_NOT_FOUND");
});

test("a repeat of a credit gets pending while this replica's call is in flight", async (t) => {
  const engine = await startEngine({ walletTimeoutMs: 5_000 });
  t.teardown(() => engine.close());
  engine.wallet.setFault({ kind: "slow", ms: 800 });
  const first = engine.ask("win", "w1", {}, 10_000);
  await until(() => engine.calls("w1") === 1);
  t.is(await engine.request("win", "w1", {}, 300), "pending");
  t.is(outcomeText(await first), "success");
  t.is(engine.calls("w1"), 1);
});

test("a repeat of a refund that waits for the call of its bet gets pending, because the refund reads its row again", async (t) => {
  const engine = await startEngine({ walletTimeoutMs: 5_000 });
  t.teardown(() => engine.close());
  engine.wallet.setFault({ kind: "slow", ms: 1_500 });
  const bet = engine.ask("bet", "b1", {}, 10_000);
  await until(() => engine.calls("b1") === 1);
  const refund = engine.ask("refund", "f1", { ref: "b1" }, 10_000);
  await until(() => engine.store.rows.size === 2);
  await pause(50);
  t.is(await engine.request("refund", "f1", { ref: "b1" }, 300), "pending");
  t.is(await engine.request("refund", "f1", { ref: "b1" }, 300), "pending");
  t.is(outcomeText(await bet), "success");
  t.is(outcomeText(await refund), "success");
  t.is(engine.calls("f1"), 1);
});
