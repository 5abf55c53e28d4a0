import test, { type ExecutionContext } from "ava";
import { startMoney } from "../transaction/money.ts";

/** A provider that has ended a round. Its first end has waited until every replica knows of it. */
async function started(t: ExecutionContext) {
  const money = await startMoney();
  t.teardown(money.close);
  const { move, engine, settings } = money;
  t.is(await move({ action: "bet", txId: "first", roundId: "first", roundEnded: true }), "success");
  const key = { merchantId: engine.target.merchantId, providerId: settings.provider("ACME")?.id ?? 0 };
  const endedAt = async (roundId: string) => (await engine.store.rounds.read({ ...key, roundId }))?.endedAt ?? null;
  return { ...money, isEnded: async (roundId = "r1") => (await endedAt(roundId)) !== null };
}

test("a bet in an ended round is refused, and everything else is answered as before", async (t) => {
  const { move, engine, isEnded } = await started(t);
  t.is(await move({ action: "bet", txId: "b1" }), "success");
  t.false(await isEnded());
  t.is(await move({ action: "win", txId: "w1", roundEnded: true }), "success");
  t.true(await isEnded());
  for (const txId of ["b2", "b2", "b3"]) t.is(await move({ action: "bet", txId }), "ROUND_ENDED round_id");
  t.is(await move({ action: "bet", txId: "b4", amountMinor: 0n }), "ROUND_ENDED round_id");
  t.deepEqual([engine.calls("b2"), await engine.row("b2")], [0, undefined], "nothing was recorded or sent");
  t.is(await move({ action: "bet", txId: "b1" }), "success", "a known bet");
  t.is(await move({ action: "bet", txId: "b1", roundId: "r2" }), "TRANSACTION_MISMATCH round_id");
  t.is(await move({ action: "win", txId: "w2" }), "success");
  t.is(await move({ action: "refund", txId: "f1", refTxId: "b1" }), "success");
  t.is(await move({ action: "rollback", txId: "k1", refTxId: "w2" }), "success");
  t.is(await move({ action: "bet", txId: "b5", kind: "adjustment" }), "success", "an adjustment");
  t.is(await move({ action: "bet", txId: "b6", roundId: "r2" }), "success", "another round");
});

test("a bet whose row is void is refused in an ended round, too", async (t) => {
  const { move, engine } = await started(t);
  const { rows } = engine.store;
  t.is(await move({ action: "refund", txId: "f1", refTxId: "b1" }), "failed:TRANSACTION_NOT_FOUND");
  // A reversal that never began has left the bet's row without a mark.
  for (const [name, row] of rows)
    if (name.endsWith("b1"))
      rows.set(name, {
        ...row,
        transaction: { ...row.transaction, status: "void", reversedBy: null, action: "bet" } as never,
      });
  t.is(await move({ action: "win", txId: "w1", amountMinor: 0n, roundEnded: true }), "success");
  t.is(await move({ action: "bet", txId: "b1" }), "ROUND_ENDED round_id");
  t.is((await engine.row("b1"))?.status, "void");
});

test("a win of 0 ends its round; a failed or pending bet or win does not", async (t) => {
  const { move, engine, isEnded } = await started(t);
  engine.wallet.setFault({ kind: "rejected" });
  t.is(await move({ action: "bet", txId: "b1", roundEnded: true }), "failed:REJECTED");
  t.is(await move({ action: "win", txId: "w1", roundEnded: true }), "failed:REJECTED");
  t.false(await isEnded());
  engine.wallet.setFault({ kind: "silent" });
  t.is(await move({ action: "bet", txId: "b2", roundEnded: true }), "pending");
  t.false(await isEnded());
  engine.wallet.setFault({ kind: "none" });
  t.is(await move({ action: "bet", txId: "b2", roundEnded: true }), "success", "the repeat ends it");
  t.true(await isEnded());
  t.is(await move({ action: "win", txId: "w2", roundId: "r2", amountMinor: 0n, roundEnded: true }), "success");
  t.true(await isEnded("r2"));
});

test("round_ended is no content: a repeat may have it or not, and the row keeps the first value", async (t) => {
  const { move, engine, isEnded } = await started(t);
  t.is(await move({ action: "win", txId: "w1" }), "success");
  t.is(await move({ action: "win", txId: "w1", roundEnded: true }), "success");
  t.true(await isEnded());
  t.is((await engine.row("w1"))?.roundEnded, undefined);
  t.is(await move({ action: "win", txId: "w2", roundId: "r2", roundEnded: true }), "success");
  t.is(await move({ action: "win", txId: "w2", roundId: "r2" }), "success");
  t.true((await engine.row("w2"))?.roundEnded);
});

test("a bet costs one statement more for a provider only if its round is over, and none if it never ends one", async (t) => {
  const money = await startMoney();
  t.teardown(money.close);
  const { engine, move } = money;
  const seen: string[] = [];
  const { store } = engine;
  for (const name of ["read", "claim", "adopt", "settle"] as const) {
    const own = store[name].bind(store) as (lines: readonly { unlessEnded?: boolean }[]) => Promise<never>;
    store[name] = ((lines: readonly { unlessEnded?: boolean }[]) => {
      seen.push(lines[0]?.unlessEnded === true ? `${name} in round` : name);
      return own(lines);
    }) as never;
  }
  for (const name of ["read", "end"] as const) {
    const own = store.rounds[name].bind(store.rounds) as (argument: never) => Promise<never>;
    store.rounds[name] = ((argument: never) => {
      seen.push(`round ${name}`);
      return own(argument);
    }) as never;
  }
  const statements = async (request: Parameters<typeof move>[0]) => {
    seen.length = 0;
    await move(request);
    return seen.join(", ");
  };
  t.is(await statements({ action: "bet", txId: "b1" }), "claim, settle");
  t.is(await statements({ action: "win", txId: "w1", roundEnded: true }), "claim, settle, round end");
  t.is(await statements({ action: "bet", txId: "b2", roundId: "r2" }), "claim in round, settle");
  t.is(await statements({ action: "win", txId: "w2", roundId: "r2" }), "claim, settle");
  t.is(await statements({ action: "bet", txId: "b3" }), "claim in round");
});
