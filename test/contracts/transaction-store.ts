import test, { type ExecutionContext } from "ava";
import type { PlayerId, TxId, TxKey } from "../../src/domain/identifiers.ts";
import { type Change, type Content, type GameRef, NEVER, type Transaction, unseenOriginal } from "../../src/domain/transaction.ts";
import {
  type Attempt,
  BATCH_MAX,
  type Claimed,
  type ClaimLine,
  type Outcome,
  type SettleLine,
  StoreFault,
  type TransactionStore,
} from "../../src/ports/transaction-store.ts";

/** A store in which the two merchants have no rows. */
export interface TransactionStoreSetup {
  /** Replicas over the same rows, one at least. */
  readonly stores: readonly [TransactionStore, ...TransactionStore[]];
  /** Two merchants of this test's own. */
  readonly merchantId: number;
  readonly otherMerchantId: number;
  /** A game that exists. */
  readonly game: GameRef;
  /** Lets the database's clock go on by at least this. */
  pass(ms: number): Promise<void>;
}

export interface TransactionStoreTraits {
  /** A content that the store refuses, where it refuses any. */
  readonly poison?: (content: Content) => Content;
}

const LEASE_MS = 60_000;
let tokens = 0;
/** 32 hex digits, new each time. */
const token = (): string => (++tokens).toString(16).padStart(32, "0");
const id = (own: string): TxId => `ACME:${own}` as TxId;

