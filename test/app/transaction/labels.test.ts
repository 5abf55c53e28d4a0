/** Labels of bets and wins: the first request decides them, and they never decide about a credit. */
import test from "ava";
import type { MoveRequest } from "../../../src/app/transaction/move-money.ts";
import { startMoney } from "./money.ts";

type Money = Awaited<ReturnType<typeof startMoney>>;

async function start(): Promise<Money & { readonly alerts: () => string[] }> {
  const money = await startMoney();
  const alerts = () =>
    money.engine.telemetry.alerts.map(
      ({ name, fields: { tx_id, field, recorded, given } }) => `${name} ${tx_id} ${field} ${recorded} ${given}`,
    );
  return { ...money, alerts };
}

const JACKPOT = { kind: "jackpot", promoId: "p1", jackpot: { id: "mega", tier: "grand" } };

test("the first request decides the labels; a repeat with others gets its result, and an alert names the first difference", async (t) => {
  const { engine, move, alerts, close } = await start();
  t.teardown(close);
  t.is(await move({ action: "win", txId: "w1", ...JACKPOT }), "success");
  const first = (await engine.row("w1"))?.labels;
  t.deepEqual(first, { kind: "jackpot", promoId: "p1", jackpotId: "mega", jackpotTier: "grand", jackpotMicros: null });
  t.is(await move({ action: "win", txId: "w1", ...JACKPOT }), "success");
  t.deepEqual(alerts(), []);
  t.is(await move({ action: "win", txId: "w1", ...JACKPOT, kind: "promo" }), "success");
  t.is(await move({ action: "win", txId: "w1", ...JACKPOT, jackpot: { id: "mega", tier: "" } }), "success");
  t.is(await move({ action: "win", txId: "w1" }), "success");
  t.deepEqual(alerts(), [
    "label_differs ACME:w1 kind jackpot promo",
    "label_differs ACME:w1 jackpot.tier grand null",
    "label_differs ACME:w1 kind jackpot null",
  ]);
  t.deepEqual((await engine.row("w1"))?.labels, first);
  t.is(engine.calls("w1"), 1);
  t.is(await move({ action: "win", txId: "w1", amountMinor: 1n, kind: "promo" }), "TRANSACTION_MISMATCH amount");
  t.is(alerts().length, 3, "another content is another fault");
});

test("a bet has its labels, and a repeat without them is no other bet", async (t) => {
  const { engine, move, alerts, close } = await start();
  t.teardown(close);
  const bet = { action: "bet", txId: "b1", kind: "tip", jackpotContributionMicros: 25_000n } as const;
  t.is(await move(bet), "success");
  t.is(await move({ action: "bet", txId: "b1" }), "success");
  t.deepEqual(alerts(), ["label_differs ACME:b1 kind tip null"]);
  t.like((await engine.row("b1"))?.labels, { kind: "tip", jackpotMicros: 25_000n });
  t.is(await move({ action: "bet", txId: "b2" }), "success");
  t.is(await move({ ...bet, txId: "b2" }), "success");
  t.is((await engine.row("b2"))?.labels, undefined);
});

test("copies at the same moment with different labels move money once, and one of them decides the labels", async (t) => {
  const { engine, move, alerts, close } = await start();
  t.teardown(close);
  const kinds = ["jackpot", "promo", "", "tournament"];
  const copies = await Promise.all(kinds.map((kind) => move({ action: "win", txId: "w1", kind })));
  t.deepEqual(new Set(copies), new Set(["success"]));
  t.is(engine.calls("w1"), 1);
  t.is(alerts().length, 3);
  t.is(engine.balance(), 10_250n);
});

test("a bet with a label that breaks its rule is refused", async (t) => {
  const { engine, move, close } = await start();
  t.teardown(close);
  const wrong: [Partial<MoveRequest>, string][] = [
    [{ kind: "jackpot" }, "kind"],
    [{ kind: "Tip" }, "kind"],
    [{ kind: "bonus" }, "kind"],
    [{ promoId: "p".repeat(129) }, "promo_id"],
    [{ promoId: "a\nb" }, "promo_id"],
    [{ jackpot: { id: "", tier: "x" } }, "jackpot.id"],
    [{ jackpot: { id: "x", tier: "t".repeat(65) } }, "jackpot.tier"],
    [{ jackpotContributionMicros: -1n }, "jackpot_contribution_micros"],
    [{ jackpotContributionMicros: 9_007_199_254_740_992n }, "jackpot_contribution_micros"],
  ];
  for (const [labels, field] of wrong)
    t.is(await move({ action: "bet", txId: "b1", ...labels }), `VALIDATION_ERROR ${field}`);
  t.is(await move({ action: "bet", txId: "b1", kind: "x", promoId: "\t" }), "VALIDATION_ERROR kind promo_id");
  t.is(await engine.row("b1"), undefined);
  const most = { promoId: "p".repeat(128), jackpot: { id: "j".repeat(128), tier: "t".repeat(64) } };
  t.is(
    await move({ action: "bet", txId: "b1", ...most, jackpotContributionMicros: 9_007_199_254_740_991n }),
    "success",
  );
});

