import { NEVER } from "../../../src/domain/transaction/transaction.ts";
import { id } from "../content.ts";
import { type On, token } from "./actions.ts";

/** The end of an attempt. */
export function settles(on: On): void {
  on("an accepted attempt makes the row a success with the attempt's balance", async (t, { a }) => {
    const line = a.line({});
    await a.claim(line);
    t.true(await a.settle(a.settleLine(line.content, { ...a.success(1234n), resolvedBy: "resend" }, line.token)));
    const row = await a.read(line.content);
    t.like(row, {
      status: "success",
      balanceMinor: 1234n,
      resolvedBy: "resend",
      leaseUntil: null,
      leaseToken: line.token,
      nextAt: null,
      silentAt: null,
      attempts: 1,
    });
    t.false("rejected" in row);
  });

  on("a success may have no known balance", async (t, { a }) => {
    const line = a.line({});
    await a.claim(line);
    await a.settle(a.settleLine(line.content, a.success(null), line.token));
    t.like(await a.read(line.content), { status: "success", balanceMinor: null });
  });

  on(
    "a row whose attempt got no answer is pending, has the time of this silence, and is due again or never",
    async (t, { a }) => {
      for (const next of [30_000, "never"] as const) {
        const line = a.line({ txId: id(String(next)), action: "win" });
        await a.claim(line);
        t.true(await a.settle(a.settleLine(line.content, a.silent(next), line.token)));
        const row = await a.read(line.content);
        t.like(row, { status: "pending", leaseUntil: null, silentAt: row.updatedAt, resolvedBy: null });
        t.is(row.nextAt, next === "never" ? NEVER : row.updatedAt + next);
      }
    },
  );

  on("an answered attempt that stays pending does not count as a silence", async (t, { a }) => {
    const line = a.line({ action: "refund", refTxId: id("bet") });
    await a.claim(line);
    t.true(await a.settle(a.settleLine(line.content, { ...a.silent(1_000), silent: false }, line.token)));
    t.like(await a.read(line.content), { status: "pending", silentAt: null });
  });

  on("the same settle sent twice returns the same and applies once", async (t, { a }) => {
    for (const change of [a.success(7n), a.failed("INSUFFICIENT_FUNDS"), a.silent(5_000)]) {
      const line = a.line({ txId: id(`twice ${change.state.status}`) });
      await a.claim(line);
      const settle = a.settleLine(line.content, change, line.token);
      t.true(await a.settle(settle));
      const once = await a.read(line.content);
      t.true(await a.settle(settle));
      t.deepEqual({ ...(await a.read(line.content)), readAt: 0 }, { ...once, readAt: 0 });
    }
  });

  on(
    "a settle after the end of its lease applies while the row has the lease's token, and not after a take-over",
    async (t, { a, pass }) => {
      const late = a.line({ txId: id("late") }, "leased", 1);
      await a.claim(late);
      const lost = a.line({ txId: id("lost") }, "leased", 1);
      const { row } = await a.claim(lost);
      await pass(10);
      t.true(await a.settle(a.settleLine(late.content, a.success(1n), late.token)));
      const next = token();
      await a.takeOver(row, next);
      t.false(await a.settle(a.settleLine(lost.content, a.success(1n), lost.token)));
      t.like(await a.read(lost.content), { status: "pending", leaseToken: next, attempts: 2 });
      t.true(await a.settle({ ...a.settleLine(lost.content, a.failed("X"), next), attempt: a.attempt(2) }));
      t.false(await a.settle(a.settleLine(lost.content, a.success(1n), lost.token)));
      t.like(await a.read(lost.content), { status: "failed", error: "X" });
    },
  );

  on("a rejection is stored with its balance, and without one if it has none", async (t, { a }) => {
    for (const [n, balanceMinor] of [-5n, 0n, 1_234n, null].entries()) {
      const line = a.line({ txId: id(`rejected-${n}`) }, "leased");
      await a.claim(line);
      const state = { status: "failed", error: "X", ...(balanceMinor !== null && { balanceMinor }) } as const;
      t.true(await a.settle(a.settleLine(line.content, a.change(state), line.token)));
      const row = await a.read(line.content);
      t.like(row, state);
      t.is(row?.status === "failed" ? (row.balanceMinor ?? null) : undefined, balanceMinor);
    }
  });

  on("a settle of a row that does not exist is not applied", async (t, { a }) => {
    t.false(await a.settle(a.settleLine({ txId: id("none") }, a.success(1n), token())));
  });
}
