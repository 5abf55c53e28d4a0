import test, { type ExecutionContext } from "ava";
import { numberingOf } from "../../../src/app/feed/sequencer.ts";
import { NEVER } from "../../../src/domain/transaction/transaction.ts";
import type { ChangeStore } from "../../../src/ports/transactions/change-store.ts";
import { StoreFault } from "../../../src/ports/transactions/transaction-store.ts";
import { id } from "../content.ts";
import { Actions, type ChangeStoreSetup } from "./actions.ts";

/** The contract of ports/transactions/change-store.ts, for every implementation. */
const JACKPOT = { kind: "jackpot", promoId: null, jackpotId: null, jackpotTier: null, jackpotMicros: null } as const;

export function changeStoreContract(name: string, open: () => Promise<ChangeStoreSetup>): void {
  const on = (title: string, run: (t: ExecutionContext, a: Actions) => Promise<void>): void =>
    test.serial(`${name}: ${title}`, async (t) => {
      await run(t, new Actions(await open()));
    });

  on("a merchant without rows has nothing to number, and its last number is zero", async (t, a) => {
    t.deepEqual(await a.setup.stores[0].unnumbered([a.setup.merchantId], 10), []);
    t.deepEqual(await a.setup.stores[0].unnumbered([], 10), []);
    t.is((await a.unnumbered()).seq, 0n);
  });

  on(
    "numbering stores the rounds of providers that end them, and ends those that a success has ended",
    async (t, a) => {
      const { stores, rounds, merchantId, game } = a.setup;
      const numberAll = async (providerIds: readonly number[]) => {
        const [found] = await stores[0].unnumbered([merchantId], 1_000, providerIds);
        t.true(found !== undefined && (await stores[0].number([numberingOf(found)])));
      };
      const round = (roundId: string) => rounds.read({ merchantId, providerId: game.providerId, roundId });
      await a.settle(await a.claim({ txId: id("other"), roundId: "unseen" }), a.success());
      await numberAll([game.providerId + 1]);
      t.is(await round("unseen"), undefined, "its provider ends no rounds");
      const bet = await a.claim({ txId: id("bet"), roundId: "won" });
      const [row] = await a.setup.transactions.read([bet.content]);
      await a.settle(bet, a.success());
      await a.settle(await a.claim({ txId: id("win"), action: "win", roundId: "won", roundEnded: true }), a.success());
      await a.settle(await a.claim({ txId: id("poor"), roundId: "refused", roundEnded: true }), a.failed("NO_FUNDS"));
      await a.settle(await a.claim({ txId: id("slow"), roundId: "silent", roundEnded: true }), a.silent("never"));
      await a.settle(await a.claim({ txId: id("long"), roundId: "open" }), a.success());
      await numberAll([game.providerId]);
      const won = await round("won");
      t.is(won?.openedAt, (row as { createdAt: number }).createdAt);
      t.not(won?.endedAt ?? null, null);
      t.is(await round("refused"), undefined, "a rejected bet opens no round");
      t.is((await round("silent"))?.endedAt, null);
      t.is((await round("open"))?.endedAt, null);
      const open = await rounds.list({ merchantId, state: "open" }, 10);
      t.deepEqual(open.map(({ roundId }) => roundId).sort(), ["open", "silent"]);
      await a.setup.pass(5);
      await a.settle(
        await a.claim({ txId: id("again"), action: "win", roundId: "won", roundEnded: true }),
        a.success(),
      );
      await numberAll([game.providerId]);
      t.deepEqual(await round("won"), won, "the first end stays");
    },
  );

  on(
    "settled rows without a number are returned in the order of their insertion, with the fields that the sums need",
    async (t, a) => {
      const win = await a.claim({ txId: id("z"), action: "win", amountMinor: 700n, labels: JACKPOT });
      const bet = await a.claim({ txId: id("a") });
      await a.settle(bet, a.failed("INSUFFICIENT_FUNDS"));
      await a.settle(win, a.success());
      const { rows } = await a.unnumbered();
      t.deepEqual(
        rows.map(({ id: _, createdAt, readAt, ...row }) => ({ ...row, ordered: createdAt <= readAt })),
        [
          {
            status: "success",
            action: "win",
            amountMinor: 700n,
            kind: "jackpot",
            gameId: a.setup.game.id,
            refused: false,
            endedLater: false,
            orphaned: false,
            ordered: true,
          },
          {
            status: "failed",
            action: "bet",
            amountMinor: 250n,
            kind: null,
            gameId: a.setup.game.id,
            refused: true,
            endedLater: false,
            orphaned: false,
            ordered: true,
          },
        ],
      );
      t.deepEqual(
        (await a.unnumbered(1)).rows.map((row) => row.action),
        ["win"],
      );
      t.deepEqual((await a.unnumbered(10, a.setup.otherMerchantId)).rows, []);
    },
  );

  on("a row in flight or a void row gets no number; a due row or a silent row gets one", async (t, a) => {
    await a.claim({ txId: id("flying") });
    await a.claim({ txId: id("void") }, "void");
    await a.claim({ txId: id("due"), action: "win" }, "due");
    const silent = await a.claim({ txId: id("silent"), action: "refund", refTxId: id("x") });
    await a.settle(silent, a.silent(60_000));
    t.deepEqual(
      (await a.unnumbered()).rows.map((row) => [row.action, row.status, row.orphaned]),
      [
        ["win", "pending", false],
        ["refund", "pending", false],
      ],
    );
  });

  on("a merchant is reported as having rows to number exactly while it has some", async (t, a) => {
    const { merchantId, otherMerchantId } = a.setup;
    const waiting = async () =>
      (await a.setup.stores[0].waiting([merchantId, otherMerchantId, 999_999])).sort((a, b) => a - b);
    t.deepEqual(await waiting(), []);
    t.deepEqual(await a.setup.stores[0].waiting([]), []);
    await a.claim({ txId: id("void") }, "void");
    await a.claim({ txId: id("flying") });
    t.deepEqual(await waiting(), [], "neither row has a state to number yet");
    const bet = await a.claim({ txId: id("bet") });
    await a.settle(bet, a.success());
    t.deepEqual(await waiting(), [merchantId]);
    t.deepEqual(await a.setup.stores[0].waiting([otherMerchantId]), []);
    const theirs = await a.claim({ txId: id("theirs"), merchantId: otherMerchantId });
    await a.settle(theirs, a.success());
    t.deepEqual(await waiting(), [merchantId, otherMerchantId]);
    t.true(await a.numberAll());
    t.deepEqual(await waiting(), [otherMerchantId]);
    await a.claim({ txId: id("dead"), action: "win" }, "leased", 1);
    await a.setup.pass(10);
    t.deepEqual(await waiting(), [merchantId, otherMerchantId], "a process died");
    t.true(await a.numberAll());
    t.deepEqual(await waiting(), [otherMerchantId]);
  });

  on("a numbered row needs a new number only after its state has changed", async (t, a) => {
    const win = await a.claim({ action: "win" });
    await a.settle(win, a.silent(0));
    t.true(await a.numberAll());
    t.like(await a.unnumbered(), { seq: 1n, rows: [] });

    const again = await a.takeOver(win);
    await a.settle(again, a.silent(0));
    t.deepEqual((await a.unnumbered()).rows, [], "one more silent attempt is not a change");

    const last = await a.takeOver(again);
    await a.settle(last, a.failed("PLAYER_BLOCKED"));
    t.true(await a.numberAll());
    t.is((await a.unnumbered()).seq, 2n);

    const reopened = await a.takeOver(last);
    await a.settle(reopened, a.success());
    t.true(await a.numberAll());
    t.is((await a.unnumbered()).seq, 3n);
    t.deepEqual(await a.sums(), { "win 1": 250n });
  });

  on(
    "a reversal that has marked its original needs a number, and so does the original that is settled with it",
    async (t, a) => {
      const bet = await a.claim({ txId: id("bet") });
      await a.settle(bet, a.silent("never"));
      const refund = await a.claim({ txId: id("refund"), action: "refund", refTxId: id("bet") }, "void");
      t.true(await a.numberAll());
      t.is((await a.unnumbered()).seq, 1n);
      await a.setup.transactions.mark([{ key: refund.content, seen: refund.token, reversed: id("bet") }]);
      t.deepEqual(
        (await a.unnumbered()).rows.map((row) => row.action),
        ["refund"],
      );
      t.true(await a.numberAll());
      const taken = await a.takeOver({ ...refund, reversedBy: null });
      await a.settle(taken, a.success(), {
        txId: id("bet"),
        seen: "pending",
        change: { ...a.success(), resolvedBy: `refund:${id("refund")}` },
      });
      t.deepEqual(
        (await a.unnumbered()).rows.map((row) => [row.action, row.status]),
        [
          ["bet", "success"],
          ["refund", "success"],
        ],
      );
      t.true(await a.numberAll());
      t.deepEqual(await a.sums(), { "bet 1": 250n, "refund 1": 250n });
    },
  );

  on("a successful bet gets no second number when its refund succeeds", async (t, a) => {
    const bet = await a.claim({ txId: id("bet") });
    await a.settle(bet, a.success());
    t.true(await a.numberAll());
    const refund = await a.claim({ txId: id("refund"), action: "refund", refTxId: id("bet") }, "void");
    await a.setup.transactions.mark([{ key: refund.content, seen: refund.token, reversed: id("bet") }]);
    const taken = await a.takeOver({ ...refund, reversedBy: null });
    await a.settle(taken, a.success(), { txId: id("bet"), seen: "success", change: null });
    t.true(await a.numberAll());
    t.deepEqual(await a.sums(), { "bet 1": 250n, "refund 1": 250n });
  });

  on(
    "rows of a process that died are reported as orphans; the win becomes due, and the bet never does",
    async (t, a) => {
      const win = await a.claim({ txId: id("win"), action: "win" }, "leased", 1);
      const bet = await a.claim({ txId: id("bet") }, "leased", 1);
      await a.setup.pass(10);
      const { rows } = await a.unnumbered();
      t.deepEqual(
        rows.map((row) => [row.action, row.orphaned]),
        [
          ["win", true],
          ["bet", true],
        ],
      );
      t.true(await a.numberAll());
      t.deepEqual(await a.setup.transactions.due([a.setup.merchantId], 10), [
        { merchantId: a.setup.merchantId, txId: id("win") },
      ]);
      const [stored] = await a.setup.transactions.read([bet.content]);
      t.is(stored instanceof StoreFault ? undefined : stored?.nextAt, NEVER);
      await a.takeOver(win);
      t.deepEqual((await a.unnumbered()).rows, [], "numbered as pending, so it is not found twice");
    },
  );

  on("a re-opened credit whose process died is reported as an orphan, too", async (t, a) => {
    const win = await a.claim({ action: "win" });
    await a.settle(win, a.failed("X"));
    t.true(await a.numberAll());
    await a.takeOver(win, 1);
    await a.setup.pass(10);
    t.deepEqual(
      (await a.unnumbered()).rows.map((row) => [row.status, row.orphaned]),
      [["pending", true]],
    );
  });

  on(
    "nothing is written when the last number has changed, or when a row has changed or was taken over since it was seen",
    async (t, a) => {
      const lost = await a.claim({ txId: id("lost"), action: "win" }, "leased", 1);
      const silent = await a.claim({ txId: id("silent"), action: "win" });
      const done = await a.claim({ txId: id("done") });
      await a.settle(silent, a.silent(0));
      await a.settle(done, a.success());
      await a.setup.pass(10);
      const seen = await a.unnumbered();
      t.is(seen.rows.length, 3);
      t.false(await a.number({ ...seen, seq: 7n }), "another last number");

      const taken = await a.takeOver(silent);
      await a.settle(taken, a.success());
      t.false(await a.number(seen), "one row settled");
      const fresh = await a.unnumbered();
      await a.takeOver(lost);
      t.false(await a.number(fresh), "one row is in flight again");
      t.is((await a.unnumbered()).seq, 0n);
      t.deepEqual(await a.sums(), {});

      t.true(await a.numberAll());
      t.is((await a.unnumbered()).seq, 2n);
      t.deepEqual(await a.sums(), { "bet 1": 250n, "win 1": 250n });
      t.false(await a.number(fresh), "the same lines again");
    },
  );

  on(
    "competing workers number every change once and without a gap, and the sums are those of the transactions",
    async (t, a) => {
      const rows = Array.from({ length: 120 }, (_, i) => ({
        txId: id(`t${i}`),
        action: i % 2 === 0 ? ("bet" as const) : ("win" as const),
        amountMinor: BigInt(i + 1),
      }));
      const claimed = await Promise.all(rows.map((row) => a.claim(row)));
      let writing = true;
      const writer = (async () => {
        for (const [i, line] of claimed.entries()) await a.settle(line, i % 5 === 4 ? a.failed("X") : a.success());
        writing = false;
      })();
      let numbered = 0;
      const work = async (store: ChangeStore): Promise<void> => {
        for (;;) {
          const last = !writing;
          const seen = await a.unnumbered(7, a.setup.merchantId, store);
          if (seen.rows.length === 0 && last) return;
          if (seen.rows.length > 0 && (await a.number(seen, store))) numbered += seen.rows.length;
          await a.setup.pass(1);
        }
      };
      await Promise.all([writer, ...a.setup.stores.map(work), work(a.setup.stores[0])]);
      t.is(numbered, 120);
      t.like(await a.unnumbered(), { seq: 120n, rows: [] });
      const expected: Record<string, bigint> = {};
      for (const action of ["bet", "win"] as const) {
        const counted = rows.filter((row, i) => row.action === action && i % 5 !== 4);
        expected[`${action} ${counted.length}`] = counted.reduce((sum, row) => sum + row.amountMinor, 0n);
      }
      t.deepEqual(await a.sums(), expected);
    },
  );

  on("several merchants are numbered together: each has its own numbers, sums and order of rows", async (t, a) => {
    const { merchantId, otherMerchantId, stores } = a.setup;
    const both = [merchantId, otherMerchantId];
    const bets = async (own: number, names: readonly string[]): Promise<void> => {
      for (const name of names) {
        const bet = await a.claim({ txId: id(name), merchantId: own, amountMinor: BigInt(own) });
        await a.settle(bet, name.startsWith("x") ? a.failed("X") : a.success());
      }
    };
    const numberBoth = async () => stores[0].number((await stores[0].unnumbered(both, 10)).map(numberingOf));
    await bets(otherMerchantId, ["b1"]);
    t.true(await numberBoth());
    await bets(merchantId, ["a1"]);
    await bets(otherMerchantId, ["b2"]);
    t.true(await numberBoth(), "one of them begins");

    await bets(merchantId, ["a2", "xa", "a3"]);
    await bets(otherMerchantId, ["b3"]);
    const limited = await stores[0].unnumbered(both, 2);
    t.deepEqual(
      limited.map((one) => [one.merchantId, one.seq, one.rows.map(({ status }) => status)]).sort(),
      [
        [merchantId, 1n, ["success", "failed"]],
        [otherMerchantId, 2n, ["success"]],
      ].sort(),
      "the limit applies to each merchant",
    );
    t.true(await numberBoth());
    t.deepEqual(await stores[0].unnumbered(both, 10), []);
    t.deepEqual(await Promise.all(both.map((own) => a.setup.numbers(own))), [
      [1n, 2n, 3n, 4n],
      [1n, 2n, 3n],
    ]);
    t.deepEqual(await Promise.all(both.map((own) => a.setup.lastNumber(own))), [4n, 3n]);
    t.deepEqual(await a.sums(), { "bet 3": 3n * BigInt(merchantId) });
    t.deepEqual(await a.sums(otherMerchantId), { "bet 3": 3n * BigInt(otherMerchantId) });
  });

  on("of several merchants all are numbered, or none if one of them has changed", async (t, a) => {
    const { merchantId, otherMerchantId, stores } = a.setup;
    const both = [merchantId, otherMerchantId];
    for (const own of both) {
      await a.settle(await a.claim({ txId: id("first"), merchantId: own }), a.success());
      t.true(await a.numberAll(own));
      await a.settle(await a.claim({ txId: id("second"), merchantId: own }), a.success());
    }
    const seen = await stores[0].unnumbered(both, 10);
    t.true(await a.numberAll(otherMerchantId), "another replica is faster with one of them");
    t.false(await stores[0].number(seen.map(numberingOf)));
    t.deepEqual(await Promise.all(both.map((own) => a.setup.lastNumber(own))), [1n, 2n]);
    t.deepEqual(await a.sums(), { "bet 1": 250n });
    t.deepEqual(await a.sums(otherMerchantId), { "bet 2": 500n });
    t.deepEqual(
      (await stores[0].unnumbered(both, 10)).map((one) => one.merchantId),
      [merchantId],
    );

    const held = await a.claim({ txId: id("held"), merchantId: otherMerchantId, action: "win" });
    await a.settle(held, a.silent(0));
    await a.setup.pass(10);
    const again = await stores[0].unnumbered(both, 10);
    t.is(again.length, 2);
    await a.takeOver(held);
    t.false(await stores[0].number(again.map(numberingOf)), "a row of one of them is in flight");
    t.deepEqual(await Promise.all(both.map((own) => a.setup.lastNumber(own))), [1n, 2n]);
    t.true(await a.numberAll(), "alone the other one is numbered");
  });

  on("sums keep all their 64 bits", async (t, a) => {
    for (const own of ["1", "2"]) {
      const bet = await a.claim({ txId: id(own), amountMinor: 4_611_686_018_427_387_903n });
      await a.settle(bet, a.success());
      t.true(await a.numberAll());
    }
    t.deepEqual(await a.sums(), { "bet 2": 9_223_372_036_854_775_806n });
  });
}
