import type { Transaction } from "../../../src/domain/transaction/transaction.ts";
import type { PlayerId } from "../../../src/domain/values/identifiers.ts";
import {
  BATCH_MAX,
  type Claimed,
  type ClaimLine,
  StoreFault,
  type TransactionStore,
} from "../../../src/ports/transactions/transaction-store.ts";
import { id } from "../content.ts";
import { LEASE_MS, type On, type TransactionStoreTraits, token } from "./actions.ts";

/** Claims: which claim inserts a row, and the content of the row. */
export function claims(on: On, traits: TransactionStoreTraits): void {
  on("a claim inserts the row and returns it as the database has it", async (t, { a, store }) => {
    const before = await a.now();
    for (const as of ["leased", "due", "void"] as const) {
      const line = a.line({ txId: id(as) }, as);
      const claimed = await a.claim(line);
      t.true(claimed.mine);
      const { readAt, createdAt, openedAt, updatedAt, leaseUntil, nextAt, ...row } = claimed.row;
      t.deepEqual(row, {
        ...line.content,
        status: as === "void" ? "void" : "pending",
        attempts: as === "leased" ? 1 : 0,
        leaseToken: line.token,
        silentAt: null,
        reversedBy: null,
        settledBy: null,
        playWin: null,
        resolvedBy: null,
      } as never);
      t.is(openedAt, createdAt);
      t.is(updatedAt, createdAt);
      t.is(leaseUntil, as === "leased" ? createdAt + LEASE_MS : null);
      t.is(nextAt, as === "due" ? createdAt : null);
      t.true(readAt >= createdAt && Math.abs(createdAt - before) < 10_000);
      const stored = await a.read(line.content);
      t.true(
        Math.abs(stored.createdAt - createdAt) < 1_000,
        "the answer's times are the database's, give or take a round trip",
      );
      t.is(stored.leaseUntil === null, leaseUntil === null);
      t.deepEqual({ ...stored, readAt, createdAt, openedAt, updatedAt, leaseUntil, nextAt }, claimed.row);
    }
    t.deepEqual(await store.read([{ merchantId: a.setup.merchantId, txId: id("none") }]), [undefined]);
  });

  on("a claim of an existing row returns that row unchanged, whatever the claim's content", async (t, { a }) => {
    const first = a.line({});
    await a.claim(first);
    const before = await a.read(first.content);
    const second = await a.claim(a.line({ amountMinor: 999n, playerId: "eve" as PlayerId }, "due"));
    t.false(second.mine);
    t.deepEqual({ ...second.row, readAt: 0 }, { ...before, readAt: 0 });
    t.deepEqual({ ...(await a.read(first.content)), readAt: 0 }, { ...before, readAt: 0 });
  });

  on("the same claim sent again still counts as the one that inserted the row", async (t, { a }) => {
    const line = a.line({});
    await a.claim(line);
    t.true((await a.claim(line)).mine);
  });

  on(
    "a batch returns results in the order of its lines, even if it finds some rows and inserts others",
    async (t, { a, store }) => {
      await a.claim(a.line({ txId: id("5") }));
      await a.claim(a.line({ txId: id("2") }));
      const lines = ["9", "5", "1", "2", "7"].map((own) => a.line({ txId: id(own), roundId: `round ${own}` }));
      const claimed = (await store.claim(lines)) as Claimed[];
      t.deepEqual(
        claimed.map(({ mine, row }) => [row.txId, mine]),
        [
          [id("9"), true],
          [id("5"), false],
          [id("1"), true],
          [id("2"), false],
          [id("7"), true],
        ],
      );
      const read = (await store.read(
        ["7", "none", "9"].map((own) => ({ merchantId: a.setup.merchantId, txId: id(own) })),
      )) as (Transaction | undefined)[];
      t.deepEqual(
        read.map((row) => row?.roundId),
        ["round 7", undefined, "round 9"],
      );
    },
  );

  on("of 1 000 concurrent claims of one id exactly one inserts the row", async (t, { a, stores }) => {
    const lines = Array.from({ length: 1_000 }, () => a.line({}));
    const claimed = (
      await Promise.all(lines.map((line, i) => (stores[i % stores.length] as TransactionStore).claim([line])))
    ).flat() as Claimed[];
    const winners = lines.filter((_, i) => claimed[i]?.mine);
    t.is(winners.length, 1);
    t.true(claimed.every(({ row }) => row.leaseToken === winners[0]?.token));
  });

  on(
    "in unsorted, overlapping batches of several replicas exactly one claim inserts each row, and repeated settles apply",
    async (t, { a, stores }) => {
      const keys = Array.from({ length: 80 }, (_, i) => id(`k${i}`));
      const rounds = Array.from({ length: 24 }, (_, r) =>
        shuffled(keys, r)
          .slice(0, 60)
          .map((txId) => a.line({ txId })),
      );
      const claimed = await Promise.all(
        rounds.map((lines, r) => (stores[r % stores.length] as TransactionStore).claim(lines)),
      );
      const wins = new Map<string, number>();
      for (const { mine, row } of claimed.flat() as Claimed[])
        wins.set(row.txId, (wins.get(row.txId) ?? 0) + (mine ? 1 : 0));
      t.deepEqual([...new Set(wins.values())], [1]);
      // Settles of the same rows are sent twice and in other orders, and each is applied.
      const tokensOf = new Map((claimed.flat() as Claimed[]).map(({ row }) => [row.txId, row.leaseToken]));
      const settled = await Promise.all(
        Array.from({ length: 12 }, (_, r) => {
          const lines = shuffled([...tokensOf.keys()], r + 50).map((txId) =>
            a.settleLine({ txId, leaseToken: tokensOf.get(txId) as string }, a.success(1n)),
          );
          return (stores[r % stores.length] as TransactionStore).settle(lines);
        }),
      );
      t.true(settled.flat().every((applied) => applied === true));
    },
  );

  on(
    "tx1, Tx1, `tx1 ` and an accented tx1 are different rows, and so is another merchant's tx1",
    async (t, { a, store }) => {
      const owns = ["tx1", "Tx1", "tx1 ", "tx\u00e9", "txe\u0301", "txe", "tx😀"];
      const lines = [
        ...owns.map((own) => a.line({ txId: id(own), playerId: own as PlayerId })),
        a.line({ txId: id("tx1"), merchantId: a.setup.otherMerchantId }),
      ];
      const claimed = (await store.claim(lines)) as Claimed[];
      t.true(claimed.every(({ mine }) => mine));
      t.deepEqual(
        ((await store.read(lines.map((line) => line.content))) as Transaction[]).map((row) => [
          row.merchantId,
          row.txId,
          row.playerId,
        ]),
        lines.map(({ content }) => [content.merchantId, content.txId, content.playerId]),
      );
    },
  );

  on("amounts and balances keep all their 64 bits", async (t, { a }) => {
    for (const amountMinor of [1n, 9_007_199_254_740_993n, 9_223_372_036_854_775_807n]) {
      const line = a.line({ txId: id(`a${amountMinor}`), amountMinor });
      await a.claim(line);
      await a.settle(a.settleLine(line.content, a.success(-amountMinor), line.token));
      const row = await a.read(line.content);
      t.is(row.amountMinor, amountMinor);
      t.is(row.status === "success" ? row.balanceMinor : null, -amountMinor);
    }
  });

  on("claim, settle and takeOver each accept a full batch", async (t, { a, store }) => {
    const lines = Array.from({ length: BATCH_MAX }, (_, i) => a.line({ txId: id(`b${i}`) }));
    t.true(((await store.claim(lines)) as Claimed[]).every(({ mine }) => mine));
    t.true(
      (await store.settle(lines.map((line) => a.settleLine(line.content, a.silent(0), line.token)))).every(
        (applied) => applied === true,
      ),
    );
    const again = lines.map((line) => ({
      key: line.content,
      seen: a.seen("pending", line.token),
      token: token(),
      leaseMs: LEASE_MS,
    }));
    t.true(
      (await store.takeOver(again)).every(
        (row) => row !== undefined && !(row instanceof StoreFault) && row.attempts === 2,
      ),
    );
  });

  if (traits.invalidContent !== undefined) {
    const invalidContent = traits.invalidContent;
    on("in a batch of 256 only the line that the database refuses fails", async (t, { a, store }) => {
      const lines = Array.from({ length: BATCH_MAX }, (_, i) => a.line({ txId: id(`p${i}`) }));
      lines[77] = { ...(lines[77] as ClaimLine), content: invalidContent((lines[77] as ClaimLine).content) };
      const claimed = await store.claim(lines);
      t.deepEqual(
        claimed.flatMap((outcome, i) => (outcome instanceof StoreFault ? [i] : [])),
        [77],
      );
      t.is(claimed.filter((outcome) => !(outcome instanceof StoreFault) && outcome.mine).length, BATCH_MAX - 1);
      const found = (await store.read(lines.map((line) => line.content))) as (Transaction | undefined)[];
      t.deepEqual(
        found.flatMap((row, i) => (row === undefined ? [i] : [])),
        [77],
      );
    });

    on("an error that is too long for its column fails only its own settle", async (t, { a, store }) => {
      const lines = ["1", "2", "3"].map((own) => a.line({ txId: id(own) }));
      await store.claim(lines);
      const settles = lines.map((line, i) =>
        a.settleLine(line.content, i === 1 ? a.failed("x".repeat(300)) : a.success(5n), line.token),
      );
      const outcomes = await store.settle(settles);
      t.deepEqual(
        outcomes.map((outcome) => outcome instanceof StoreFault || outcome),
        [true, true, true],
      );
      t.true(outcomes[1] instanceof StoreFault);
      t.is((await a.read((lines[1] as ClaimLine).content)).status, "pending");
      t.is((await a.read((lines[2] as ClaimLine).content)).status, "success");
    });
  }
}

const shuffled = <T>(list: readonly T[], seed: number): T[] =>
  list
    .map((one, i) => ({ one, at: Math.imul(i + 1, 2_654_435_761 + seed * 40_503) >>> 0 }))
    .sort((x, y) => x.at - y.at)
    .map(({ one }) => one);
