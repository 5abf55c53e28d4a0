/** Plays: a bet and its win in one call. */
import test from "ava";
import type { PlayReply } from "../../../src/app/transaction/play.ts";
import type { Result } from "../../../src/domain/errors.ts";
import { pause } from "../../../testbed/in-process/engine.ts";
import { startMoney } from "./money.ts";

/** `bet / win`, each as the status and the error; a refusal as its code and field. */
function told(result: Result<PlayReply>): string {
  if (!result.ok) {
    const { code, field, details } = result.refusal;
    return [code, field, ...(Array.isArray(details) ? details.map((fault) => fault.field) : [])]
      .filter((part) => part !== undefined)
      .join(" ");
  }
  const { bet, win } = result.value;
  return [bet, win]
    .map((part) => (part === null ? "none" : part.error === "" ? part.status : `${part.status}:${part.error}`))
    .join(" / ");
}

const settling = { txId: "w1", amountMinor: 400n, settles: true };
const nothing = { txId: "w1", amountMinor: 0n, settles: false };

async function startPlay(options: Parameters<typeof startMoney>[0] = {}) {
  const money = await startMoney(options);
  const { engine } = money;
  return {
    ...money,
    ask: async (...args: Parameters<typeof money.play>) => told(await money.play(...args)),
    async ended(own: string) {
      for (;;) {
        const row = await engine.row(own);
        if (row !== undefined && row.status !== "void" && row.status !== "pending") return row;
        await pause(5);
      }
    },
  };
}

test("a Play takes the bet and pays the win; its reply has the balance after both and before the bet", async (t) => {
  const { engine, play, close } = await startPlay();
  t.teardown(close);
  const result = await play();
  t.deepEqual(result, {
    ok: true,
    value: {
      bet: {
        status: "success",
        txId: "ACME:b1",
        balanceMinor: 9_750n,
        balanceBeforeMinor: 10_000n,
        error: "",
        replayed: false,
      },
      win: {
        status: "success",
        txId: "ACME:w1",
        balanceMinor: 10_150n,
        balanceBeforeMinor: 9_750n,
        error: "",
        replayed: false,
      },
    },
  });
  t.like(await engine.row("b1"), { status: "success", playWin: "ACME:w1", settledBy: null, attempts: 1 });
  t.like(await engine.row("w1"), { status: "success", bet: { txId: "ACME:b1", settles: false }, attempts: 1 });
  t.is(engine.permits.hasPermitForResend(1), true);
});

test("a repeat gets the stored results, and the wallet is called once for each", async (t) => {
  const { engine, ask, play, move, close } = await startPlay();
  t.teardown(close);
  t.is(await ask(), "success / success");
  const again = await play();
  t.like(again.ok && again.value.bet, { status: "success", replayed: true, balanceMinor: 9_750n });
  t.like(again.ok && again.value.win, { status: "success", replayed: true, balanceMinor: 10_150n });
  t.is(await move({ action: "bet", txId: "b1" }), "success", "PlaceBet with the bet's content is its repeat");
  const win = { action: "win", txId: "w1", amountMinor: 400n } as const;
  t.is(await move({ ...win, betTxId: "b1" }), "success", "PayWin with the win's content is its repeat");
  t.is(await move(win), "TRANSACTION_MISMATCH bet_tx_id");
  t.is(engine.calls("b1"), 1);
  t.is(engine.calls("w1"), 1);
});

test("other content under a known id is a mismatch that names the part", async (t) => {
  const { ask, close, engine } = await startPlay();
  t.teardown(close);
  t.is(await ask(), "success / success");
  t.is(await ask({ bet: { txId: "b1", amountMinor: 300n } }), "TRANSACTION_MISMATCH amount");
  t.is(await ask({ win: { ...settling, settles: false, amountMinor: 500n } }), "TRANSACTION_MISMATCH win.amount");
  t.is(await ask({ win: { ...settling, settles: false, amountMinor: 0n } }), "TRANSACTION_MISMATCH win.amount");
  t.is(await ask({ win: settling }), "TRANSACTION_MISMATCH win.settles");
  t.is(await ask({ win: { ...settling, settles: false, txId: "w2" } }), "TRANSACTION_MISMATCH win.tx_id");
  t.is(await ask({ roundId: "r2" }), "TRANSACTION_MISMATCH round_id");
  t.is(engine.balance(), 10_150n);
});

