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

function answers(...outcomes: readonly (readonly [txId: string, outcome: string])[]): Answers {
  const all = new Answers();
  for (const [txId, outcome] of outcomes) all.add(txId, outcome);
  return all;
}

test("rows with an answer, a time-out or a refusal are counted, and none of them is a violation", async (t) => {
  const recorded = answers(
    ["a", "SUCCESS"],
    ["b", "PENDING"],
    ["c", "timed out"],
    ["d", "SERVICE_UNAVAILABLE"],
    ["e", "OVERLOADED"],
  );
  const compared = await recorded.compare([row("a"), row("b", "pending"), row("c"), row("d")]);
  t.like(compared, { rows: 4, answered: 2, timedOut: 1, unsure: 1 });
  t.deepEqual(violationsOf(compared), []);
});

test("a refused call with a row, an unrequested row, a false success and an answer without a row are each a violation", async (t) => {
  t.is((await answers(["a", "OVERLOADED"]).compare([row("a")])).refusedWithRow, 1);
  t.is((await answers().compare([row("a")])).unrequested, 1);
  t.is((await answers(["a", "SUCCESS"]).compare([row("a", "failed")])).contradicted, 1);
  const lost = await answers(["a", "PENDING"]).compare([]);
  t.is(lost.lost, 1);
  t.is(violationsOf(lost).length, 1);
});

test("a call that was accepted and later refused counts as accepted, so its row is not a violation", async (t) => {
  const compared = await answers(["a", "PENDING"], ["a", "OVERLOADED"]).compare([row("a")]);
  t.like(compared, { answered: 1, refusedWithRow: 0 });
});
