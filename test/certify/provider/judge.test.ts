import test from "ava";
import type { Answer, Call } from "../../../certify/provider/aggregator/session.ts";
import { refundsAreRight } from "../../../certify/provider/judge/credits.ts";

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