test("a rejected bet fails the whole Play, and its win is never sent", async (t) => {
  const { engine, ask, move, close } = await startPlay();
  t.teardown(close);
  const bet = { txId: "b1", amountMinor: 99_000n };
  t.is(await ask({ bet }), "failed:INSUFFICIENT_FUNDS / none");
  t.is(await ask({ bet }), "failed:INSUFFICIENT_FUNDS / none");
  t.like(await engine.row("w1"), { status: "void" });
  t.is(await move({ action: "win", txId: "w1", amountMinor: 400n, betTxId: "b1" }), "BET_NOT_FOUND bet_tx_id");
  t.is(await ask({ bet, win: { ...settling, settles: false, amountMinor: 500n } }), "TRANSACTION_MISMATCH win.amount");
  t.is(engine.calls("w1"), 0);
  t.is(engine.balance(), 10_000n);
});

test("a silent bet is pending with its win, and a repeat ends both", async (t) => {
  const { engine, ask, move, close } = await startPlay();
  t.teardown(close);
  engine.wallet.setFault({ kind: "http_500" });
  t.is(await ask(), "pending / none");
  t.like(await engine.row("w1"), { status: "void" });
  t.is(await move({ action: "win", txId: "w1", amountMinor: 400n, betTxId: "b1" }), "BET_PENDING bet_tx_id");
  t.is(await move({ action: "win", txId: "w1", amountMinor: 500n, betTxId: "b1" }), "TRANSACTION_MISMATCH amount");
  t.is(await move({ action: "win", txId: "w1", amountMinor: 400n }), "TRANSACTION_MISMATCH bet_tx_id");
  t.is(await move({ action: "win", txId: "w1", amountMinor: 0n }), "TRANSACTION_MISMATCH amount");
  t.is(await move({ action: "bet", txId: "w1" }), "TRANSACTION_MISMATCH action");
  engine.wallet.setFault({ kind: "none" });
  t.is(await ask(), "success / success");
  t.is(engine.balance(), 10_150n);
});

test("when PlaceBet ends the bet of a Play, the win goes out by itself", async (t) => {
  const { engine, ask, move, ended, close } = await startPlay();
  t.teardown(close);
  engine.wallet.setFault({ kind: "http_500" });
  t.is(await ask({ win: settling }), "pending / none");
  engine.wallet.setFault({ kind: "none" });
  t.is(await move({ action: "bet", txId: "b1" }), "success");
  t.is((await ended("w1")).status, "success");
  t.like(await engine.row("b1"), { settledBy: "ACME:w1" });
  t.is(engine.balance(), 10_150n);
  t.is(await ask({ win: settling }), "success / success");
  t.is(engine.calls("w1"), 1);
});

test("a win that settles marks its bet with the bet's success", async (t) => {
  const { engine, ask, move, close } = await startPlay();
  t.teardown(close);
  t.is(await ask({ win: settling }), "success / success");
  t.like(await engine.row("b1"), { settledBy: "ACME:w1" });
  const other = { action: "win", txId: "w2", betTxId: "b1" } as const;
  t.is(await move({ ...other, settles: true }), "BET_SETTLED bet_tx_id");
  t.is(await move(other), "success");
  t.is(await move({ action: "refund", txId: "f1", refTxId: "b1", unlessSettled: true }), "BET_SETTLED ref_tx_id");
});

test("a refund of a silent bet ends the Play: the win is never sent", async (t) => {
  const { engine, ask, move, close } = await startPlay({ quietPeriodMs: 0 });
  t.teardown(close);
  engine.wallet.setFault({ kind: "http_500" });
  t.is(await ask(), "pending / none");
  t.is(await move({ action: "refund", txId: "f1", refTxId: "b1", unlessSettled: true }), "pending");
  t.is(await ask(), "pending / none", "only the refund can end the bet now");
  engine.wallet.setFault({ kind: "none" });
  t.is(await move({ action: "refund", txId: "f1", refTxId: "b1" }), "failed:TRANSACTION_NOT_FOUND");
  t.is(await ask(), "failed:TRANSACTION_NOT_FOUND / none");
  t.is(engine.calls("w1"), 0);
  t.is(engine.balance(), 10_000n);
});

