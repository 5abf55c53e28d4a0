import test from "ava";
import type { Row } from "../../bench/history/transaction-rows.ts";
import { Effects, faultsOf } from "../../bench/soak/effects.ts";

const row = (more: Partial<Row>): Row => ({
  txId: "BENCH:a",
  merchantId: 1,
  action: "bet",
  status: "success",
  amountMinor: 250,
  ...more,
});

function effects(...all: readonly (readonly [txId: string, minor: number])[]): Effects {
  const made = new Effects();
  for (const [txId, minor] of all) made.add(1, txId, minor);
  return made;
}

test("a success must have its effect, a failure must have none, and a pending debit may have one", async (t) => {
  const found = await effects(["BENCH:a", -250], ["BENCH:b", 100], ["BENCH:d", -250]).compare([
    row({}),
    row({ txId: "BENCH:b", action: "win", amountMinor: 100 }),
    row({ txId: "BENCH:c", status: "failed" }),
    row({ txId: "BENCH:d", status: "pending" }),
  ]);
  t.like(found, { rows: 4, effects: 3, openDebits: 1 });
  t.deepEqual(faultsOf(found), []);
});

test("a doubled, missing or wrong effect, the effect of a failure, an effect without a row, and a pending credit are each found", async (t) => {
  t.is((await effects(["BENCH:a", -250], ["BENCH:a", -250]).compare([row({})])).twice, 1);
  t.is((await effects().compare([row({})])).missing, 1);
  t.is((await effects(["BENCH:a", 250]).compare([row({})])).other, 1);
  t.is((await effects(["BENCH:a", -250]).compare([row({ status: "failed" })])).failedWithEffect, 1);
  t.is((await effects(["BENCH:a", -250]).compare([row({ merchantId: 2 })])).withoutRow, 1);
  const open = await effects().compare([row({ action: "win", status: "pending" })]);
  t.is(open.openCredits, 1);
  t.is(faultsOf(open).length, 1);
});
