import type { Content, Transaction } from "../../../src/domain/transaction/transaction.ts";
import type { TxId, TxKey } from "../../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import { id } from "../content.ts";
import { type On, token } from "./actions.ts";

/** The rows that are due, and their due times. */
export function schedules(on: On): void {
  on("schedule sets when a pending row is due, and makes a failed credit pending again", async (t, { a, pass }) => {
    const win = a.line({ action: "win" });
    await a.claim(win);
    await a.settle(a.settleLine(win.content, a.silent("never"), win.token));
    const silent = await a.read(win.content);
    t.deepEqual(await a.store.schedule([{ key: silent, seen: silent, inMs: wholeMs(40_000) }]), [true]);
    const scheduled = await a.read(win.content);
    t.like(scheduled, {
      status: "pending",
      openedAt: silent.openedAt,
      leaseToken: silent.leaseToken,
      attempts: 1,
      silentAt: silent.silentAt,
    });
    t.true(Math.abs((scheduled.nextAt ?? 0) - scheduled.readAt - 40_000) < 5_000);

    const lost = a.line({ txId: id("failed"), action: "win" });
    await a.claim(lost);
    await a.settle(a.settleLine(lost.content, a.failed("X"), lost.token));
    const failed = await a.read(lost.content);
    await pass(5);
    t.deepEqual(await a.store.schedule([{ key: failed, seen: failed, inMs: wholeMs(0) }]), [true]);
    const reopened = await a.read(lost.content);
    t.like(reopened, { status: "pending", attempts: 1, leaseUntil: null });
    t.false("error" in reopened);
    t.true(reopened.openedAt > failed.openedAt);
  });

  on(
    "a repeat of a schedule that made a failed credit pending again changes nothing, and returns true",
    async (t, { a }) => {
      const win = a.line({ action: "win" });
      await a.claim(win);
      await a.settle(a.settleLine(win.content, a.failed("X"), win.token));
      const seen = await a.read(win.content);
      const line = { key: seen, seen, inMs: wholeMs(60_000) };
      t.deepEqual(await a.store.schedule([line]), [true]);
      const reopened = await a.read(win.content);
      t.deepEqual(await a.store.schedule([line]), [true]);
      t.deepEqual(
        await a.store.schedule([{ ...line, inMs: wholeMs(0) }]),
        [true],
        "another line that saw the failed row",
      );
      t.deepEqual({ ...(await a.read(win.content)), readAt: 0 }, { ...reopened, readAt: 0 });
      // The next attempt has another token, and a row that is never due is not scheduled.
      const taken = (await a.takeOver(reopened)) as Transaction;
      t.deepEqual(await a.store.schedule([line]), [false]);
      await a.settle(a.settleLine(taken, a.silent("never")));
      t.deepEqual(await a.store.schedule([line]), [false]);
    },
  );

  on(
    "schedule does not change a row that is in flight, settled, void, or changed since it was seen",
    async (t, { a }) => {
      const { row: flying } = await a.claim(a.line({ txId: id("flying"), action: "win" }));
      const done = await a.settledBet(a.success(1n));
      const { row: voidRow } = await a.claim(a.line({ txId: id("ghost"), action: "win" }, "void"));
      const { row: due } = await a.claim(a.line({ txId: id("due"), action: "win" }, "due"));
      const lines = [flying, done, voidRow, { ...due, leaseToken: token() }, { ...due, txId: id("none") }];
      t.deepEqual(await a.store.schedule(lines.map((row) => ({ key: row, seen: row, inMs: wholeMs(0) }))), [
        false,
        false,
        false,
        false,
        false,
      ]);
    },
  );

  on("schedule does not change a row that a reversal has marked since it was seen", async (t, { a }) => {
    for (const [own, change] of [
      ["failed", a.failed("X")],
      ["silent", a.silent("never")],
    ] as const) {
      const win = a.line({ txId: id(own), action: "win" });
      await a.claim(win);
      await a.settle(a.settleLine(win.content, change, win.token));
      const seen = await a.read(win.content);
      const rollback = a.line({ txId: id(`rollback ${own}`), action: "rollback", refTxId: seen.txId }, "void");
      await a.claim(rollback);
      t.true(await a.mark(rollback, seen.txId));
      const marked = await a.read(win.content);
      t.deepEqual(await a.store.schedule([{ key: seen, seen, inMs: wholeMs(0) }]), [false]);
      t.deepEqual({ ...(await a.read(win.content)), readAt: 0 }, { ...marked, readAt: 0 });
      t.deepEqual(await a.store.schedule([{ key: marked, seen: marked, inMs: wholeMs(0) }]), [true]);
    }
  });

  on(
    "due returns rows that are due and not leased, the longest due first, and at most the limit of each merchant",
    async (t, { a, pass, merchantId, otherMerchantId }) => {
      const claimDue = async (own: string, more: Partial<Content> = {}) => {
        await a.claim(a.line({ txId: id(own), action: "win", ...more }, "due"));
        await pass(3);
      };
      await claimDue("z first");
      await claimDue("a second");
      await claimDue("other", { merchantId: otherMerchantId });
      await claimDue("m third");
      const later = a.line({ txId: id("later"), action: "win" });
      const never = a.line({ txId: id("never") });
      await a.store.claim([later, never, a.line({ txId: id("in flight") }), a.line({ txId: id("void") }, "void")]);
      await a.store.settle([
        a.settleLine(later.content, a.silent(60_000), later.token),
        a.settleLine(never.content, a.silent("never"), never.token),
      ]);
      await pass(5);
      const due = async (merchants: number[], limit: number): Promise<TxId[]> =>
        (await a.store.due(merchants, limit)).map((key) => key.txId);
      t.deepEqual(await due([merchantId, otherMerchantId], 10), ["z first", "a second", "other", "m third"].map(id));
      t.deepEqual(await due([merchantId, otherMerchantId], 1), ["z first", "other"].map(id));
      t.deepEqual(await due([otherMerchantId], 10), [id("other")]);
      t.deepEqual(await due([], 10), []);
      const [first] = await a.store.due([merchantId], 1);
      await a.takeOver(await a.read(first as TxKey));
      t.deepEqual(await due([merchantId], 10), ["a second", "m third"].map(id), "a leased row is not due");
    },
  );

  on(
    "merchantsDue returns each merchant with a row whose due time has passed, once, and no other merchant",
    async (t, { a, pass, merchantId, otherMerchantId }) => {
      const theirs = async () =>
        (await a.store.merchantsDue())
          .filter((one) => one === merchantId || one === otherMerchantId)
          .sort((one, two) => one - two);
      t.deepEqual(await theirs(), []);
      const later = a.line({ txId: id("later"), action: "win" });
      const never = a.line({ txId: id("never") });
      const done = a.line({ txId: id("done"), action: "win" });
      await a.store.claim([
        later,
        never,
        done,
        a.line({ txId: id("in flight") }),
        a.line({ txId: id("void") }, "void"),
      ]);
      await a.store.settle([
        a.settleLine(later.content, a.silent(60_000), later.token),
        a.settleLine(never.content, a.silent("never"), never.token),
        a.settleLine(done.content, a.success(1n), done.token),
      ]);
      await pass(5);
      t.deepEqual(await theirs(), [], "nothing is due yet");
      for (const own of ["due", "due too"])
        await a.claim(a.line({ txId: id(own), action: "win", merchantId: otherMerchantId }, "due"));
      await pass(5);
      t.deepEqual(await theirs(), [otherMerchantId]);
      await a.claim(a.line({ txId: id("due"), action: "win" }, "due"));
      await pass(5);
      t.deepEqual(await theirs(), [merchantId, otherMerchantId]);
      const [key] = await a.store.due([merchantId], 1);
      const taken = await a.takeOver(await a.read(key as TxKey));
      t.deepEqual(await theirs(), [merchantId, otherMerchantId], "the process that has the lease may die");
      await a.settle(a.settleLine(key as TxKey, a.success(1n), taken?.leaseToken));
      t.deepEqual(await theirs(), [otherMerchantId]);
    },
  );

  on("a row that was taken over and whose process died is due again", async (t, { a, pass, merchantId }) => {
    const { row } = await a.claim(a.line({ action: "win" }, "due"));
    await pass(2);
    await a.store.takeOver([{ key: row, seen: row, token: token(), leaseMs: wholeMs(20) }]);
    await pass(40);
    t.deepEqual(await a.store.due([merchantId], 5), [{ merchantId, txId: row.txId }]);
  });
}
