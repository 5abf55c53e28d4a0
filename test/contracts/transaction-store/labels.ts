import type { Transaction } from "../../../src/domain/transaction/transaction.ts";
import type { Labels } from "../../../src/domain/values/labels.ts";
import type { Claimed } from "../../../src/ports/transactions/transaction-store.ts";
import { id } from "../content.ts";
import type { On } from "./actions.ts";

const ALL: Labels = {
  kind: "jackpot",
  promoId: "promo \u{1f3b0}",
  jackpotId: "mega",
  jackpotTier: "grand",
  jackpotMicros: 9_007_199_254_740_991n,
};
const NONE: Labels = { kind: null, promoId: null, jackpotId: null, jackpotTier: null, jackpotMicros: null };

/** The labels of bets and wins. */
export function labels(on: On): void {
  on(
    "a claim stores each label, alone and together with the others, in one batch with claims that have none",
    async (t, { a, store }) => {
      const cases: (Labels | undefined)[] = [
        undefined,
        ALL,
        ...Object.entries(ALL).map(([label, value]) => ({ ...NONE, [label]: value })),
        { ...NONE, kind: "tip" },
        { ...NONE, kind: "cash_out" },
      ];
      const lines = cases.map((of, i) => a.line({ txId: id(`t${i}`), ...(of && { labels: of }) }));
      const claimed = (await store.claim(lines)) as Claimed[];
      t.true(claimed.every(({ mine }) => mine));
      t.deepEqual(
        claimed.map(({ row }) => row.labels),
        cases,
      );
      for (const [i, line] of lines.entries()) t.deepEqual((await a.read(line.content)).labels, cases[i]);
    },
  );

  on("a claim of an existing row keeps the row's labels", async (t, { a }) => {
    await a.claim(a.line({ labels: ALL }));
    t.deepEqual((await a.claim(a.line({ labels: { ...NONE, kind: "promo" } }))).row.labels, ALL);
    t.deepEqual((await a.claim(a.line({}))).row.labels, ALL);
    await a.claim(a.line({ txId: id("plain") }));
    t.is((await a.claim(a.line({ txId: id("plain"), labels: ALL }))).row.labels, undefined);
  });

  on("a void row has no labels, and its adoption writes those of the request", async (t, { a }) => {
    const line = a.line({ labels: ALL }, "void");
    const { row } = await a.claim(line);
    t.is(row.labels, undefined);
    t.is((await a.read(row)).labels, undefined);
    const given: Labels = { ...NONE, kind: "free_rounds", promoId: "p" };
    const adopted = await a.pay(a.line({ action: "win", labels: given }), row.leaseToken);
    t.deepEqual(adopted?.labels, given);
    t.deepEqual((await a.read(row)).labels, given);
  });

  on(
    "a win that names its bet gets its labels when it becomes a transaction, and its bet keeps its own",
    async (t, { a, store }) => {
      const bet = a.line({ txId: id("bet"), labels: { ...NONE, kind: "feature_buy" } });
      await a.claim(bet);
      await a.settle(a.settleLine(bet.content, a.success(5n), bet.token));
      const named = { txId: bet.content.txId, settles: true };
      const { win, adopt } = await a.voidWin("win", named, { labels: ALL });
      t.is((await a.read(win.content)).labels, undefined);
      const plain = await a.voidWin("plain", { ...named, settles: false });
      const paid = (await store.adopt([adopt, plain.adopt])) as Transaction[];
      t.deepEqual(
        paid.map((row) => row.labels),
        [ALL, undefined],
      );
      t.like(await a.read(bet.content), { settledBy: win.content.txId, labels: { ...NONE, kind: "feature_buy" } });
    },
  );

  on(
    "the labels survive a take-over and the end of the attempt, and a reversal does not get them",
    async (t, { a }) => {
      const bet = a.line({ labels: ALL });
      const { row } = await a.claim(bet);
      await a.settle(a.settleLine(bet.content, a.silent("never"), bet.token));
      t.deepEqual((await a.takeOver(await a.read(row)))?.labels, ALL);
      const refund = a.line({ txId: id("f"), action: "refund", refTxId: row.txId }, "void");
      await a.claim(refund);
      t.true(await a.mark(refund, row.txId));
      t.is((await a.read(refund.content)).labels, undefined);
      t.deepEqual((await a.read(row)).labels, ALL);
    },
  );
}