test("a refund that is marked while the bet's call runs stops the win, whatever the wallet answers", async (t) => {
  const { engine, play, ask, move, close } = await startPlay();
  t.teardown(close);
  engine.wallet.setFault({ kind: "slow", ms: 300 });
  const played = play();
  while (engine.balance() === 10_000n) await pause(5);
  engine.wallet.setFault({ kind: "none" });
  const refunded = move({ action: "refund", txId: "f1", refTxId: "b1" });
  const result = await played;
  t.like(result.ok && result.value.bet, { status: "success" });
  t.like(result.ok && result.value.win, { status: "failed", error: "TRANSACTION_REVERSED" });
  t.is(await refunded, "success");
  t.is(await ask(), "TRANSACTION_REVERSED");
  t.is(engine.calls("w1"), 0);
  t.is(engine.balance(), 10_000n);
});

test("a rollback of the waiting win stops it, and the bet goes on", async (t) => {
  const { engine, ask, move, close } = await startPlay();
  t.teardown(close);
  engine.wallet.setFault({ kind: "http_500" });
  t.is(await ask(), "pending / none");
  engine.wallet.setFault({ kind: "none" });
  const rollback = { action: "rollback", txId: "k1", refTxId: "w1" } as const;
  t.is(await move({ ...rollback, amountMinor: 500n }), "TRANSACTION_MISMATCH amount", "its content is known");
  t.is(await move({ ...rollback, amountMinor: 400n }), "failed:TRANSACTION_NOT_FOUND");
  t.is(await ask(), "success / failed:TRANSACTION_REVERSED");
  t.is(await move({ action: "win", txId: "w1", amountMinor: 400n, betTxId: "b1" }), "TRANSACTION_REVERSED");
  t.is(engine.calls("w1"), 0);
  t.is(engine.balance(), 9_750n);
});

test("a Play whose win was rolled back before it came takes no stake", async (t) => {
  const { engine, ask, move, close } = await startPlay();
  t.teardown(close);
  t.is(
    await move({ action: "rollback", txId: "k1", refTxId: "w1", amountMinor: 400n }),
    "failed:TRANSACTION_NOT_FOUND",
  );
  t.is(await ask(), "failed:TRANSACTION_REVERSED / none");
  t.is(await ask(), "failed:TRANSACTION_REVERSED / none");
  t.is(engine.calls("b1"), 0);
  t.is(await move({ action: "refund", txId: "f1", refTxId: "b2" }), "failed:TRANSACTION_NOT_FOUND");
  t.is(await ask({ bet: { txId: "b2", amountMinor: 250n }, win: { ...nothing, txId: "w2" } }), "TRANSACTION_REVERSED");
});

test("a Play whose win has the id of another transaction takes no stake", async (t) => {
  const { engine, ask, move, close } = await startPlay();
  t.teardown(close);
  t.is(await move({ action: "win", txId: "w1", amountMinor: 400n }), "success");
  t.is(await ask(), "failed:TRANSACTION_MISMATCH / none");
  t.is(engine.calls("b1"), 0);
  t.is(await ask({ bet: { txId: "b2", amountMinor: 250n } }), "failed:TRANSACTION_MISMATCH / none");
  t.is(engine.balance(), 10_400n);
});

test("a Play of a bet that PlaceBet has stored is that bet's repeat, and then pays the win", async (t) => {
  const { engine, ask, move, close } = await startPlay();
  t.teardown(close);
  engine.wallet.setFault({ kind: "http_500" });
  t.is(await move({ action: "bet", txId: "b1" }), "pending");
  engine.wallet.setFault({ kind: "none" });
  t.is(await ask(), "success / success");
  t.is(await move({ action: "bet", txId: "b2" }), "success");
  t.is(
    await ask({ bet: { txId: "b2", amountMinor: 250n }, win: { txId: "w2", amountMinor: 400n, settles: true } }),
    "success / success",
  );
  t.like(await engine.row("b2"), { settledBy: "ACME:w2", playWin: null });
  t.is(
    await ask({ bet: { txId: "b2", amountMinor: 250n }, win: { txId: "w3", amountMinor: 400n, settles: true } }),
    "success / failed:BET_SETTLED",
  );
  t.is(engine.balance(), 10_300n);
});

test("a win of 0 is not sent: the Play is its bet, and the mark of the settlement", async (t) => {
  const { engine, ask, play, close } = await startPlay();
  t.teardown(close);
  t.is(await ask({ win: nothing }), "success / none");
  t.is(await ask({ win: nothing }), "success / none");
  t.is(await engine.row("w1"), undefined);
  t.like(await engine.row("b1"), { playWin: null, settledBy: null });
  const second = { bet: { txId: "b2", amountMinor: 250n }, win: { txId: "w2", amountMinor: 0n, settles: true } };
  const result = await play(second);
  t.like(result.ok && result.value, { bet: { status: "success", balanceMinor: 9_500n }, win: null });
  t.like(await engine.row("b2"), { settledBy: "ACME:w2" });
  t.is(await ask(second), "success / none");
  t.is(await ask({ ...second, win: { ...second.win, amountMinor: 400n } }), "success / failed:TRANSACTION_MISMATCH");
});

