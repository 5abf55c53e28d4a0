import test from "ava";
import fc from "fast-check";
import { ok, refuse } from "../../../src/domain/errors.ts";
import {
  type BetRows,
  failedAt,
  failureOf,
  isSent,
  refundIdOf,
  reportOf,
  running,
  type SlipBet,
  type SlipRow,
  slipDifference,
  slipFaults,
  toRefund,
} from "../../../src/domain/transaction/betslip.ts";
import type { Answer } from "../../../src/domain/transaction/transaction.ts";
import { isOwnTxId, type TxId } from "../../../src/domain/values/identifiers.ts";

const bet = (txId: string, more: Partial<SlipBet> = {}): SlipBet => ({
  txId,
  roundId: `round-${txId}`,
  amountMinor: 100n,
  ...more,
});
const bets = (...amounts: number[]): SlipBet[] =>
  amounts.map((amount, i) => bet(`b${i + 1}`, { amountMinor: BigInt(amount) }));
const faultsOf = (slipId: string, of: readonly SlipBet[]) =>
  slipFaults(slipId, of).map(({ field, rule }) => `${field}: ${rule}`);
const txId = "SPORTSBOOK:b" as TxId;
const success = (balanceMinor: bigint | null, updatedAt = 0): SlipRow => ({
  status: "success",
  balanceMinor,
  updatedAt,
});
const NONE: BetRows = { bet: undefined, refund: undefined };

test("a slip has 1 to 50 bets with unique ids of 1 to 88 bytes; all faults are listed at once", (t) => {
  t.deepEqual(faultsOf("s".repeat(88), [bet("b".repeat(88)), bet("é".repeat(44))]), []);
  t.deepEqual(faultsOf("s", []), ["bets: 1..50 bets"]);
  t.deepEqual(
    faultsOf(
      "",
      Array.from({ length: 51 }, (_, i) => bet(`b${i}`)),
    ),
    ["slip_id: 1..88 bytes", "bets: 1..50 bets"],
  );
  t.deepEqual(
    faultsOf("s".repeat(89), [
      bet("é".repeat(45)),
      bet("a"),
      bet("a", { roundId: "" }),
      bet("refund~a"),
      bet("x\n", { roundId: "r" }),
    ]),
    [
      "slip_id: 1..88 bytes",
      "bets[0].tx_id: 1..88 bytes",
      "bets[2].tx_id: unique within the slip",
      "bets[2].round_id: 1..128 bytes",
      "bets[3].tx_id: does not begin with refund~",
      "bets[4].tx_id: 1..88 bytes",
    ],
  );
  t.deepEqual(faultsOf("s", [bet("A"), bet("a"), bet("Refund~a"), bet("refund")]), []);
});

test("the id of the refund of a bet with the longest id is still a valid transaction id", (t) => {
  t.is(refundIdOf("b1"), "refund~b1");
  t.true(isOwnTxId(refundIdOf("b".repeat(88))));
});

test("two slips are the same if they have the same bets in the same order; the first different field is returned", (t) => {
  const slip = [bet("a"), bet("b")];
  t.is(slipDifference(slip, [bet("a"), bet("b")]), undefined);
  t.is(slipDifference(slip, [bet("a")]), "bets");
  t.is(slipDifference(slip, [bet("b"), bet("a")]), "bets[0].tx_id");
  t.is(slipDifference(slip, [bet("a"), bet("b", { roundId: "r" })]), "bets[1].round_id");
  t.is(slipDifference(slip, [bet("a"), bet("b", { amountMinor: 101n })]), "bets[1].amount_minor");
});

test("only a debited bet lets the slip go on; OVERLOADED proves that nothing was debited, unless another process had the slip", (t) => {
  const of = (answer: Answer) => ok(answer);
  t.is(failureOf(of({ status: "success", txId, balanceMinor: 1n }), true), undefined);
  t.deepEqual(failureOf(of({ status: "failed", txId, error: "INSUFFICIENT_FUNDS" }), true), {
    kind: "refused",
    error: "INSUFFICIENT_FUNDS",
  });
  t.deepEqual(failureOf(of({ status: "pending", txId }), true), { kind: "silent" });
  t.deepEqual(failureOf(refuse("OVERLOADED"), true), { kind: "refused", error: "OVERLOADED" });
  t.deepEqual(failureOf(refuse("OVERLOADED"), false), { kind: "silent" });
  t.deepEqual(failureOf(refuse("TRANSACTION_MISMATCH"), false), { kind: "refused", error: "TRANSACTION_MISMATCH" });
});

test("a failed slip refunds its debited bets and the silent bet, but no free bet", (t) => {
  const slip = bets(100, 0, 300, 400);
  const refunded = (at: number, kind: "silent" | "refused") => {
    const failed = failedAt(slip, at, kind === "silent" ? { kind } : { kind, error: "X" });
    return [failed.refunding, ...toRefund(slip, failed).map((one) => one.txId)];
  };
  t.deepEqual(refunded(0, "refused"), [false]);
  t.deepEqual(refunded(0, "silent"), [true, "b1"]);
  t.deepEqual(refunded(2, "refused"), [true, "b1"]);
  t.deepEqual(refunded(3, "silent"), [true, "b1", "b3", "b4"]);
});

