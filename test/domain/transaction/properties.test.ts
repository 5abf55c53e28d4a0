/** Properties of every row and answer, checked with random rows and answers. */
import test from "ava";
import fc from "fast-check";
import { decideOriginal, decideReversal } from "../../../src/domain/transaction/decide.ts";
import { firstDifference } from "../../../src/domain/transaction/idempotency.ts";
import { resendDelayMs } from "../../../src/domain/transaction/resend.ts";
import { settleOriginal, settleReversal } from "../../../src/domain/transaction/settle.ts";
import type { State, Transaction, WalletAnswer } from "../../../src/domain/transaction/transaction.ts";
import { content, NOW, PAIRS, QUIET_MS, row } from "./rows.ts";

const error = fc.constantFrom("TRANSACTION_NOT_FOUND", "INSUFFICIENT_FUNDS", "PLAYER_BLOCKED", "UNKNOWN");
const states: fc.Arbitrary<State> = fc.oneof(
  fc.constant<State>({ status: "void" }),
  fc.constant<State>({ status: "pending" }),
  fc.record({ status: fc.constant("success" as const), balanceMinor: fc.option(fc.bigInt(0n, 10_000n)) }),
  fc.record({ status: fc.constant("failed" as const), error }),
);
const at = fc.option(fc.integer({ min: NOW - 2 * QUIET_MS, max: NOW + 15_000 }));
const books = fc.record({
  leaseUntil: at,
  silentAt: fc.option(fc.integer({ min: NOW - 2 * QUIET_MS, max: NOW })),
  attempts: fc.integer({ min: 1, max: 40 }),
});
const answers: fc.Arbitrary<WalletAnswer> = fc.oneof(
  fc.record({ kind: fc.constant("accepted" as const), balanceMinor: fc.option(fc.bigInt(0n, 10_000n)) }),
  fc.record({ kind: fc.constant("rejected" as const), error }),
  fc.constant<WalletAnswer>({ kind: "silent" }),
);
const pairs = fc
  .record({
    kind: fc.constantFrom("bet" as const, "win" as const),
    original: states,
    reversal: states,
    originalBooks: books,
    reversalBooks: books,
    marked: fc.boolean(),
  })
  .map(({ kind, original, reversal, originalBooks, reversalBooks, marked }) => ({
    original: row(PAIRS[kind].original, original, {
      ...originalBooks,
      reversedBy: marked ? PAIRS[kind].reversal.txId : null,
    }),
    reversal: row(PAIRS[kind].reversal, reversal, reversalBooks),
  }));
const RESEND = { horizonMs: 72 * 3_600_000, fraction: 0.5, quietPeriodMs: QUIET_MS };

const isLive = (one: Transaction): boolean => one.leaseUntil !== null && one.leaseUntil > one.readAt;

test("a marked bet is never sent again; a success, a row with a call in flight and a rejected debit are never sent again either", (t) => {
  fc.assert(
    fc.property(pairs, fc.boolean(), ({ original, reversal }, isRequest) => {
      const decision = decideOriginal(
        original,
        isRequest ? original : null,
        original.reversedBy === null ? undefined : reversal,
        QUIET_MS,
      );
      if (decision.do !== "call") return;
      t.true(original.status === "pending" || (original.status === "failed" && original.action === "win" && isRequest));
      t.false(isLive(original));
      t.false(original.action === "bet" && original.reversedBy !== null);
    }),
  );
  fc.assert(
    fc.property(pairs, fc.boolean(), ({ original, reversal }, isRequest) => {
      const decision = decideReversal(reversal, isRequest ? reversal : null, original, QUIET_MS);
      if (decision.do !== "call") return;
      t.true(
        reversal.status === "pending" || (reversal.status === "failed" && reversal.action === "refund" && isRequest),
      );
      t.false(isLive(reversal) || isLive(original));
      t.true(decision.quiet || reversal.action === "refund");
    }),
  );
});

test("after the settle of a reversal, no sum counts a reversal without its original", (t) => {
  fc.assert(
    fc.property(pairs, answers, fc.boolean(), ({ original, reversal }, answered, quiet) => {
      const { change, reversed } = settleReversal(
        { ...reversal, status: "pending" } as Transaction,
        original,
        answered,
        quiet,
        NOW,
        RESEND,
      );
      const after = reversed?.state.status ?? original.status;
      if (change.state.status === "success") t.is(after, "success");
      if (original.status === "success") t.is(after, "success");
      if (reversed !== null) t.true(after === "success" || change.state.status === "failed");
      if (reversed?.state.status === "pending") t.deepEqual([original.action, original.status], ["win", "pending"]);
    }),
  );
});

test("after a silent answer a row stays pending, and the service itself resends a win but not a bet", (t) => {
  fc.assert(
    fc.property(pairs, ({ original, reversal }) => {
      const silent = { kind: "silent" } as const;
      for (const settled of [
        settleOriginal(original, silent, NOW, RESEND),
        settleReversal(reversal, original, silent, true, NOW, RESEND),
      ]) {
        t.is(settled.change.state.status, "pending");
        t.true(settled.change.silent);
        t.is(settled.reversed, null);
      }
      t.is(
        typeof settleOriginal(original, silent, NOW, RESEND).change.next,
        original.action === "win" ? "number" : "string",
      );
    }),
  );
});

test("firstDifference is undefined for equal contents, even if they are different objects", (t) => {
  t.is(firstDifference(content(), structuredClone(content())), undefined);
});

test("firstDifference returns the changed field, and the earlier field if two changed", (t) => {
  const fields = [
    ["action", { action: "win" }],
    ["amount", { amountMinor: 1n }],
    ["currency", { currency: "CLP" }],
    ["player_id", { playerId: "Ana" }],
    ["round_id", { roundId: "Round" }],
    ["ref_tx_id", { refTxId: "ACME:x" }],
    ["provider", { game: { ...content().game, provider: "OTHER" } }],
    ["game", { game: { ...content().game, code: "Fruits" } }],
  ] as const;
  fields.forEach(([name, change], i) => {
    t.is(firstDifference(content(), content(change as never)), name);
    for (const [, later] of fields.slice(i + 1, 6))
      t.is(firstDifference(content(), content({ ...(later as object), ...(change as object) })), name);
  });
});

test("resendDelayMs doubles from 1 s to 300 s with at most a tenth of jitter, and is never above 300 s", (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempts, fraction) => {
        const base = Math.min(1_000 * 2 ** (Math.max(attempts, 1) - 1), 300_000);
        const delay = resendDelayMs(attempts, fraction);
        t.true(Number.isInteger(delay) && delay >= base && delay <= Math.min(Math.round(base * 1.1), 300_000));
        t.true(resendDelayMs(1, fraction, 50) >= 50 && resendDelayMs(1, fraction, 50) <= 55);
      },
    ),
  );
});