test("a bet of 0 takes nothing, and its win is a win without a bet", async (t) => {
  const { engine, ask, play, move, close } = await startPlay();
  t.teardown(close);
  const free = { bet: { txId: "b1", amountMinor: 0n } };
  const result = await play(free);
  t.like(result.ok && result.value.bet, { status: "success", txId: "" });
  t.like(result.ok && result.value.win, { status: "success", txId: "ACME:w1", balanceMinor: 10_400n });
  t.is(await engine.row("b1"), undefined);
  t.is((await engine.row("w1"))?.bet, undefined);
  t.is(await ask(free), "success / success");
  t.is(
    await ask({ ...free, win: { ...settling, settles: false, amountMinor: 1n } }),
    "TRANSACTION_MISMATCH win.amount",
  );
  t.is(await move({ action: "win", txId: "w1", amountMinor: 400n }), "success");
  t.is(await ask(), "failed:TRANSACTION_MISMATCH / none", "the win has no bet");
  const both = await play({ bet: { txId: "b3", amountMinor: 0n }, win: { ...nothing, txId: "w3" } });
  t.like(both, { ok: true, value: { bet: { status: "success", balanceMinor: 10_400n }, win: null } });
  t.is(await ask({ bet: { txId: "w1", amountMinor: 0n }, win: nothing }), "VALIDATION_ERROR win.tx_id");
});

test("a bet of 0 does not pass the gates of a bet if its win pays, because no stake is taken", async (t) => {
  const { engine, ask, clock, close } = await startPlay();
  t.teardown(close);
  t.is(await ask(), "success / success");
  clock.ms = 25 * 3_600_000;
  const second = { bet: { txId: "b2", amountMinor: 250n }, win: { ...nothing, txId: "w2" } };
  t.is(await ask(second), "SESSION_EXPIRED session_id");
  t.is(await ask({ ...second, win: { ...second.win, amountMinor: 400n } }), "SESSION_EXPIRED session_id");
  t.is(await engine.row("w2"), undefined, "nothing is stored of a refused Play");
  t.is(await ask(), "success / success", "a known Play is answered from its rows");
  t.is(await ask({ bet: { txId: "b2", amountMinor: 0n }, win: { ...settling, txId: "w2" } }), "success / success");
  t.is(await ask({ bet: { txId: "b3", amountMinor: 0n }, win: nothing }), "SESSION_EXPIRED session_id");
});

test("faults of the request are named all at once", async (t) => {
  const { ask, close } = await startPlay();
  t.teardown(close);
  t.is(
    await ask({ sessionId: "", roundId: "", bet: undefined, win: undefined }),
    "VALIDATION_ERROR session_id round_id bet win",
  );
  t.is(
    await ask({ bet: { txId: "", amountMinor: 1n }, win: { ...nothing, txId: "x".repeat(96) } }),
    "VALIDATION_ERROR bet.tx_id win.tx_id",
  );
  t.is(await ask({ bet: { txId: "b1", amountMinor: -1n } }), "INVALID_AMOUNT bet.amount_minor");
  t.is(await ask({ win: { ...nothing, amountMinor: -1n } }), "INVALID_AMOUNT win.amount_minor");
  t.is(await ask({ currency: "USD" }), "CURRENCY_NOT_ENABLED currency");
});

