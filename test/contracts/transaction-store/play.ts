import type { Content, Transaction } from "../../../src/domain/transaction/transaction.ts";
import type { PlayerId } from "../../../src/domain/values/identifiers.ts";
import { id } from "../content.ts";
import { type Actions, LEASE_MS, type On, token } from "./actions.ts";

/** How often the end of a Play's bet and a reversal are sent at the same moment. */
const CROSSINGS = 60;

/** Void rows of a refund of the bet and of a rollback of the win, and the lines that mark these. */
async function reversalsOf(a: Actions, { bet, win }: Awaited<ReturnType<Actions["play"]>>) {
  const line = (action: "refund" | "rollback", of: Content) =>
    a.line({ ...of, txId: id(`${action} of ${of.txId}`), action, refTxId: of.txId }, "void");
  const unnamed = ({ bet: _, ...content }: Content): Content => content;
  const [refund, rollback] = [line("refund", bet.content), line("rollback", unnamed(win.content))];
  await a.claim(refund);
  await a.claim(rollback);
  return {
    refund: { key: refund.content, seen: refund.token, reversed: bet.content.txId },
    rollback: { key: rollback.content, seen: rollback.token, reversed: win.content.txId },
  };
}

/** Bets and wins of Plays. */
export function plays(on: On): void {
  on("a Play is a leased bet that names its win, and a void win that names its bet", async (t, { a }) => {
    const { bet, win, claimed } = await a.play("bet", {}, true);
    t.deepEqual(
      claimed.map(({ mine }) => mine),
      [true, true],
    );
    const [first, second] = [await a.read(bet.content), await a.read(win.content)];
    t.like(first, { status: "pending", attempts: 1, leaseToken: bet.token, playWin: id("bet win"), settledBy: null });
    t.is(first.bet, undefined);
    t.like(second, { status: "void", attempts: 0, leaseUntil: null, nextAt: null, playWin: null });
    t.deepEqual(second.bet, { txId: id("bet"), settles: true });
    t.like(claimed[0]?.row, { status: "pending", playWin: id("bet win") });
    t.deepEqual(claimed[1]?.row.bet, { txId: id("bet"), settles: true });
  });

  on("a Play whose rows exist changes nothing, and gets the rows", async (t, { a }) => {
    const first = await a.play("bet");
    const again = await a.play("bet", { amountMinor: 900n });
    t.deepEqual(
      again.claimed.map(({ mine, row }) => [mine, row.leaseToken, row.amountMinor]),
      first.claimed.map(({ row }) => [false, row.leaseToken, row.amountMinor]),
    );
    const other = a.line({ txId: id("other win"), action: "win" });
    await a.claim(other);
    const bet = a.line({ txId: id("second") });
    const [taken, kept] = await a.store.claimPlay([
      { ...bet, playWin: id("other win") },
      a.line({ txId: id("other win"), action: "win", bet: { txId: id("second"), settles: false } }, "void"),
    ]);
    t.like(taken, { mine: true });
    t.like(kept, { mine: false, row: { status: "pending", leaseToken: other.token } });
  });

  on("the end of the bet makes the win pending and leased, in one statement", async (t, { a }) => {
    const play = await a.play("bet");
    const before = await a.read(play.win.content);
    const line = a.endOf(play);
    await a.setup.pass(5);
    t.true(await a.settlePlay(line));
    const [bet, win] = [await a.read(play.bet.content), await a.read(play.win.content)];
    t.like(bet, { status: "success", balanceMinor: 5n, leaseUntil: null, nextAt: null, settledBy: null });
    t.like(win, { status: "pending", attempts: 1, leaseToken: line.win.token, nextAt: null, silentAt: null });
    t.true((win.leaseUntil ?? 0) > win.readAt);
    t.true(win.createdAt > before.createdAt, "it became a transaction at this moment");
    t.is(win.createdAt, bet.updatedAt);
    t.deepEqual(win.bet, { txId: id("bet"), settles: false });
    t.true(await a.settle(a.settleLine(win, a.success(9n), line.win.token)));
    t.like(await a.read(play.win.content), { status: "success", balanceMinor: 9n });
  });

  on("a win that settles marks its bet in the same statement", async (t, { a }) => {
    const play = await a.play("bet", {}, true);
    t.true(await a.settlePlay(a.endOf(play)));
    t.is((await a.read(play.bet.content)).settledBy, id("bet win"));
  });

  on("a repeat of the statement gets the same result and changes nothing", async (t, { a }) => {
    const play = await a.play("bet", {}, true);
    const line = a.endOf(play);
    t.true(await a.settlePlay(line));
    const rows = [await a.read(play.bet.content), await a.read(play.win.content)];
    t.true(await a.settlePlay(line));
    t.false(await a.settlePlay(a.endOf(play)), "another process has not made the win pending");
    const later = [await a.read(play.bet.content), await a.read(play.win.content)];
    t.deepEqual(
      later.map((row) => ({ ...row, readAt: 0 })),
      rows.map((row) => ({ ...row, readAt: 0 })),
    );
  });

  on("without the lease of the bet nothing is written", async (t, { a }) => {
    const play = await a.play("bet");
    t.false(await a.settlePlay({ ...a.endOf(play), token: token() }));
    const line = a.endOf(play);
    const open = { state: { status: "pending" }, resolvedBy: null, silent: true, next: "never" } as const;
    await a.settle(a.settleLine(play.bet.content, open, play.bet.token));
    t.false(await a.settlePlay(line));
    t.is((await a.read(play.bet.content)).status, "pending");
    t.is((await a.read(play.win.content)).status, "void");
  });

  on("a mark on the bet or on the win stops the statement, and the bet is settled alone", async (t, { a }) => {
    for (const which of ["refund", "rollback"] as const) {
      const play = await a.play(which);
      const line = a.endOf(play);
      const reversals = await reversalsOf(a, play);
      t.deepEqual(await a.store.mark([reversals[which]]), [true]);
      t.false(await a.settlePlay(line));
      t.like(await a.read(play.win.content), { status: "void", leaseToken: play.win.token });
      t.is((await a.read(play.bet.content)).status, "pending");
      t.true(await a.settle(line));
      t.is((await a.read(play.bet.content)).status, "success");
      t.is((await a.read(play.win.content)).status, "void");
    }
  });

  on("the mark of a rollback keeps the content of the win, and another content is not marked", async (t, { a }) => {
    const play = await a.play("bet");
    const wrong = a.line({ ...play.win.content, txId: id("k"), action: "rollback", refTxId: id("bet win") }, "void");
    const { bet: _, ...content } = wrong.content;
    for (const more of [{ amountMinor: 1n }, { playerId: "other" as PlayerId }] as const) {
      const own = { ...wrong, content: { ...content, txId: id(`k ${Object.keys(more)}`), ...more } };
      await a.claim(own);
      t.false(await a.mark(own, id("bet win")), `${Object.keys(more)}`);
    }
    const right = { ...wrong, content: { ...content, roundId: "of the rollback" } };
    await a.claim(right);
    t.true(await a.mark(right, id("bet win")));
    t.like(await a.read(play.win.content), {
      status: "void",
      reversedBy: id("k"),
      roundId: play.win.content.roundId,
      bet: { txId: id("bet"), settles: false },
    });
  });

  on("a win that does not wait for this bet does not become pending", async (t, { a }) => {
    const play = await a.play("bet");
    const other = await a.play("other");
    const free = a.line({ txId: id("free"), action: "win" }, "void");
    await a.claim(free);
    for (const win of [other.win, free, a.line({ txId: id("nothing"), action: "win" })])
      t.false(await a.settlePlay(a.endOf({ bet: play.bet, win })), win.content.txId);
    t.is((await a.read(play.bet.content)).status, "pending");
  });

  on("a void row becomes the win of a Play once", async (t, { a }) => {
    const free = a.line({ txId: id("win"), action: "rollback", refTxId: id("x") }, "void");
    await a.claim(free);
    const win = a.line({ txId: id("win"), action: "win", amountMinor: 900n, bet: { txId: id("bet"), settles: true } });
    const waits = async (seen: string) => (await a.store.wait([{ ...win, as: "void", seen }]))[0];
    t.is(await waits(token()), undefined);
    t.like(await waits(free.token), { status: "void", action: "win", amountMinor: 900n, leaseToken: win.token });
    t.like(await a.read(win.content), { status: "void", refTxId: null, bet: { txId: id("bet"), settles: true } });
    t.is(await waits(win.token), undefined, "its content is fixed");
    const bet = a.line({ txId: id("bet") }, "void");
    await a.claim(bet);
    const leased = { ...a.line({ txId: id("bet") }), seen: bet.token, playWin: id("win") };
    const [adopted] = await a.store.adopt([leased]);
    t.like(adopted, { status: "pending", playWin: id("win") });
    t.true(await a.settlePlay(a.endOf({ bet: leased, win })));
    t.like(await a.read(win.content), { status: "pending" });
  });

  on("the labels of a Play are stored with its rows, also those of the win that waits", async (t, { a }) => {
    const none = { promoId: null, jackpotId: null, jackpotTier: null, jackpotMicros: null };
    const labels = { ...none, kind: "jackpot", jackpotId: "mega" } as const;
    const play = await a.play("bet", { labels });
    for (const { content } of [play.bet, play.win]) t.deepEqual((await a.read(content)).labels, labels);
    t.deepEqual(
      play.claimed.map(({ row }) => row.labels),
      [labels, labels],
    );
    t.true(await a.settlePlay(a.endOf(play)));
    for (const { content } of [play.bet, play.win]) t.deepEqual((await a.read(content)).labels, labels);
    const free = a.line({ txId: id("free"), action: "win" }, "void");
    await a.claim(free);
    const win = a.line({ txId: id("free"), action: "win", bet: { txId: id("x"), settles: false }, labels }, "void");
    t.deepEqual(
      (await a.store.wait([{ ...win, seen: free.token }])).map((row) => (row as Transaction).labels),
      [labels],
    );
  });

  on("PayWin's statement pays a waiting win of an accepted bet", async (t, { a }) => {
    const play = await a.play("bet");
    const adopt = { ...play.win, as: "leased", leaseMs: LEASE_MS, token: token(), seen: play.win.token } as const;
    t.deepEqual(await a.store.adopt([adopt]), [undefined], "the bet is pending");
    await a.settle(a.settleLine(play.bet.content, a.success(5n), play.bet.token));
    t.like((await a.store.adopt([adopt]))[0], { status: "pending", attempts: 1, bet: { txId: id("bet") } });
  });

  on("many Plays in one batch", async (t, { a }) => {
    const own = Array.from({ length: 40 }, (_, i) => `bet ${(i * 7) % 40}`);
    const lines = own.flatMap((txId) => [
      { ...a.line({ txId: id(txId) }), playWin: id(`${txId} win`) },
      a.line({ txId: id(`${txId} win`), action: "win", bet: { txId: id(txId), settles: true } }, "void"),
    ]);
    const claimed = await a.store.claimPlay(lines);
    t.true(claimed.every((one) => "mine" in one && one.mine));
    const ends = own.map((_, i) => a.endOf({ bet: lines[2 * i] as never, win: lines[2 * i + 1] as never }));
    const rejected = a.settleLine(lines[0]?.content as Content, a.failed("NO"), lines[0]?.token as string);
    t.true(await a.settle(rejected));
    const settled = await a.store.settlePlay(ends);
    t.deepEqual(
      settled,
      own.map((_, i) => i > 0),
    );
    const rows = (await a.store.read(lines.map(({ content }) => content))) as Transaction[];
    for (const [i, txId] of own.entries()) {
      t.like(rows[2 * i], i === 0 ? { status: "failed" } : { status: "success", settledBy: id(`${txId} win`) });
      t.like(rows[2 * i + 1], i === 0 ? { status: "void" } : { status: "pending", leaseToken: ends[i]?.win.token });
    }
  });

  on("the end of a bet and a reversal of the Play cross: a marked Play pays no win", async (t, { a, stores }) => {
    const [one, two] = [stores[0], stores.at(-1) ?? stores[0]];
    for (let i = 0; i < CROSSINGS; i++) {
      const play = await a.play(`crossing ${i}`, {}, i % 2 === 0);
      const reversals = await reversalsOf(a, play);
      const which = i % 3 === 0 ? "rollback" : "refund";
      const line = { ...reversals[which], unlessSettled: i % 4 === 0 };
      const [[settled], [marked]] = await Promise.all([one.settlePlay([a.endOf(play)]), two.mark([line])]);
      const [bet, win] = [await a.read(play.bet.content), await a.read(play.win.content)];
      t.is(bet.status === "success", settled === true);
      t.is(win.status === "pending", settled === true);
      const isMarked = (which === "rollback" ? win : bet).reversedBy !== null;
      t.is(isMarked, marked === true);
      t.true(isMarked || settled === true, "one of them took effect");
      if (line.unlessSettled && which === "refund" && i % 2 === 0) t.false(isMarked && settled === true);
    }
  });
}
