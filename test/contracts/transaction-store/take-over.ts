import type { Transaction } from "../../../src/domain/transaction/transaction.ts";
import type { PlayerId } from "../../../src/domain/values/identifiers.ts";
import type { TransactionStore } from "../../../src/ports/transactions/transaction-store.ts";
import { id } from "../content.ts";
import { Actions, LEASE_MS, type On, token } from "./actions.ts";

/** Take-overs of unanswered rows, and adoptions of void rows. */
export function takeOvers(on: On): void {
  on("a take-over of a silent row counts the attempt, keeps the due time, and returns the row", async (t, { a }) => {
    const line = a.line({ action: "win" });
    await a.claim(line);
    await a.settle(a.settleLine(line.content, a.silent(50_000), line.token));
    const was = await a.read(line.content);
    t.true(was.silentAt !== null && was.nextAt !== null && was.leaseUntil === null);
    const next = token();
    const row = await a.takeOver(was, next);
    t.like(row, {
      status: "pending",
      attempts: 2,
      leaseToken: next,
      silentAt: was.silentAt,
      nextAt: was.nextAt,
      openedAt: was.openedAt,
    });
    t.true((row?.leaseUntil ?? 0) - (row?.readAt ?? 0) > LEASE_MS - 5_000);
  });

  on(
    "a take-over is not applied when the row has a live lease, or another token, status or mark than seen",
    async (t, { a, pass }) => {
      const { row: live } = await a.claim(a.line({ txId: id("live") }));
      t.is(await a.takeOver(live), undefined, "live lease");
      const { row } = await a.claim(a.line({}, "leased", 1));
      await pass(10);
      t.is(await a.takeOver({ ...row, leaseToken: token() }), undefined, "another token");
      t.is(await a.takeOver({ ...row, status: "failed", error: "X" } as Transaction), undefined, "another status");
      t.is(await a.takeOver({ ...row, reversedBy: id("refund") }), undefined, "a mark that isn't there");
      t.is(await a.takeOver({ ...row, txId: id("none") }), undefined, "no row");
      t.not(await a.takeOver(row), undefined, "as it is");
      t.is(await a.takeOver(row), undefined, "its token is spent");
    },
  );

  on("a take-over is not applied when the row was marked since it was read", async (t, { a }) => {
    const bet = a.line({});
    const { row } = await a.claim(bet);
    await a.settle(a.settleLine(bet.content, a.silent("never"), bet.token));
    const refund = a.line({ txId: id("refund"), action: "refund", refTxId: bet.content.txId }, "void");
    await a.claim(refund);
    t.true(await a.mark(refund, bet.content.txId));
    t.is(await a.takeOver(row), undefined);
    t.not(await a.takeOver({ ...row, reversedBy: refund.content.txId }), undefined);
  });

  on(
    "after a take-over from a dead process the earlier attempt counts as unanswered since the end of its lease",
    async (t, { a, pass }) => {
      const { row } = await a.claim(a.line({}, "leased", 20));
      await pass(30);
      const stored = await a.read(row);
      const taken = await a.takeOver(row);
      t.like(taken, { attempts: 2, silentAt: stored.leaseUntil });
    },
  );

  on("a take-over keeps the time of a silence that was recorded after the end of the lease", async (t, { a, pass }) => {
    const line = a.line({ action: "win" }, "leased", 20);
    const { row } = await a.claim(line);
    await pass(40);
    // The settle is late, but the row still has the attempt's token, so the settle is applied.
    t.true(await a.settle(a.settleLine(row, a.silent(0), line.token)));
    const silent = await a.read(row);
    const taken = await a.takeOver(silent, token());
    t.is(taken?.silentAt, silent.silentAt);
    t.true((silent.silentAt ?? 0) >= (row.leaseUntil ?? 0));
  });

  on(
    "a take-over of a failed credit makes it pending again, without its error and with a new opening time",
    async (t, { a, pass }) => {
      const line = a.line({ action: "win" });
      await a.claim(line);
      await a.settle(a.settleLine(line.content, a.failed("PLAYER_BLOCKED"), line.token));
      const failed = await a.read(line.content);
      t.like(failed, { status: "failed", error: "PLAYER_BLOCKED", nextAt: null, leaseUntil: null });
      await pass(5);
      const row = await a.takeOver(failed);
      t.like(row, { status: "pending", attempts: 2, nextAt: null, createdAt: failed.createdAt });
      t.false(row !== undefined && "error" in row);
      t.true((row?.openedAt ?? 0) > failed.openedAt);
    },
  );

  on("neither a success nor a void row is taken over", async (t, { a }) => {
    const bet = a.line({});
    await a.claim(bet);
    await a.settle(a.settleLine(bet.content, a.success(1n), bet.token));
    t.is(await a.takeOver(await a.read(bet.content)), undefined);
    const { row } = await a.claim(a.line({ txId: id("v") }, "void"));
    t.is(await a.takeOver(row), undefined);
  });

  on("of many concurrent take-overs of a row exactly one succeeds", async (t, { a, stores, pass }) => {
    const { row } = await a.claim(a.line({}, "leased", 1));
    await pass(10);
    const taken = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        new Actions(stores[i % stores.length] as TransactionStore, a.setup).takeOver(row),
      ),
    );
    t.is(taken.filter((one) => one !== undefined).length, 1);
  });

  // adopt

  on("adopt writes the content into a void row, as a claim would have", async (t, { a, pass }) => {
    const voidRow = await a.claim(
      a.line({ action: "bet", amountMinor: 1n, playerId: "someone" as PlayerId, roundId: "x" }, "void"),
    );
    await pass(5);
    for (const as of ["leased"] as const) {
      const line = a.line({ action: "win", amountMinor: 700n }, as);
      const [row] = (await a.store.adopt([{ ...line, seen: voidRow.row.leaseToken }])) as (Transaction | undefined)[];
      t.like(row, {
        ...line.content,
        status: "pending",
        attempts: 1,
        leaseToken: line.token,
        nextAt: null,
        silentAt: null,
      });
      t.true((row?.createdAt ?? 0) > voidRow.row.createdAt - 1);
      t.is(row?.openedAt, row?.createdAt);
      t.deepEqual(
        await a.store.adopt([{ ...a.line({}), seen: voidRow.row.leaseToken }]),
        [undefined],
        "its token is spent",
      );
    }
  });

  on("a void row may be adopted as due", async (t, { a }) => {
    const voidRow = await a.claim(a.line({}, "void"));
    const [row] = (await a.store.adopt([{ ...a.line({ action: "win" }, "due"), seen: voidRow.row.leaseToken }])) as (
      | Transaction
      | undefined
    )[];
    t.like(row, { status: "pending", attempts: 0, leaseUntil: null });
    t.is(row?.nextAt, row?.createdAt);
  });

  on("a marked void row, or a row that is no longer void, is not adopted", async (t, { a }) => {
    const voidRow = await a.claim(a.line({}, "void"));
    const refund = a.line({ txId: id("refund"), action: "refund", refTxId: id("tx") }, "void");
    await a.claim(refund);
    t.true(await a.mark(refund, id("tx")));
    t.deepEqual(await a.store.adopt([{ ...a.line({}), seen: voidRow.row.leaseToken }]), [undefined]);
    const { row } = await a.claim(a.line({ txId: id("real") }));
    t.deepEqual(await a.store.adopt([{ ...a.line({ txId: id("real") }), seen: row.leaseToken }]), [undefined]);
  });
}
