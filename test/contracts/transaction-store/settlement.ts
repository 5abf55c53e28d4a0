import type { Content, Transaction } from "../../../src/domain/transaction/transaction.ts";
import type { PlayerId } from "../../../src/domain/values/identifiers.ts";
import type { TransactionStore } from "../../../src/ports/transactions/transaction-store.ts";
import { id } from "../content.ts";
import type { Actions, On } from "./actions.ts";

const settling = (bet: string) => ({ txId: id(bet), settles: true });

/** How often a settlement and a refund of one bet are sent at the same moment. */
const CROSSINGS = 60;

/** Wins that name their bet, and the mark of the win that settles it. */
export function settlements(on: On): void {
  on("a win that settles its bet is pending and leased, and its bet is marked", async (t, { a }) => {
    const bet = await a.settledBet(a.success(5n));
    const { win, seen } = await a.voidWin("win", settling("bet"));
    const before = await a.read(win.content);
    t.is(before.status, "void");
    t.is(before.bet, undefined, "a void row names no bet");
    const paid = (await a.pay(win, seen)) as Transaction;
    t.like(paid, { status: "pending", attempts: 1, leaseToken: win.token, bet: settling("bet"), settledBy: null });
    t.deepEqual({ ...(await a.read(bet)), readAt: 0 }, { ...bet, settledBy: id("win"), readAt: 0 });
    t.true(await a.settle(a.settleLine(paid, a.success(9n), win.token)));
    t.like(await a.read(win.content), { status: "success", balanceMinor: 9n, bet: settling("bet") });
  });

  on("a win without a permit is pending and due at once, and its bet is marked", async (t, { a }) => {
    const bet = await a.settledBet(a.success(5n));
    const { win, seen } = await a.voidWin("win", settling("bet"));
    const paid = (await a.pay({ ...win, as: "due" }, seen)) as Transaction;
    t.like(paid, { status: "pending", attempts: 0, leaseUntil: null, bet: settling("bet") });
    t.true(paid.nextAt !== null && paid.nextAt <= paid.readAt);
    t.is((await a.read(bet)).settledBy, id("win"));
  });

  on(
    "a win that names its bet and does not settle it marks nothing, and several such wins are paid",
    async (t, { a }) => {
      const bet = await a.settledBet(a.success(5n));
      for (const own of ["win 1", "win 2"]) {
        const { win, seen } = await a.voidWin(own, { txId: id("bet"), settles: false });
        t.like(await a.pay(win, seen), { status: "pending", bet: { txId: id("bet"), settles: false } });
      }
      t.is((await a.read(bet)).settledBy, null);
      const { win, seen } = await a.voidWin("settlement", settling("bet"));
      t.not(await a.pay(win, seen), undefined);
      const late = await a.voidWin("win 3", { txId: id("bet"), settles: false });
      t.not(await a.pay(late.win, late.seen), undefined, "only a second settlement is refused");
    },
  );

  on("no win is paid for a bet that does not permit it, and nothing is written", async (t, { a }) => {
    await a.claim(a.line({ txId: id("pending") }));
    await a.settledBet(a.failed("INSUFFICIENT_FUNDS"), "failed");
    await a.settledBet(a.success(5n), "bet");
    await a.claim(a.line({ txId: id("void") }, "void"));
    await a.marked("of it", a.success(5n));
    const other = a.line({ txId: id("other win"), action: "win" });
    await a.claim(other);
    await a.settle(a.settleLine(other.content, a.success(1n), other.token));
    const refused: readonly (readonly [string, Partial<Content>])[] = [
      ["pending", {}],
      ["failed", {}],
      ["void", {}],
      ["nothing", {}],
      ["bet of it", {}],
      ["other win", {}],
      ["bet", { playerId: "other" as PlayerId }],
      ["bet", { currency: "CLP" }],
    ];
    for (const [i, [bet, more]] of refused.entries())
      for (const settles of [true, false]) {
        const { win, seen } = await a.voidWin(`win ${i} ${settles}`, { txId: id(bet), settles }, more);
        t.is(await a.pay(win, seen), undefined, `${bet} ${Object.keys(more)}`);
        t.like(await a.read(win.content), { status: "void", leaseToken: seen });
      }
    t.is((await a.read(a.line({ txId: id("bet") }).content)).settledBy, null);
  });

  on("a second settlement of a bet is not paid", async (t, { a }) => {
    const bet = await a.settledBet(a.success(5n));
    const first = await a.voidWin("win 1", settling("bet"));
    const second = await a.voidWin("win 2", settling("bet"));
    t.not(await a.pay(first.win, first.seen), undefined);
    t.is(await a.pay(second.win, second.seen), undefined);
    t.false(await a.settleBet(bet, a.line({ txId: id("win 3"), action: "win" }).content));
    t.is((await a.read(bet)).settledBy, id("win 1"));
  });

  on("a repeat of the statement changes nothing more", async (t, { a }) => {
    const bet = await a.settledBet(a.success(5n));
    const { win, seen } = await a.voidWin("win", settling("bet"));
    const paid = (await a.pay(win, seen)) as Transaction;
    t.is(await a.pay(win, seen), undefined);
    await a.settle(a.settleLine(paid, a.success(9n), win.token));
    await a.pay(win, seen);
    t.is((await a.read(win.content)).status, "success");
    t.is((await a.read(bet)).settledBy, id("win"));
  });

  on("a win of 0 settles its bet without a row, and a repeat gets the same result", async (t, { a }) => {
    const bet = await a.settledBet(a.success(5n));
    const zero = a.line({ txId: id("zero"), action: "win", amountMinor: 0n }).content;
    t.true(await a.settleBet(bet, zero));
    t.true(await a.settleBet(bet, zero));
    t.false(await a.settleBet(bet, { ...zero, txId: id("other") }));
    t.deepEqual({ ...(await a.read(bet)), readAt: 0 }, { ...bet, settledBy: id("zero"), readAt: 0 });
    t.deepEqual(await a.store.read([zero]), [undefined]);
    const { win, seen } = await a.voidWin("win", settling("bet"));
    t.is(await a.pay(win, seen), undefined);
  });

  on("a win of 0 does not settle a bet that does not permit it", async (t, { a }) => {
    const { bet: reversed } = await a.marked("of it", a.success(5n));
    const pending = a.line({ txId: id("pending") });
    await a.claim(pending);
    const bet = await a.settledBet(a.success(5n));
    const zero = a.line({ txId: id("zero"), action: "win", amountMinor: 0n }).content;
    t.false(await a.settleBet(reversed, zero));
    t.false(await a.settleBet(pending.content, zero));
    t.false(await a.settleBet(a.line({ txId: id("nothing") }).content, zero));
    t.false(await a.settleBet(bet, { ...zero, playerId: "other" as PlayerId }));
    t.false(await a.settleBet(bet, { ...zero, currency: "CLP" }));
    t.is((await a.read(bet)).settledBy, null);
  });

  on("a refund marks a settled bet, unless its line forbids this", async (t, { a }) => {
    const bet = await a.settledBet(a.success(5n));
    const { win, seen } = await a.voidWin("win", settling("bet"));
    await a.pay(win, seen);
    const refund = a.line({ txId: id("refund"), action: "refund", refTxId: bet.txId }, "void");
    await a.claim(refund);
    const line = { key: refund.content, seen: refund.token, reversed: bet.txId };
    t.deepEqual(await a.store.mark([{ ...line, unlessSettled: true }]), [false]);
    t.is((await a.read(refund.content)).status, "void");
    t.is((await a.read(bet)).reversedBy, null);
    t.deepEqual(await a.store.mark([line]), [true]);
    t.like(await a.read(bet), { reversedBy: id("refund"), settledBy: id("win") });
  });

  on("two settlements of one bet in one batch: exactly one is paid", async (t, { a }) => {
    const bet = await a.settledBet(a.success(5n));
    const wins = await Promise.all(["win 1", "win 2", "win 3"].map((own) => a.voidWin(own, settling("bet"))));
    const paid = (await a.store.adopt(wins.map(({ adopt }) => adopt))) as (Transaction | undefined)[];
    const winners = paid.filter((row) => row !== undefined);
    t.is(winners.length, 1);
    t.is((await a.read(bet)).settledBy, winners[0]?.txId ?? null);
  });

  on("of a settlement and a refund of one bet at the same moment, exactly one wins", async (t, { a, stores }) => {
    const winners = new Set<string>();
    for (let i = 0; i < CROSSINGS; i++) winners.add(await crossing(a, stores, i));
    t.deepEqual(winners.size > 0 && [...winners].every((one) => one === "win" || one === "refund"), true);
  });
}