test("no label refuses a win: a wrong one is left out, and an alert has it", async (t) => {
  const { engine, move, alerts, close } = await start();
  t.teardown(close);
  t.is(await move({ action: "win", txId: "w1", kind: "cashback", promoId: "p1" }), "success");
  t.deepEqual((await engine.row("w1"))?.labels, {
    kind: null,
    promoId: "p1",
    jackpotId: null,
    jackpotTier: null,
    jackpotMicros: null,
  });
  t.deepEqual(alerts(), ["label_differs ACME:w1 kind null cashback"]);
  const wrong = { kind: "tip", promoId: "x".repeat(200), jackpot: { id: "", tier: "grand" } };
  t.is(await move({ action: "win", txId: "w2", ...wrong }), "success");
  t.is((await engine.row("w2"))?.labels, undefined);
  t.deepEqual(
    alerts().slice(1),
    [
      "label_differs ACME:w2 kind null tip",
      `label_differs ACME:w2 promo_id null ${"x".repeat(128)}`,
      "label_differs ACME:w2 jackpot.id null ",
    ].toSorted((a, b) => alerts().indexOf(a) - alerts().indexOf(b)),
  );
  t.is(engine.balance(), 10_500n);
});

test("the callback has kind and promo_id as its last keys, in every attempt, and a reversal has neither", async (t) => {
  const { engine, move, close } = await start();
  t.teardown(close);
  const bodies = (own: string) =>
    engine.callbacks.map(({ body }) => body).filter((body) => body.includes(`ACME:${own}"`));
  engine.wallet.setFault({ kind: "http_500" });
  t.is(
    await move({ action: "bet", txId: "b1", kind: "feature_buy", promoId: 'p"1', jackpotContributionMicros: 5n }),
    "pending",
  );
  engine.wallet.setFault({ kind: "none" });
  t.is(await move({ action: "bet", txId: "b1" }), "success");
  const own = bodies("b1");
  t.is(own.length, 2);
  t.is(own[0], own[1]);
  t.true(own[0]?.endsWith('"amount":2.5,"kind":"feature_buy","promo_id":"p\\"1"}'), own[0]);
  t.is(await move({ action: "refund", txId: "f1", refTxId: "b1" }), "success");
  t.true(bodies("f1")[0]?.endsWith('"amount":2.5,"ref_tx_id":"ACME:b1"}'));
  t.is(await move({ action: "win", txId: "w1", jackpot: { id: "mega", tier: "" } }), "success");
  t.true(bodies("w1")[0]?.endsWith('"amount":2.5}'));
});

test("a win with a promotion needs no round: its round is the promotion's id", async (t) => {
  const { engine, move, alerts, close } = await start();
  t.teardown(close);
  const win = { action: "win", txId: "w1", roundId: "", kind: "promo", promoId: "p1" } as const;
  t.is(await move(win), "success");
  t.like(await engine.row("w1"), { roundId: "p1" });
  t.is(await move(win), "success");
  t.is(await move({ ...win, promoId: "p2" }), "success", "the promotion is a label");
  t.deepEqual(alerts(), ["label_differs ACME:w1 promo_id p1 p2"]);
  t.is(await move({ ...win, roundId: "p1" }), "success");
  t.is(await move({ ...win, roundId: "p2" }), "TRANSACTION_MISMATCH round_id");
  t.is(engine.calls("w1"), 1);
  t.is(await move({ action: "rollback", txId: "r1", refTxId: "w1", roundId: "p1" }), "success");
  t.is(await move({ ...win, txId: "w2", promoId: "" }), "VALIDATION_ERROR round_id");
  t.is(await move({ ...win, txId: "w2", promoId: "x".repeat(129) }), "VALIDATION_ERROR round_id");
  t.is(await move({ action: "bet", txId: "b1", roundId: "", promoId: "p1" }), "VALIDATION_ERROR round_id");
  t.is(await move({ action: "win", txId: "w3" }), "success");
  t.is(await move({ ...win, txId: "w3" }), "TRANSACTION_MISMATCH round_id", "the first request had a round");
});

test("an adjustment passes the gates of bets; every other bet does not", async (t) => {
  const { clock, engine, change, move, close } = await start();
  t.teardown(close);
  clock.ms = 25 * 3_600_000;
  await change({ enabled: false, products: [] }, false);
  t.is(await move({ action: "bet", txId: "b1", kind: "tip" }), "MERCHANT_DISABLED");
  const adjustment = { action: "bet", kind: "adjustment" } as const;
  t.is(await move({ ...adjustment, txId: "b2" }), "success");
  t.is(await move({ ...adjustment, txId: "b3", sessionId: "", playerRef: "ref-ana", game: "fruits" }), "success");
  t.is(await move({ ...adjustment, txId: "b4", sessionId: "" }), "VALIDATION_ERROR session_id");
  t.is(await move({ ...adjustment, txId: "b4", sessionId: "", playerRef: "ref-ana" }), "VALIDATION_ERROR game");
  t.is(await move({ ...adjustment, txId: "b4", currency: "USD" }), "CURRENCY_NOT_ENABLED currency");
  t.is(
    await move({ action: "bet", txId: "b5", sessionId: "", playerRef: "ref-ana", game: "fruits" }),
    "VALIDATION_ERROR session_id",
  );
  t.is(engine.balance(), 9_500n);
  t.is(await move({ ...adjustment, txId: "b6", amountMinor: 99_000n }), "failed:INSUFFICIENT_FUNDS");
  t.is(await move({ action: "refund", txId: "f1", refTxId: "b2" }), "success");
});
