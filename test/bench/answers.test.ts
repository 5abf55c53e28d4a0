import test from "ava";
import type { Row } from "../../bench/history/transaction-rows.ts";
import { Answers, violationsOf } from "../../bench/overload/answers.ts";

const row = (txId: string, status: Row["status"] = "success"): Row => ({
  txId: `BENCH:${txId}`,
  merchantId: 1,
  action: "bet",
  status,
  amountMinor: 100,
});

function answers(...told: readonly (readonly [txId: string, outcome: string])[]): Answers {
  const all = new Answers();
  for (const [txId, outcome] of told) all.add(txId, outcome);
  return all;
}

test("rows whose callers were told a status, timed out or were told to come again are counted, and are no violation", async (t) => {
  const told = answers(
    ["a", "SUCCESS"],
    ["b", "PENDING"],
    ["c", "timed out"],
    ["d", "SERVICE_UNAVAILABLE"],
    ["e", "OVERLOADED"],
  );
  const compared = await told.compare([row("a"), row("b", "pending"), row("c"), row("d")]);
  t.like(compared, { rows: 4, answered: 2, timedOut: 1, unsure: 1 });
  t.deepEqual(violationsOf(compared), []);
});

test("a refused call that has a row, a row nobody asked for, a success that isn't one and an answer without a row are each a violation", async (t) => {
  t.is((await answers(["a", "OVERLOADED"]).compare([row("a")])).refusedWithRow, 1);
  t.is((await answers().compare([row("a")])).unheardOf, 1);
  t.is((await answers(["a", "SUCCESS"]).compare([row("a", "failed")])).contradicted, 1);
  const lost = await answers(["a", "PENDING"]).compare([]);
  t.is(lost.lost, 1);
  t.is(violationsOf(lost).length, 1);
});

test("of a call that was repeated the best answer counts: a refusal after it says nothing about the row", async (t) => {
  const compared = await answers(["a", "PENDING"], ["a", "OVERLOADED"]).compare([row("a")]);
  t.like(compared, { answered: 1, refusedWithRow: 0 });
});