/** Sends both statements at the same moment, each on another replica. Resolves to the winner. */
async function crossing(a: Actions, stores: readonly TransactionStore[], i: number): Promise<string> {
  const bet = await a.settledBet(a.success(5n), `bet ${i}`);
  const zero = i % 3 === 2;
  const { win, adopt } = await a.voidWin(`win ${i}`, settling(`bet ${i}`));
  const refund = a.line({ txId: id(`refund ${i}`), action: "refund", refTxId: bet.txId }, "void");
  await a.claim(refund);
  const [one, other] = [stores[i % stores.length], stores[(i + 1) % stores.length]] as [
    TransactionStore,
    TransactionStore,
  ];
  const settle = () => (zero ? one.settleBet([{ key: bet, win: win.content }]) : one.adopt([adopt]));
  const reverse = () =>
    other.mark([{ key: refund.content, seen: refund.token, reversed: bet.txId, unlessSettled: true }]);
  const [first, second] = i % 2 === 0 ? [settle, reverse] : [reverse, settle];
  await Promise.all([first(), second()]);
  const { settledBy, reversedBy } = await a.read(bet);
  const rows = [(await a.read(win.content)).status, (await a.read(refund.content)).status];
  const expected = settledBy === null ? ["void", "pending"] : [zero ? "void" : "pending", "void"];
  if ((settledBy === null) === (reversedBy === null) || String(rows) !== String(expected))
    throw new Error(`bet ${i}: settled by ${settledBy}, reversed by ${reversedBy}, rows ${rows}`);
  return settledBy === null ? "refund" : "win";
}