/** The contract of ports/transaction-store.ts, for every implementation. */
export function transactionStoreContract(name: string, open: () => Promise<TransactionStoreSetup>, traits: TransactionStoreTraits = {}): void {
  const on = (title: string, run: (t: ExecutionContext, setup: TransactionStoreSetup & { store: TransactionStore; a: Actions }) => Promise<void>): void =>
    // One after the other: the tests bring their own concurrency, and some of them measure time.
    test.serial(`${name}: ${title}`, async (t) => {
      const setup = await open();
      const store = setup.stores[0];
      await run(t, { ...setup, store, a: new Actions(store, setup) });
    });

  // claim

  on("a claim inserts the row and answers it as the database has it", async (t, { a, store }) => {
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
        resolvedBy: null,
      } as never);
      t.is(openedAt, createdAt);
      t.is(updatedAt, createdAt);
      t.is(leaseUntil, as === "leased" ? createdAt + LEASE_MS : null);
      t.is(nextAt, as === "due" ? createdAt : null);
      t.true(readAt >= createdAt && Math.abs(createdAt - before) < 10_000);
      const stored = await a.read(line.content);
      t.true(Math.abs(stored.createdAt - createdAt) < 1_000, "the answer's times are the database's, give or take a round trip");
      t.is(stored.leaseUntil === null, leaseUntil === null);
      t.deepEqual({ ...stored, readAt, createdAt, openedAt, updatedAt, leaseUntil, nextAt }, claimed.row);
    }
    t.deepEqual(await store.read([{ merchantId: a.setup.merchantId, txId: id("none") }]), [undefined]);
  });

  on("a claim that finds a row answers it unchanged, whatever it asks for itself", async (t, { a }) => {
    const first = a.line({});
    await a.claim(first);
    const before = await a.read(first.content);
    const second = await a.claim(a.line({ amountMinor: 999n, playerId: "eve" as PlayerId }, "due"));
    t.false(second.mine);
    t.deepEqual({ ...second.row, readAt: 0 }, { ...before, readAt: 0 });
    t.deepEqual({ ...(await a.read(first.content)), readAt: 0 }, { ...before, readAt: 0 });
  });

  on("the same claim sent again is still its own", async (t, { a }) => {
    const line = a.line({});
    await a.claim(line);
    t.true((await a.claim(line)).mine);
  });

  on("a batch answers in the order of its lines, found and inserted ones mixed", async (t, { a, store }) => {
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
    const read = (await store.read(["7", "none", "9"].map((own) => ({ merchantId: a.setup.merchantId, txId: id(own) })))) as (Transaction | undefined)[];
    t.deepEqual(
      read.map((row) => row?.roundId),
      ["round 7", undefined, "round 9"],
    );
  });

  on("of 1 000 concurrent copies of one id exactly one wins", async (t, { a, stores }) => {
    const lines = Array.from({ length: 1_000 }, () => a.line({}));
    const claimed = (await Promise.all(lines.map((line, i) => (stores[i % stores.length] as TransactionStore).claim([line])))).flat() as Claimed[];
    const winners = lines.filter((_, i) => claimed[i]?.mine);
    t.is(winners.length, 1);
    t.true(claimed.every(({ row }) => row.leaseToken === winners[0]?.token));
  });

  on("unsorted overlapping batches of several replicas: every row has one winner", async (t, { a, stores }) => {
    const keys = Array.from({ length: 80 }, (_, i) => id(`k${i}`));
    const rounds = Array.from({ length: 24 }, (_, r) =>
      shuffled(keys, r)
        .slice(0, 60)
        .map((txId) => a.line({ txId })),
    );
    const claimed = await Promise.all(rounds.map((lines, r) => (stores[r % stores.length] as TransactionStore).claim(lines)));
    const wins = new Map<string, number>();
    for (const { mine, row } of claimed.flat() as Claimed[]) wins.set(row.txId, (wins.get(row.txId) ?? 0) + (mine ? 1 : 0));
    t.deepEqual([...new Set(wins.values())], [1]);
    // Settles of the same rows, in other orders, sent twice: each applies.
    const tokensOf = new Map((claimed.flat() as Claimed[]).map(({ row }) => [row.txId, row.leaseToken]));
    const settled = await Promise.all(
      Array.from({ length: 12 }, (_, r) => {
        const lines = shuffled([...tokensOf.keys()], r + 50).map((txId) => a.settleLine({ txId, leaseToken: tokensOf.get(txId) as string }, a.success(1n)));
        return (stores[r % stores.length] as TransactionStore).settle(lines);
      }),
    );
    t.true(settled.flat().every((applied) => applied === true));
  });

  on("tx1, Tx1, `tx1 ` and accents are rows of their own, and so is another merchant's", async (t, { a, store }) => {
    const owns = ["tx1", "Tx1", "tx1 ", "tx\u00e9", "txe\u0301", "txe", "tx😀"];
    const lines = [
      ...owns.map((own) => a.line({ txId: id(own), playerId: own as PlayerId })),
      a.line({ txId: id("tx1"), merchantId: a.setup.otherMerchantId }),
    ];
    const claimed = (await store.claim(lines)) as Claimed[];
    t.true(claimed.every(({ mine }) => mine));
    t.deepEqual(
      ((await store.read(lines.map((line) => line.content))) as Transaction[]).map((row) => [row.merchantId, row.txId, row.playerId]),
      lines.map(({ content }) => [content.merchantId, content.txId, content.playerId]),
    );
  });

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

  on("a full batch of every step is one call", async (t, { a, store }) => {
    const lines = Array.from({ length: BATCH_MAX }, (_, i) => a.line({ txId: id(`b${i}`) }));
    t.true(((await store.claim(lines)) as Claimed[]).every(({ mine }) => mine));
    t.true((await store.settle(lines.map((line) => a.settleLine(line.content, a.silent(0), line.token)))).every((applied) => applied === true));
    const again = lines.map((line) => ({ key: line.content, seen: a.seen("pending", line.token), token: token(), leaseMs: LEASE_MS }));
    t.true((await store.takeOver(again)).every((row) => row !== undefined && !(row instanceof StoreFault) && row.attempts === 2));
  });

  if (traits.poison !== undefined) {
    const poison = traits.poison;
    on("a poisoned row in a batch of 256 fails alone", async (t, { a, store }) => {
      const lines = Array.from({ length: BATCH_MAX }, (_, i) => a.line({ txId: id(`p${i}`) }));
      lines[77] = { ...(lines[77] as ClaimLine), content: poison((lines[77] as ClaimLine).content) };
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

    on("an answer that no column holds fails its own settle alone", async (t, { a, store }) => {
      const lines = ["1", "2", "3"].map((own) => a.line({ txId: id(own) }));
      await store.claim(lines);
      const settles = lines.map((line, i) => a.settleLine(line.content, i === 1 ? a.failed("x".repeat(300)) : a.success(5n), line.token));
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

  // takeOver

  on("a take-over of a silent row counts the attempt, keeps the due time, and answers the row", async (t, { a }) => {
    const line = a.line({ action: "win" });
    await a.claim(line);
    await a.settle(a.settleLine(line.content, a.silent(50_000), line.token));
    const was = await a.read(line.content);
    t.true(was.silentAt !== null && was.nextAt !== null && was.leaseUntil === null);
    const next = token();
    const row = await a.takeOver(was, next);
    t.like(row, { status: "pending", attempts: 2, leaseToken: next, silentAt: was.silentAt, nextAt: was.nextAt, openedAt: was.openedAt });
    t.true((row?.leaseUntil ?? 0) - (row?.readAt ?? 0) > LEASE_MS - 5_000);
  });

  on("a live lease, another token, status or mark fence a take-over off", async (t, { a, pass }) => {
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
  });

  on("a mark set since it was read fences a take-over off", async (t, { a }) => {
    const bet = a.line({});
    const { row } = await a.claim(bet);
    await a.settle(a.settleLine(bet.content, a.silent("never"), bet.token));
    const refund = a.line({ txId: id("refund"), action: "refund", refTxId: bet.content.txId }, "void");
    await a.claim(refund);
    t.true(await a.mark(refund, bet.content.txId));
    t.is(await a.takeOver(row), undefined);
    t.not(await a.takeOver({ ...row, reversedBy: refund.content.txId }), undefined);
  });

  on("an attempt that died is taken over as unanswered at the end of its lease", async (t, { a, pass }) => {
    const { row } = await a.claim(a.line({}, "leased", 20));
    await pass(30);
    const stored = await a.read(row);
    const taken = await a.takeOver(row);
    t.like(taken, { attempts: 2, silentAt: stored.leaseUntil });
  });

  on("a later silence stays when an older lease is found dead", async (t, { a, pass }) => {
    const line = a.line({ action: "win" }, "leased", 20);
    const { row } = await a.claim(line);
    await pass(40);
    // Late, but its token is still its own: it counts.
    t.true(await a.settle(a.settleLine(row, a.silent(0), line.token)));
    const silent = await a.read(row);
    const taken = await a.takeOver(silent, token());
    t.is(taken?.silentAt, silent.silentAt);
    t.true((silent.silentAt ?? 0) >= (row.leaseUntil ?? 0));
  });

  on("a failed credit is re-opened: pending, without its error, opened now", async (t, { a, pass }) => {
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
  });

  on("neither a success nor a void row is taken over", async (t, { a }) => {
    const bet = a.line({});
    await a.claim(bet);
    await a.settle(a.settleLine(bet.content, a.success(1n), bet.token));
    t.is(await a.takeOver(await a.read(bet.content)), undefined);
    const { row } = await a.claim(a.line({ txId: id("v") }, "void"));
    t.is(await a.takeOver(row), undefined);
  });

  on("of many that take the same row over one succeeds", async (t, { a, stores, pass }) => {
    const { row } = await a.claim(a.line({}, "leased", 1));
    await pass(10);
    const taken = await Promise.all(Array.from({ length: 40 }, (_, i) => new Actions(stores[i % stores.length] as TransactionStore, a.setup).takeOver(row)));
    t.is(taken.filter((one) => one !== undefined).length, 1);
  });

  // adopt

  on("adopt makes a void row the content's own, as a claim would have", async (t, { a, pass }) => {
    const ghost = await a.claim(a.line({ action: "bet", amountMinor: 1n, playerId: "someone" as PlayerId, roundId: "x" }, "void"));
    await pass(5);
    for (const as of ["leased"] as const) {
      const line = a.line({ action: "win", amountMinor: 700n }, as);
      const [row] = (await a.store.adopt([{ ...line, seen: ghost.row.leaseToken }])) as (Transaction | undefined)[];
      t.like(row, { ...line.content, status: "pending", attempts: 1, leaseToken: line.token, nextAt: null, silentAt: null });
      t.true((row?.createdAt ?? 0) > ghost.row.createdAt - 1);
      t.is(row?.openedAt, row?.createdAt);
      t.deepEqual(await a.store.adopt([{ ...a.line({}), seen: ghost.row.leaseToken }]), [undefined], "its token is spent");
    }
  });

  on("a void row may be adopted as due", async (t, { a }) => {
    const ghost = await a.claim(a.line({}, "void"));
    const [row] = (await a.store.adopt([{ ...a.line({ action: "win" }, "due"), seen: ghost.row.leaseToken }])) as (Transaction | undefined)[];
    t.like(row, { status: "pending", attempts: 0, leaseUntil: null });
    t.is(row?.nextAt, row?.createdAt);
  });

  on("a marked void row, or one that is void no longer, is not adopted", async (t, { a }) => {
    const ghost = await a.claim(a.line({}, "void"));
    const refund = a.line({ txId: id("refund"), action: "refund", refTxId: id("tx") }, "void");
    await a.claim(refund);
    t.true(await a.mark(refund, id("tx")));
    t.deepEqual(await a.store.adopt([{ ...a.line({}), seen: ghost.row.leaseToken }]), [undefined]);
    const { row } = await a.claim(a.line({ txId: id("real") }));
    t.deepEqual(await a.store.adopt([{ ...a.line({ txId: id("real") }), seen: row.leaseToken }]), [undefined]);
  });

  // mark

  on("a mark makes the reversal pending and due at once, and leaves lease and token of the reversed row", async (t, { a, pass }) => {
    const bet = await a.settledBet(a.success(5n));
    const refund = a.line({ txId: id("refund"), action: "refund", refTxId: bet.txId }, "void");
    const { row: ghost } = await a.claim(refund);
    await pass(5);
    t.true(await a.mark(refund, bet.txId));
    const row = await a.read(refund.content);
    t.like(row, { status: "pending", attempts: 0, leaseToken: refund.token, leaseUntil: null });
    t.is(row.nextAt, row.createdAt);
    t.is(row.openedAt, row.createdAt);
    t.true(row.createdAt > ghost.createdAt - 1);
    t.deepEqual({ ...(await a.read(bet)), readAt: 0 }, { ...bet, reversedBy: refund.content.txId, readAt: 0 });
  });

  on("a refund whose bet is in flight is due when that lease ends", async (t, { a }) => {
    const bet = await a.claim(a.line({}));
    const refund = a.line({ txId: id("refund"), action: "refund", refTxId: id("tx") }, "void");
    await a.claim(refund);
    t.true(await a.mark(refund, id("tx")));
    const stored = await a.read(bet.row);
    t.is((await a.read(refund.content)).nextAt, stored.leaseUntil);
    t.is(stored.leaseToken, bet.row.leaseToken);
    t.true(await a.settle(a.settleLine(stored, a.success(1n), stored.leaseToken)), "the bet in flight still records its answer");
  });

  on("a rollback is never due by itself", async (t, { a }) => {
    await a.claim(a.line({ txId: id("win"), action: "win" }));
    const rollback = a.line({ txId: id("rollback"), action: "rollback", refTxId: id("win") }, "void");
    await a.claim(rollback);
    t.true(await a.mark(rollback, id("win")));
    t.is((await a.read(rollback.content)).nextAt, NEVER);
  });

  on("a marked void original takes the content of the reversal that marked it", async (t, { a, pass }) => {
    const first = a.line({ txId: id("refund 1"), action: "refund", refTxId: id("tx"), amountMinor: 1n, playerId: "a" as PlayerId, roundId: "r1" }, "void");
    const second = a.line({ txId: id("refund 2"), action: "rollback", refTxId: id("tx"), amountMinor: 2n, playerId: "b" as PlayerId, roundId: "r2" }, "void");
    const ghost = a.line({ ...unseenOriginal(first.content) }, "void");
    await a.store.claim([ghost, first, second]);
    await pass(2);
    t.true(await a.mark(second, id("tx")));
    const original = await a.read(ghost.content);
    t.like(original, { ...unseenOriginal(second.content), status: "void", reversedBy: id("refund 2"), leaseToken: ghost.token });
    t.false(await a.mark(first, id("tx")), "the mark is taken");
    t.like(await a.read(first.content), { status: "void", attempts: 0 });
  });

  on("an original that became real since it was read is not marked by a reversal that contradicts it", async (t, { a }) => {
    const contradictions: Partial<Content>[] = [{ amountMinor: 251n }, { playerId: "other" as PlayerId }, { action: "rollback" }];
    for (const [i, contradiction] of contradictions.entries()) {
      const refund = a.line({ txId: id(`refund ${i}`), action: "refund", refTxId: id(`tx ${i}`), ...contradiction }, "void");
      const ghost = a.line(unseenOriginal(refund.content), "void");
      await a.store.claim([refund, ghost]);
      const bet = a.line({ txId: id(`tx ${i}`) }, "leased");
      await a.store.adopt([{ ...bet, seen: ghost.token }]);
      t.false(await a.mark(refund, id(`tx ${i}`)));
      t.like(await a.read(bet.content), { status: "pending", reversedBy: null });
      t.is((await a.read(refund.content)).status, "void");
    }
  });

  on("only one reversal owns the mark, in one batch and in many at once", async (t, { a, stores }) => {
    const bet = await a.settledBet(a.success(5n));
    const refunds = Array.from({ length: 20 }, (_, i) => a.line({ txId: id(`refund ${i}`), action: "refund", refTxId: bet.txId }, "void"));
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
  });

  on("a reversal that is not there, or void no longer, marks nothing", async (t, { a }) => {
    const bet = await a.settledBet(a.success(5n));
    t.false(await a.mark(a.line({ txId: id("none"), action: "refund", refTxId: bet.txId }, "void"), bet.txId));
    const refund = a.line({ txId: id("refund"), action: "refund", refTxId: bet.txId }, "leased");
    await a.claim(refund);
    t.false(await a.mark(refund, bet.txId));
    t.is((await a.read(bet)).reversedBy, null);
  });

  // settle

  on("an accepted attempt: success with its balance", async (t, { a }) => {
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

  on("a silent attempt: pending, silent now, due again or never", async (t, { a }) => {
    for (const next of [30_000, "never"] as const) {
      const line = a.line({ txId: id(String(next)), action: "win" });
      await a.claim(line);
      t.true(await a.settle(a.settleLine(line.content, a.silent(next), line.token)));
      const row = await a.read(line.content);
      t.like(row, { status: "pending", leaseUntil: null, silentAt: row.updatedAt, resolvedBy: null });
      t.is(row.nextAt, next === "never" ? NEVER : row.updatedAt + next);
    }
  });

  on("an answered attempt that stays pending is no silence", async (t, { a }) => {
    const line = a.line({ action: "refund", refTxId: id("bet") });
    await a.claim(line);
    t.true(await a.settle(a.settleLine(line.content, { ...a.silent(1_000), silent: false }, line.token)));
    t.like(await a.read(line.content), { status: "pending", silentAt: null });
  });

  on("the same settle sent twice answers the same and applies once", async (t, { a }) => {
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

  on("a settle after the lease counts while the token is its own, and not after a take-over", async (t, { a, pass }) => {
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
  });

  on("a settle of no row is not applied", async (t, { a }) => {
    t.false(await a.settle(a.settleLine({ txId: id("none") }, a.success(1n), token())));
  });

  // settle, with the reversed row

  on("a reversal's settle changes both rows, or only its own", async (t, { a }) => {
    const kept = await a.marked("kept", a.success(5n));
    t.true(await a.settleBoth(kept, a.success(9n), "success", null));
    t.like(await a.read(kept.refund), { status: "success", balanceMinor: 9n, leaseUntil: null });
    t.deepEqual({ ...(await a.read(kept.bet)), readAt: 0 }, { ...kept.bet, readAt: 0 });

    const both = await a.marked("both", a.silent("never"));
    t.true(await a.settleBoth(both, a.success(9n), "pending", { ...a.success(null), resolvedBy: `refund:${both.refund.txId}` }));
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
    t.like(await a.read(failed.bet), { status: "failed", error: "TRANSACTION_NOT_FOUND", resolvedBy: `refund:${failed.refund.txId}` });
  });

  on("a failed original whose reversal is accepted keeps what it was rejected with", async (t, { a }) => {
    const pair = await a.marked("x", a.failed("INSUFFICIENT_FUNDS"));
    t.true(await a.settleBoth(pair, a.success(9n), "failed", a.change({ status: "success", balanceMinor: null, rejected: "INSUFFICIENT_FUNDS" })));
    t.like(await a.read(pair.bet), { status: "success", balanceMinor: null, rejected: "INSUFFICIENT_FUNDS" });
  });

  on("a reversal's settle doesn't apply when the reversed row is not as it was seen: neither row changes", async (t, { a }) => {
    const pair = await a.marked("x", a.success(5n));
    for (const change of [null, a.failed("TRANSACTION_NOT_FOUND")]) {
      t.false(await a.settleBoth(pair, a.success(9n), "pending", change));
      t.deepEqual({ ...(await a.read(pair.refund)), readAt: 0 }, { ...pair.refund, readAt: 0 });
      t.deepEqual({ ...(await a.read(pair.bet)), readAt: 0 }, { ...pair.bet, readAt: 0 });
    }
    t.true(await a.settleBoth(pair, a.success(9n), "success", null), "judged anew, it applies");
    t.true(await a.settleBoth(pair, a.success(9n), "success", null), "and again answers the same");
  });

  on("the reversed row's dead lease is an unanswered attempt, given back under the reversal's token", async (t, { a, pass }) => {
    const bet = a.line({ txId: id("bet") }, "leased", 20);
    const { row } = await a.claim(bet);
    const refund = a.line({ txId: id("refund"), action: "refund", refTxId: id("bet") }, "void");
    await a.claim(refund);
    await a.mark(refund, id("bet"));
    await pass(30);
    const stored = await a.read(row);
    const taken = (await a.takeOver(await a.read(refund.content))) as Transaction;
    t.true(await a.settleBoth({ bet: stored, refund: taken }, a.failed("TRANSACTION_NOT_FOUND"), "pending", a.failed("TRANSACTION_NOT_FOUND")));
    t.like(await a.read(bet.content), { status: "failed", leaseUntil: null, silentAt: stored.leaseUntil, leaseToken: taken.leaseToken });
    t.false(await a.settle(a.settleLine(bet.content, a.success(1n), bet.token)), "the dead attempt's late settle is not taken for applied");
  });

  on("a bet's late answer and its refund's settle: the pair is never torn", async (t, { a, stores, pass }) => {
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
          i % 3 === 0 ? await store.settle([reversal, answer]) : (await Promise.all([store.settle([reversal]), a.store.settle([answer])])).flat();
        t.deepEqual([first, second].sort(), [false, true], "exactly one of the two applies");
        const [b, r] = [await a.read(bet.content), await a.read(refund.content)];
        t.deepEqual([b.status, r.status], first === true ? ["failed", "failed"] : ["success", "pending"]);
      }),
    );
  });

  // schedule and due

  on("schedule makes a pending row due, and a failed one pending again", async (t, { a, pass }) => {
    const win = a.line({ action: "win" });
    await a.claim(win);
    await a.settle(a.settleLine(win.content, a.silent("never"), win.token));
    const silent = await a.read(win.content);
    t.deepEqual(await a.store.schedule([{ key: silent, seen: silent, inMs: 40_000 }]), [true]);
    const scheduled = await a.read(win.content);
    t.like(scheduled, { status: "pending", openedAt: silent.openedAt, leaseToken: silent.leaseToken, attempts: 1, silentAt: silent.silentAt });
    t.true(Math.abs((scheduled.nextAt ?? 0) - scheduled.readAt - 40_000) < 5_000);

    const lost = a.line({ txId: id("failed"), action: "win" });
    await a.claim(lost);
    await a.settle(a.settleLine(lost.content, a.failed("X"), lost.token));
    const failed = await a.read(lost.content);
    await pass(5);
    t.deepEqual(await a.store.schedule([{ key: failed, seen: failed, inMs: 0 }]), [true]);
    const reopened = await a.read(lost.content);
    t.like(reopened, { status: "pending", attempts: 1, leaseUntil: null });
    t.false("error" in reopened);
    t.true(reopened.openedAt > failed.openedAt);
  });

  on("schedule leaves alone what is in flight, settled, void, or not as it was seen", async (t, { a }) => {
    const { row: flying } = await a.claim(a.line({ txId: id("flying"), action: "win" }));
    const done = await a.settledBet(a.success(1n));
    const { row: ghost } = await a.claim(a.line({ txId: id("ghost"), action: "win" }, "void"));
    const { row: due } = await a.claim(a.line({ txId: id("due"), action: "win" }, "due"));
    const lines = [flying, done, ghost, { ...due, leaseToken: token() }, { ...due, txId: id("none") }];
    t.deepEqual(await a.store.schedule(lines.map((row) => ({ key: row, seen: row, inMs: 0 }))), [false, false, false, false, false]);
  });

  on("schedule leaves alone what a reversal has marked since it was seen", async (t, { a }) => {
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
      t.deepEqual(await a.store.schedule([{ key: seen, seen, inMs: 0 }]), [false]);
      t.deepEqual({ ...(await a.read(win.content)), readAt: 0 }, { ...marked, readAt: 0 });
      t.deepEqual(await a.store.schedule([{ key: marked, seen: marked, inMs: 0 }]), [true]);
    }
  });

  on("due: what is due and not leased, the longest due first, so many of each merchant", async (t, { a, pass, merchantId, otherMerchantId }) => {
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
    await a.store.settle([a.settleLine(later.content, a.silent(60_000), later.token), a.settleLine(never.content, a.silent("never"), never.token)]);
    await pass(5);
    const due = async (merchants: number[], limit: number): Promise<TxId[]> => (await a.store.due(merchants, limit)).map((key) => key.txId);
    t.deepEqual(await due([merchantId, otherMerchantId], 10), ["z first", "a second", "other", "m third"].map(id));
    t.deepEqual(await due([merchantId, otherMerchantId], 1), ["z first", "other"].map(id));
    t.deepEqual(await due([otherMerchantId], 10), [id("other")]);
    t.deepEqual(await due([], 10), []);
    const [first] = await a.store.due([merchantId], 1);
    await a.takeOver(await a.read(first as TxKey));
    t.deepEqual(await due([merchantId], 10), ["a second", "m third"].map(id), "a leased row is not due");
  });

  on("a row that was taken over and whose process died is due again", async (t, { a, pass, merchantId }) => {
    const { row } = await a.claim(a.line({ action: "win" }, "due"));
    await pass(2);
    await a.store.takeOver([{ key: row, seen: row, token: token(), leaseMs: 20 }]);
    await pass(40);
    t.deepEqual(await a.store.due([merchantId], 5), [{ merchantId, txId: row.txId }]);
  });
}

const shuffled = <T>(list: readonly T[], seed: number): T[] =>
  list
    .map((one, i) => ({ one, at: Math.imul(i + 1, 2_654_435_761 + seed * 40_503) >>> 0 }))
    .sort((x, y) => x.at - y.at)
    .map(({ one }) => one);

/** What the tests do with a store, one line at a time. */
class Actions {
  readonly store: TransactionStore;
  readonly setup: TransactionStoreSetup;

  constructor(store: TransactionStore, setup: TransactionStoreSetup) {
    this.store = store;
    this.setup = setup;
  }

  line(more: Partial<Content>, as: ClaimLine["as"] = "leased", leaseMs = LEASE_MS): ClaimLine {
    const { merchantId, game } = this.setup;
    const content: Content = {
      merchantId,
      txId: id("tx"),
      action: "bet",
      playerId: "ana" as PlayerId,
      roundId: "round",
      amountMinor: 250n,
      currency: "BRL",
      game,
      refTxId: null,
      ...more,
    };
    return { content, token: token(), as, leaseMs };
  }

  async now(): Promise<number> {
    const line = this.line({ txId: id(`now ${token()}`) }, "void");
    await this.claim(line);
    return (await this.read(line.content)).readAt;
  }

  claim = async (line: ClaimLine): Promise<Claimed> => only(await this.store.claim([line]));
  settle = async (line: SettleLine): Promise<boolean> => only(await this.store.settle([line]));

  async read(key: TxKey): Promise<Transaction> {
    const row = only(await this.store.read([{ merchantId: key.merchantId, txId: key.txId }]));
    if (row === undefined) throw new Error(`no row ${key.txId}`);
    return row;
  }

  takeOver = async (row: Transaction, next = token()): Promise<Transaction | undefined> =>
    only(await this.store.takeOver([{ key: row, seen: row, token: next, leaseMs: LEASE_MS }]));
  mark = async (reversal: ClaimLine, reversed: TxId): Promise<boolean> =>
    only(await this.store.mark([{ key: reversal.content, seen: reversal.token, reversed }]));

  /** A bet that ended so. */
  async settledBet(change: Change, own = "bet"): Promise<Transaction> {
    const line = this.line({ txId: id(own) });
    await this.claim(line);
    await this.settle(this.settleLine(line.content, change, line.token));
    return this.read(line.content);
  }

  /** A bet that ended so, and its refund with its call in flight. */
  async marked(own: string, change: Change): Promise<{ bet: Transaction; refund: Transaction }> {
    const bet = await this.settledBet(change, `bet ${own}`);
    const refund = this.line({ txId: id(`refund ${own}`), action: "refund", refTxId: bet.txId }, "void");
    await this.claim(refund);
    await this.mark(refund, bet.txId);
    await this.takeOver(await this.read(refund.content));
    return { bet: await this.read(bet), refund: await this.read(refund.content) };
  }

  settleBoth(
    { bet, refund }: { bet: Transaction; refund: Transaction },
    change: Change,
    seen: Transaction["status"],
    reversed: Change | null,
  ): Promise<boolean> {
    return this.settle({ ...this.settleLine(refund, change, refund.leaseToken), reversed: { txId: bet.txId, seen, change: reversed } });
  }

  settleLine(key: { readonly txId: TxId; readonly leaseToken?: string }, change: Change, own = key.leaseToken as string): SettleLine {
    return { key: { merchantId: this.setup.merchantId, txId: key.txId }, token: own, change, attempt: this.attempt(1) };
  }

  attempt = (n: number): Attempt => ({
    n,
    at: 1_700_000_000_000 + n,
    durationMs: 12,
    httpStatus: 200,
    result: "accepted",
    requestId: "3b241101-e2bb-4255-8caf-4136c566a962",
  });
  seen = (status: Transaction["status"], leaseToken: string) => ({ status, leaseToken, reversedBy: null });

  change = (state: Change["state"]): Change => ({ state, resolvedBy: null, silent: false, next: null });
  success = (balanceMinor: bigint | null): Change => this.change({ status: "success", balanceMinor });
  failed = (error: string): Change => this.change({ status: "failed", error });
  silent = (next: number | "never"): Change => ({ state: { status: "pending" }, resolvedBy: null, silent: true, next });
}

function only<T>(outcomes: readonly Outcome<T>[]): T {
  const [outcome] = outcomes;
  if (outcomes.length !== 1) throw new Error(`one line got ${outcomes.length} answers`);
  if (outcome instanceof StoreFault) throw outcome;
  return outcome as T;
}
