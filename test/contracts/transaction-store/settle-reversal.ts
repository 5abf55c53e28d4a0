import { NEVER, type RowChange, type Transaction } from "../../../src/domain/transaction/transaction.ts";
import type { SettleLine, TransactionStore } from "../../../src/ports/transactions/transaction-store.ts";
import { id } from "../content.ts";
import type { On } from "./actions.ts";

/** The end of a reversal's attempt, which changes both rows or no row. */
export function settlesOfReversals(on: On): void {
  on(
    "a reversal's settle changes its own row, and the reversed row only if it contains a change for it",
    async (t, { a }) => {
      const kept = await a.marked("kept", a.success(5n));
      t.true(await a.settleBoth(kept, a.success(9n), "success", null));
      t.like(await a.read(kept.refund), { status: "success", balanceMinor: 9n, leaseUntil: null });
      t.deepEqual({ ...(await a.read(kept.bet)), readAt: 0 }, { ...kept.bet, readAt: 0 });

      const both = await a.marked("both", a.silent("never"));
      t.true(
        await a.settleBoth(both, a.success(9n), "pending", {
          ...a.success(null),
          resolvedBy: `refund:${both.refund.txId}`,
        }),
      );
      t.like(await a.read(both.bet), {
        status: "success",
        balanceMinor: null,
        resolvedBy: `refund:${both.refund.txId}`,
        nextAt: null,
        leaseToken: both.bet.leaseToken,
        silentAt: both.bet.silentAt,
      });

      const failed = await a.marked("failed", a.silent("never"));
      t.true(
        await a.settleBoth(failed, a.failed("TRANSACTION_NOT_FOUND"), "pending", {
          ...a.failed("TRANSACTION_NOT_FOUND"),
          resolvedBy: `refund:${failed.refund.txId}`,
        }),
      );
      t.like(await a.read(failed.refund), { status: "failed", error: "TRANSACTION_NOT_FOUND" });
      t.like(await a.read(failed.bet), {
        status: "failed",
        error: "TRANSACTION_NOT_FOUND",
        resolvedBy: `refund:${failed.refund.txId}`,
      });
    },
  );

  on(
    "a failed reversal can set when the pending row that it held is due, and changes nothing else of that row",
    async (t, { a, pass }) => {
      for (const [own, next] of Object.entries({ now: 0, soon: 30_000, never: "never" as const })) {
        const pair = await a.marked(own, a.silent(60_000));
        await pass(2);
        const held: RowChange = { ...a.silent(next), silent: false };
        t.true(await a.settleBoth(pair, a.failed("LIMIT"), "pending", held));
        const [bet, refund] = [await a.read(pair.bet), await a.read(pair.refund)];
        t.like(refund, { status: "failed", error: "LIMIT", nextAt: null });
        t.is(bet.nextAt, next === "never" ? NEVER : refund.updatedAt + next);
        t.is(bet.updatedAt, refund.updatedAt);
        t.deepEqual(
          { ...bet, nextAt: 0, updatedAt: 0, readAt: 0 },
          { ...pair.bet, nextAt: 0, updatedAt: 0, readAt: 0 },
        );
        const due = (await a.store.due([bet.merchantId], 10)).some(({ txId }) => txId === bet.txId);
        t.is(due, next === 0);
        t.true(await a.settleBoth(pair, a.failed("LIMIT"), "pending", held), "and again answers the same");
      }
    },
  );

  on("a failed original whose reversal is accepted keeps the error of its rejection", async (t, { a }) => {
    const pair = await a.marked("x", a.failed("INSUFFICIENT_FUNDS"));
    t.true(
      await a.settleBoth(
        pair,
        a.success(9n),
        "failed",
        a.change({ status: "success", balanceMinor: null, rejected: "INSUFFICIENT_FUNDS" }),
      ),
    );
    t.like(await a.read(pair.bet), { status: "success", balanceMinor: null, rejected: "INSUFFICIENT_FUNDS" });
  });

  on(
    "a reversal's settle does not apply when the reversed row has changed since it was seen: neither row changes",
    async (t, { a }) => {
      const pair = await a.marked("x", a.success(5n));
      for (const change of [null, a.failed("TRANSACTION_NOT_FOUND")]) {
        t.false(await a.settleBoth(pair, a.success(9n), "pending", change));
        t.deepEqual({ ...(await a.read(pair.refund)), readAt: 0 }, { ...pair.refund, readAt: 0 });
        t.deepEqual({ ...(await a.read(pair.bet)), readAt: 0 }, { ...pair.bet, readAt: 0 });
      }
      t.true(await a.settleBoth(pair, a.success(9n), "success", null), "judged anew, it applies");
      t.true(await a.settleBoth(pair, a.success(9n), "success", null), "and again answers the same");
    },
  );

  on(
    "an expired lease of the reversed row counts as an unanswered attempt, and the row gets the reversal's token",
    async (t, { a, pass }) => {
      const bet = a.line({ txId: id("bet") }, "leased", 20);
      const { row } = await a.claim(bet);
      const refund = a.line({ txId: id("refund"), action: "refund", refTxId: id("bet") }, "void");
      await a.claim(refund);
      await a.mark(refund, id("bet"));
      await pass(30);
      const stored = await a.read(row);
      const taken = (await a.takeOver(await a.read(refund.content))) as Transaction;
      t.true(
        await a.settleBoth(
          { bet: stored, refund: taken },
          a.failed("TRANSACTION_NOT_FOUND"),
          "pending",
          a.failed("TRANSACTION_NOT_FOUND"),
        ),
      );
      t.like(await a.read(bet.content), {
        status: "failed",
        leaseUntil: null,
        silentAt: stored.leaseUntil,
        leaseToken: taken.leaseToken,
      });
      t.false(
        await a.settle(a.settleLine(bet.content, a.success(1n), bet.token)),
        "the dead attempt's late settle is not taken for applied",
      );
    },
  );

  on(
    "if a bet's late settle and its refund's settle come at the same time, exactly one of the two applies",
    async (t, { a, stores, pass }) => {
      const pairs = await Promise.all(
        Array.from({ length: 40 }, async (_, i) => {
          const bet = a.line({ txId: id(`bet ${i}`) }, "leased", 1);
          await a.claim(bet);
          const refund = a.line({ txId: id(`a refund ${i}`), action: "refund", refTxId: bet.content.txId }, "void");
          await a.claim(refund);
          await a.mark(refund, bet.content.txId);
          return { bet, refund };
        }),
      );
      await pass(20);
      await Promise.all(
        pairs.map(async ({ bet, refund }, i) => {
          const store = stores[i % stores.length] as TransactionStore;
          const taken = (await a.takeOver(await a.read(refund.content))) as Transaction;
          const reversal: SettleLine = {
            ...a.settleLine(taken, a.failed("TRANSACTION_NOT_FOUND"), taken.leaseToken),
            reversed: { txId: bet.content.txId, seen: "pending", change: a.failed("TRANSACTION_NOT_FOUND") },
          };
          const answer = a.settleLine(bet.content, a.success(1n), bet.token);
          const [first, second] =
            i % 3 === 0
              ? await store.settle([reversal, answer])
              : (await Promise.all([store.settle([reversal]), a.store.settle([answer])])).flat();
          t.deepEqual([first, second].sort(), [false, true], "exactly one of the two applies");
          const [b, r] = [await a.read(bet.content), await a.read(refund.content)];
          t.deepEqual([b.status, r.status], first === true ? ["failed", "failed"] : ["success", "pending"]);
        }),
      );
    },
  );
}
