import { unseenOriginal } from "../../../src/domain/transaction/reversal.ts";
import { type Content, NEVER, type Transaction } from "../../../src/domain/transaction/transaction.ts";
import type { PlayerId, TxId } from "../../../src/domain/values/identifiers.ts";
import type { ClaimLine, TransactionStore } from "../../../src/ports/transactions/transaction-store.ts";
import { id } from "../content.ts";
import type { On } from "./actions.ts";

/** Marks: a reversal becomes the one reversal of an original. */
export function marks(on: On): void {
  on(
    "a mark makes the reversal pending and due at once, and does not change the reversed row's lease and token",
    async (t, { a, pass }) => {
      const bet = await a.settledBet(a.success(5n));
      const refund = a.line({ txId: id("refund"), action: "refund", refTxId: bet.txId }, "void");
      const { row: voidRow } = await a.claim(refund);
      await pass(5);
      t.true(await a.mark(refund, bet.txId));
      const row = await a.read(refund.content);
      t.like(row, { status: "pending", attempts: 0, leaseToken: refund.token, leaseUntil: null });
      t.is(row.nextAt, row.createdAt);
      t.is(row.openedAt, row.createdAt);
      t.true(row.createdAt > voidRow.createdAt - 1);
      t.deepEqual({ ...(await a.read(bet)), readAt: 0 }, { ...bet, reversedBy: refund.content.txId, readAt: 0 });
    },
  );

  on("a marked refund whose bet is in flight is due when the bet's lease ends", async (t, { a }) => {
    const bet = await a.claim(a.line({}));
    const refund = a.line({ txId: id("refund"), action: "refund", refTxId: id("tx") }, "void");
    await a.claim(refund);
    t.true(await a.mark(refund, id("tx")));
    const stored = await a.read(bet.row);
    t.is((await a.read(refund.content)).nextAt, stored.leaseUntil);
    t.is(stored.leaseToken, bet.row.leaseToken);
    t.true(
      await a.settle(a.settleLine(stored, a.success(1n), stored.leaseToken)),
      "the bet in flight still records its answer",
    );
  });

  on("a marked rollback has no due time", async (t, { a }) => {
    await a.claim(a.line({ txId: id("win"), action: "win" }));
    const rollback = a.line({ txId: id("rollback"), action: "rollback", refTxId: id("win") }, "void");
    await a.claim(rollback);
    t.true(await a.mark(rollback, id("win")));
    t.is((await a.read(rollback.content)).nextAt, NEVER);
  });

  on("a marked void original takes the content of the reversal that marked it", async (t, { a, pass }) => {
    const first = a.line(
      {
        txId: id("refund 1"),
        action: "refund",
        refTxId: id("tx"),
        amountMinor: 1n,
        playerId: "a" as PlayerId,
        roundId: "r1",
      },
      "void",
    );
    const second = a.line(
      {
        txId: id("refund 2"),
        action: "rollback",
        refTxId: id("tx"),
        amountMinor: 2n,
        playerId: "b" as PlayerId,
        roundId: "r2",
      },
      "void",
    );
    const voidLine = a.line({ ...unseenOriginal(first.content) }, "void");
    await a.store.claim([voidLine, first, second]);
    await pass(2);
    t.true(await a.mark(second, id("tx")));
    const original = await a.read(voidLine.content);
    t.like(original, {
      ...unseenOriginal(second.content),
      status: "void",
      reversedBy: id("refund 2"),
      leaseToken: voidLine.token,
    });
    t.false(await a.mark(first, id("tx")), "the mark is taken");
    t.like(await a.read(first.content), { status: "void", attempts: 0 });
  });

  on(
    "a void original and its reversal are created at the time of the mark, however old their rows are, and keep that time when they are settled",
    async (t, { a, pass }) => {
      const refund = a.line({ txId: id("refund"), action: "refund", refTxId: id("tx") }, "void");
      const unseen = a.line(unseenOriginal(refund.content), "void");
      await a.store.claim([refund, unseen]);
      await pass(50);
      const before = await a.now();
      t.true(await a.mark(refund, id("tx")));
      const [marked, original] = [await a.read(refund.content), await a.read(unseen.content)];
      t.true(marked.createdAt >= before);
      t.deepEqual([original.createdAt, original.openedAt], [marked.createdAt, marked.createdAt]);
      await pass(5);
      const taken = (await a.takeOver(marked)) as Transaction;
      t.true(await a.settleBoth({ bet: original, refund: taken }, a.success(9n), "void", a.success(null)));
      const rows = [await a.read(refund.content), await a.read(unseen.content)];
      t.deepEqual(
        rows.map(({ status, createdAt }) => [status, createdAt]),
        [
          ["success", marked.createdAt],
          ["success", marked.createdAt],
        ],
      );
    },
  );

  on(
    "a void row that became a bet since it was read is not marked by a reversal that contradicts the bet",
    async (t, { a }) => {
      const contradictions: Partial<Content>[] = [
        { amountMinor: 251n },
        { playerId: "other" as PlayerId },
        { action: "rollback" },
      ];
      for (const [i, contradiction] of contradictions.entries()) {
        const refund = a.line(
          { txId: id(`refund ${i}`), action: "refund", refTxId: id(`tx ${i}`), ...contradiction },
          "void",
        );
        const voidLine = a.line(unseenOriginal(refund.content), "void");
        await a.store.claim([refund, voidLine]);
        const bet = a.line({ txId: id(`tx ${i}`) }, "leased");
        await a.store.adopt([{ ...bet, seen: voidLine.token }]);
        t.false(await a.mark(refund, id(`tx ${i}`)));
        t.like(await a.read(bet.content), { status: "pending", reversedBy: null });
        t.is((await a.read(refund.content)).status, "void");
      }
    },
  );

  on(
    "of many reversals of one bet, in one batch and in concurrent calls, exactly one gets the mark",
    async (t, { a, stores }) => {
      const bet = await a.settledBet(a.success(5n));
      const refunds = Array.from({ length: 20 }, (_, i) =>
        a.line({ txId: id(`refund ${i}`), action: "refund", refTxId: bet.txId }, "void"),
      );
      await a.store.claim(refunds);
      const line = (refund: ClaimLine) => ({ key: refund.content, seen: refund.token, reversed: bet.txId });
      const outcomes = await Promise.all([
        (stores[0] as TransactionStore).mark(refunds.slice(0, 10).map(line)),
        ...refunds.slice(10).map((refund, i) => (stores[i % stores.length] as TransactionStore).mark([line(refund)])),
      ]);
      t.is(outcomes.flat().filter((won) => won === true).length, 1);
      const rows = (await a.store.read(refunds.map((refund) => refund.content))) as Transaction[];
      const pending = rows.filter((row) => row.status === "pending");
      t.is(pending.length, 1);
      t.is((await a.read(bet)).reversedBy, pending[0]?.txId as TxId);
    },
  );

  on("a rollback that is delivered is due at once", async (t, { a }) => {
    const win = await a.claim(a.line({ txId: id("win"), action: "win" }));
    await a.settle(a.settleLine(win.row, a.success(1n)));
    const rollback = a.line({ txId: id("rollback"), action: "rollback", refTxId: id("win") }, "void");
    await a.claim(rollback);
    const line = { key: rollback.content, seen: rollback.token, reversed: id("win"), deliver: true };
    t.deepEqual(await a.store.mark([line]), [true]);
    const row = await a.read(rollback.content);
    t.is(row.nextAt, row.createdAt);
    const taken = (await a.takeOver(row)) as Transaction;
    t.is(taken.nextAt, row.nextAt, "the due time stays while the attempt runs");
  });

  on(
    "a sealed row is void for ever: it is neither adopted nor marked, and a repeat gets the same result",
    async (t, { a }) => {
      const line = a.line({ txId: id("tx") }, "void");
      await a.claim(line);
      const seal = { key: line.content, seen: line.token, by: id("reverse") };
      t.deepEqual(await a.store.seal([seal]), [true]);
      t.deepEqual(await a.store.seal([seal]), [true]);
      t.deepEqual(await a.store.seal([{ ...seal, by: id("other") }]), [false]);
      const sealed = await a.read(line.content);
      t.like(sealed, { status: "void", action: "bet", reversedBy: id("reverse"), resolvedBy: "sealed" });
      t.deepEqual(await a.store.adopt([{ ...a.line({ txId: id("tx") }), seen: line.token }]), [undefined]);
      const refund = a.line({ txId: id("refund"), action: "refund", refTxId: id("tx") }, "void");
      await a.claim(refund);
      t.false(await a.mark(refund, id("tx")));
      t.false((await a.claim(a.line({ txId: id("tx") }))).mine);
      t.deepEqual({ ...(await a.read(line.content)), readAt: 0 }, { ...sealed, readAt: 0 });
    },
  );

  on("only a void row without a mark is sealed", async (t, { a }) => {
    const { bet } = await a.marked("of it", a.success(5n));
    const pending = a.line({ txId: id("pending") });
    await a.claim(pending);
    t.deepEqual(
      await a.store.seal([
        { key: bet, seen: bet.leaseToken, by: id("reverse") },
        { key: pending.content, seen: pending.token, by: id("reverse") },
        { key: a.line({ txId: id("nothing") }).content, seen: pending.token, by: id("reverse") },
      ]),
      [false, false, false],
    );
    t.is((await a.read(pending.content)).reversedBy, null);
  });

  on(
    "of a seal and an adoption of one void row at the same moment, exactly one is applied",
    async (t, { a, stores }) => {
      for (let i = 0; i < 20; i++) {
        const line = a.line({ txId: id(`tx ${i}`) }, "void");
        await a.claim(line);
        const bet = { ...a.line({ txId: id(`tx ${i}`) }), seen: line.token };
        const [one, other] = [stores[i % stores.length], stores[(i + 1) % stores.length]] as [
          TransactionStore,
          TransactionStore,
        ];
        const [[sealed], [adopted]] = await Promise.all([
          one.seal([{ key: line.content, seen: line.token, by: id("reverse") }]),
          other.adopt([bet]),
        ]);
        t.not(sealed, adopted !== undefined);
        t.is((await a.read(line.content)).status, sealed === true ? "void" : "pending");
      }
    },
  );

  on("a reversal that does not exist, or is no longer void, marks nothing", async (t, { a }) => {
    const bet = await a.settledBet(a.success(5n));
    t.false(await a.mark(a.line({ txId: id("none"), action: "refund", refTxId: bet.txId }, "void"), bet.txId));
    const refund = a.line({ txId: id("refund"), action: "refund", refTxId: bet.txId }, "leased");
    await a.claim(refund);
    t.false(await a.mark(refund, bet.txId));
    t.is((await a.read(bet)).reversedBy, null);
  });
}
