import test from "ava";
import { type Answer, type Call, NOTHING_FURTHER } from "../../../certify/provider/aggregator/session.ts";
import { refundsAreRight } from "../../../certify/provider/judge/credits.ts";
import { pausesGrow, withPauses } from "../../../certify/provider/judge/pace.ts";

const call = (method: Call["method"], at: number, answer: Answer, more: Partial<Call> = {}): Call => ({
  method,
  at,
  session: undefined,
  sessionId: "s",
  playerRef: "",
  txId: "b1",
  refTxId: "",
  roundId: "r1",
  amountMinor: 250n,
  currency: "BRL",
  game: "",
  further: NOTHING_FURTHER,
  deadlineMs: 10_000,
  answer,
  answeredAt: at + 10,
  ...more,
});

test("if a bet that has ended is refunded, the finding has the answer that ended the bet, not an earlier or later one", (t) => {
  const lost: Answer = { kind: "none", why: "connection cut" };
  const failed: Answer = { kind: "failed", error: "INSUFFICIENT_FUNDS", txId: "ACME:b1" };
  const calls = [
    call("PlaceBet", 0, lost),
    call("PlaceBet", 300, failed),
    call("PlaceBet", 600, lost),
    call("RefundBet", 900, { kind: "pending", txId: "ACME:f1" }, { txId: "f1", refTxId: "b1" }),
  ];
  t.throws(() => refundsAreRight(calls), { message: /the bet b1 is FAILED: FAILED INSUFFICIENT_FUNDS/ });
});

/** Calls of one transaction. Each pause is the time from an answer to the next call, in ms. */
function repeated(txId: string, ...pauses: readonly number[]): Call[] {
  let at = 0;
  const answer: Answer = { kind: "refused", code: "OVERLOADED", isPlanned: true };
  return [0, ...pauses].map((pause) => {
    const next = call("PayWin", at + pause, answer, { txId });
    at = next.answeredAt ?? at;
    return next;
  });
}

test("pauses that do not grow are reported, unless they are as long as pauses that grow", (t) => {
  const growing = repeated("w1", 220, 440, 880, 1_760);
  const stalled = repeated("w2", 1_800, 1_600, 1_800, 2_200);
  const steady = repeated("w3", 440, 440, 440, 440, 440);
  const judged = (...calls: readonly Call[][]) => pausesGrow(withPauses(calls.flat()));
  const reported = (tx: string) => ({ message: new RegExp(`the pauses of ${tx}: `) });
  t.notThrows(() => judged(growing));
  t.notThrows(() => judged(stalled, growing), "a busy machine has lengthened the first pauses");
  t.throws(() => judged(stalled), reported("w2"), "no other transaction shows that pauses grow");
  t.throws(() => judged(growing, steady), reported("w3"));
  t.throws(() => judged(steady, stalled), reported("w3"));
});