test("an accepted slip reports the last balance; a running slip reports no balance yet", (t) => {
  const slip = bets(100, 200);
  t.deepEqual(running(slip), reportOf(slip, { status: "running" }, [NONE, NONE]));
  t.like(reportOf(slip, { status: "running" }, [NONE, NONE]), { status: "pending", balanceMinor: null });
  const rows = [
    { bet: success(900n, 1), refund: undefined },
    { bet: success(700n, 1), refund: { ...success(900n, 9), own: "mine" } },
  ];
  t.deepEqual(reportOf(slip, { status: "accepted" }, rows), {
    status: "success",
    balanceMinor: 700n,
    bets: [
      { txId: "b1", status: "success", error: "", refund: null },
      { txId: "b2", status: "success", error: "", refund: null },
    ],
  });
});

test("a failed slip reports the result of each bet and the state of each refund", (t) => {
  const slip = bets(100, 0, 300, 400);
  const failed = failedAt(slip, 2, { kind: "refused", error: "PLAYER_BLOCKED" });
  const refund = { ...success(1_000n, 7), own: "refund~b1" };
  t.deepEqual(
    reportOf(slip, failed, [
      { bet: success(900n, 3), refund },
      NONE,
      { bet: { status: "failed", error: "PLAYER_BLOCKED", updatedAt: 5 }, refund: undefined },
      NONE,
    ]),
    {
      status: "failed",
      balanceMinor: 1_000n,
      bets: [
        { txId: "b1", status: "success", error: "", refund: { txId: "refund~b1", status: "success" } },
        { txId: "b2", status: "success", error: "", refund: null },
        { txId: "b3", status: "failed", error: "PLAYER_BLOCKED", refund: null },
        { txId: "b4", status: "failed", error: "NOT_SENT", refund: null },
      ],
    },
  );
});

test("the silent bet is reported as pending until its refund is answered, then as the wallet's answer shows", (t) => {
  const slip = bets(100);
  const textOf = (row: SlipRow | undefined, refund?: SlipRow) => {
    const rows = [{ bet: row, refund: refund && { ...refund, own: "refund~b1" } }];
    const [{ status, error, refund: back } = { status: "", error: "", refund: null }] = reportOf(
      slip,
      failedAt(slip, 0, { kind: "silent" }),
      rows,
    ).bets;
    return [status, error, back?.status ?? "none"].join(" ");
  };
  const pending: SlipRow = { status: "pending", updatedAt: 0 };
  const notFound: SlipRow = { status: "failed", error: "TRANSACTION_NOT_FOUND", updatedAt: 0 };
  t.is(textOf(pending, pending), "pending  pending");
  t.is(textOf(success(null), success(5n)), "success  success");
  t.is(textOf(notFound, notFound), "failed TRANSACTION_NOT_FOUND failed");
  t.is(textOf({ status: "void", updatedAt: 0 }, pending), "pending  pending");
  t.is(textOf({ status: "void", updatedAt: 0 }, notFound), "failed NOT_SENT failed");
  t.is(textOf(undefined), "failed NOT_SENT none");
});

/** The ways in which a wallet may treat one bet. */
const OUTCOMES = ["accepted", "rejected", "taken, no answer", "lost, no answer", "refused"] as const;
const answers: Record<(typeof OUTCOMES)[number], ReturnType<typeof refuse> | ReturnType<typeof ok<Answer>>> = {
  accepted: ok({ status: "success", txId, balanceMinor: 0n }),
  rejected: ok({ status: "failed", txId, error: "X" }),
  "taken, no answer": ok({ status: "pending", txId }),
  "lost, no answer": ok({ status: "pending", txId }),
  refused: refuse("OVERLOADED"),
};

test("whatever the wallet does with each bet, either all bets are debited or every debited bet is refunded, and the report shows this", (t) => {
  const slips = fc.array(fc.record({ amountMinor: fc.bigInt(0n, 3n), outcome: fc.constantFrom(...OUTCOMES) }), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(slips, fc.boolean(), (of, sole) => {
      const slip = of.map(({ amountMinor }, i) => bet(`b${i}`, { amountMinor }));
      const taken = new Set<SlipBet>();
      let failed: ReturnType<typeof failedAt> | undefined;
      for (const [at, one] of slip.entries()) {
        if (!isSent(one)) continue;
        const { outcome } = of[at] as (typeof of)[number];
        if (outcome === "accepted" || outcome === "taken, no answer") taken.add(one);
        const why = failureOf(answers[outcome], sole);
        if (why === undefined) continue;
        failed = failedAt(slip, at, why);
        break;
      }
      const rows = slip.map((one): BetRows => ({ bet: taken.has(one) ? success(1n) : undefined, refund: undefined }));
      const report = reportOf(slip, failed ?? { status: "accepted" }, rows);
      t.deepEqual(
        report.bets.map((one) => one.txId),
        slip.map((one) => one.txId),
      );
      if (failed === undefined) {
        t.is(report.status, "success");
        t.deepEqual(taken, new Set(slip.filter(isSent)));
      } else {
        t.is(report.status, "failed");
        for (const one of toRefund(slip, failed)) taken.delete(one);
        t.is(taken.size, 0);
      }
    }),
    { numRuns: 500 },
  );
});