test("bet and win have labels: the first Play decides them, and no label refuses a win", async (t) => {
  const { engine, ask, close } = await startPlay();
  t.teardown(close);
  const bet = { txId: "b1", amountMinor: 250n, kind: "feature_buy", promoId: "p1" };
  const win = { ...settling, kind: "jackpot", jackpot: { id: "mega", tier: "grand" } };
  t.is(await ask({ bet: { ...bet, kind: "x" }, win }), "VALIDATION_ERROR bet.kind");
  t.is(await ask({ bet: { ...bet, kind: "adjustment" }, win }), "VALIDATION_ERROR bet.kind");
  engine.wallet.setFault({ kind: "http_500" });
  t.is(await ask({ bet, win }), "pending / none");
  t.like((await engine.row("w1"))?.labels, { kind: "jackpot", jackpotId: "mega", jackpotTier: "grand" });
  engine.wallet.setFault({ kind: "none" });
  t.is(await ask({ bet: { txId: "b1", amountMinor: 250n }, win: settling }), "success / success");
  t.like((await engine.row("b1"))?.labels, { kind: "feature_buy", promoId: "p1" });
  t.like((await engine.row("w1"))?.labels, { kind: "jackpot", jackpotId: "mega" });
  t.is(engine.telemetry.alerts.filter(({ name }) => name === "label_differs").length, 2);
  const second = { bet: { txId: "b2", amountMinor: 250n }, win: { ...settling, txId: "w2", kind: "nonsense" } };
  t.is(await ask(second), "success / success");
  t.is((await engine.row("w2"))?.labels, undefined);
});

test("a Play ends its round with its last success; a new Play in it is refused and stores nothing", async (t) => {
  const { engine, ask, settings, close } = await startPlay();
  t.teardown(close);
  engine.wallet.setFault({ kind: "http_500" });
  t.is(await ask({ roundEnded: true }), "pending / none");
  t.like(await engine.row("w1"), { status: "void", roundEnded: true });
  engine.wallet.setFault({ kind: "none" });
  t.is(settings.provider("ACME")?.endsRoundsSince, null, "a pending Play ends nothing");
  t.is(await ask({ roundEnded: true }), "success / success");
  t.like(await engine.row("b1"), { roundEnded: undefined });
  const second = { bet: { txId: "b2", amountMinor: 250n }, win: { ...settling, txId: "w2" } };
  t.is(await ask(second), "ROUND_ENDED round_id");
  t.is(await engine.row("b2"), undefined);
  t.is(await engine.row("w2"), undefined);
  t.is(await ask(), "success / success", "a known Play is answered from its rows");
  t.is(await ask({ ...second, roundId: "r2", roundEnded: true, win: { ...nothing, txId: "w2" } }), "success / none");
  t.is(await ask({ bet: { txId: "b3", amountMinor: 0n }, win: { ...nothing, txId: "w3" } }), "ROUND_ENDED round_id");
  t.is(await ask({ bet: { txId: "b3", amountMinor: 0n }, win: { ...settling, txId: "w3" } }), "success / success");
});

test("copies of a Play, of its bet and of its win on two replicas make one call of each", async (t) => {
  const { engine, play, plays, move, close } = await startPlay();
  t.teardown(close);
  const other = plays(engine.replica().transact);
  for (let i = 0; i < 40; i++) {
    const part = {
      bet: { txId: `b${i}`, amountMinor: 250n },
      win: { txId: `w${i}`, amountMinor: 250n, settles: true },
    };
    const win = { action: "win", txId: `w${i}`, amountMinor: 250n, betTxId: `b${i}`, settles: true } as const;
    const results = await Promise.all([
      play(part),
      play(part, other),
      play(part),
      move({ action: "bet", txId: `b${i}` }),
      move(win),
      play(part, other),
    ]);
    for (const result of results) if (typeof result !== "string") t.is(told(result), "success / success");
    t.is(await move(win), "success");
    t.is(engine.calls(`b${i}`), 1);
    t.is(engine.calls(`w${i}`), 1);
  }
  t.is(engine.balance(), 10_000n);
});

test("a silent win is pending, and the Play's repeat ends it", async (t) => {
  const { engine, ask, play, close } = await startPlay();
  t.teardown(close);
  engine.wallet.setFault({ kind: "slow", ms: 200 });
  const played = play();
  while (engine.balance() === 10_000n) await pause(5);
  engine.wallet.setFault({ kind: "http_500" });
  const result = await played;
  t.is(told(result), "success / pending");
  t.true(((await engine.row("w1"))?.nextAt ?? 0) > 0, "the worker sends it again");
  engine.wallet.setFault({ kind: "none" });
  t.is(await ask(), "success / success");
  t.is(engine.balance(), 10_150n);
});

test("at the deadline the Play is pending, and goes on", async (t) => {
  const { engine, ask, ended, close } = await startPlay();
  t.teardown(close);
  engine.wallet.setFault({ kind: "slow", ms: 400 });
  t.is(await ask({ deadline: engine.clock.monotonic() + 300 }), "pending / none");
  t.is((await ended("w1")).status, "success");
  t.is(await ask(), "success / success");
  t.is(engine.calls("b1") + engine.calls("w1"), 2);
});
