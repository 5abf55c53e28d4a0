import test from "ava";
import {
  type PragmaticFields,
  pragmaticFields,
  pragmaticHash,
  startPragmaticStage,
} from "../../testbed/connectors/pragmatic.ts";
import { merchantRecord } from "../../testbed/directory/records.ts";

test.serial("the hash is that of the API's example", (t) => {
  const fields = {
    amount: "2.50",
    gameId: "vs20example",
    providerId: "PragmaticPlay",
    reference: "5b1c6c1e6b524c3c8f1a0c8f",
    roundId: "5103188801",
    timestamp: "1700000000000",
    userId: "p-77",
  };
  t.is(pragmaticHash(fields), "c29a6e37395588cf9e20ef11befb5842");
  t.is(pragmaticHash({ ...fields, bonusCode: "" }), "c29a6e37395588cf9e20ef11befb5842");
});

for (const [variables, expected] of [
  [{}, "AR-B"],
  [{ PRAGMATIC_JURISDICTION: "MT" }, "MT"],
] as const) {
  test.serial(
    `authenticate tells the jurisdiction ${expected}: the setting of the connector, or else that of the merchant`,
    async (t) => {
      const stage = await startPragmaticStage(t, {}, variables);
      const secret = stage.service.secrets.get("shop-brl") ?? "";
      const told = { jurisdiction: "AR-B", defaultLanguage: "es" };
      const record = { brand: "shop", walletUrl: stage.service.wallet.url, secret, ...told };
      await stage.service.settings.save({ kind: "merchant", merchant: merchantRecord("shop-brl", record) });
      // The service reads new settings within a second. Then a launch has the new language.
      let launch = new URLSearchParams();
      while (launch.get("language") !== "es") launch = new URLSearchParams((await stage.launch()).body);
      t.is((await stage.call("authenticate", { token: launch.get("token") ?? "" })).jurisdiction, expected);
    },
  );
}

test.serial(
  "a player opens a game of Pragmatic, bets and wins, and a repeat of each call has its first answer",
  async (t) => {
    const stage = await startPragmaticStage(t);
    const { userId, token } = await stage.open();
    t.regex(token, /^[A-Za-z0-9_-]{32}$/);

    const launch = new URLSearchParams(stage.launched.at(-1)?.body);
    t.like(Object.fromEntries(launch), {
      secureLogin: "casino_casino",
      symbol: "lucky",
      language: "pt",
      externalPlayerId: userId,
      token,
      currency: "BRL",
      country: "BR",
      platform: "WEB",
      technology: "H5",
      stylename: "casino_casino",
      playMode: "REAL",
    });

    const seen = { currency: "BRL", cash: 100, bonus: 0, error: 0, description: "Success" };
    for (const gameId of ["", "lucky"])
      t.deepEqual(await stage.call("authenticate", { token, gameId }), { userId, token, country: "BR", ...seen });
    t.deepEqual(await stage.call("balance", { userId }), seen);
    t.like(await stage.call("getBalancePerGame", { userId, gameIdList: "lucky,table" }), {
      gamesBalances: [
        { gameID: "lucky", cash: 100, bonus: 0 },
        { gameID: "table", cash: 100, bonus: 0 },
      ],
      error: 0,
    });

    const bet = pragmaticFields(userId, { token });
    const taken = await stage.call("bet", bet);
    t.deepEqual(taken, { ...seen, transactionId: `PRAGMATIC:${bet.reference}`, cash: 97.5, usedPromo: 0 });
    t.deepEqual(await stage.call("bet", { ...bet, timestamp: "1800000000000" }), taken);

    const result = pragmaticFields(userId, { roundId: bet.roundId ?? "", amount: "6.00" });
    const paid = await stage.call("result", result);
    t.deepEqual(paid, { ...seen, transactionId: `PRAGMATIC:${result.reference}`, cash: 103.5 });
    t.deepEqual(await stage.call("result", result), paid);
    t.deepEqual(await stage.call("endRound", { userId, gameId: "lucky", roundId: bet.roundId ?? "" }), {
      cash: 103.5,
      bonus: 0,
      error: 0,
      description: "Success",
    });
    t.is(stage.balance(), 10_350n);
    const late = pragmaticFields(userId, { roundId: bet.roundId ?? "" });
    t.is((await stage.call("bet", late)).error, 3, "the round has ended");
    t.is(stage.balance(), 10_350n);
    for (const method of ["sessionExpired", "roundDetails"]) t.is((await stage.call(method, { userId })).error, 0);
  },
);

test.serial("a lost round has a result of 0, and a round may have several results", async (t) => {
  const stage = await startPragmaticStage(t);
  const { userId } = await stage.open();
  const bet = pragmaticFields(userId);
  const roundId = bet.roundId ?? "";
  t.is((await stage.call("bet", bet)).error, 0);
  const lost = pragmaticFields(userId, { roundId, amount: "0" });
  for (let times = 0; times < 2; times++) t.like(await stage.call("result", lost), { error: 0, cash: 97.5 });
  t.is((await stage.call("refund", { userId, reference: bet.reference })).error, 120, "the round is settled");
  const second = pragmaticFields(userId, { roundId, amount: "1.00" });
  const third = pragmaticFields(userId, { roundId, amount: "0.50" });
  for (const result of [second, third, second, third]) t.is((await stage.call("result", result)).error, 0);
  t.is((await stage.call("result", { ...second, amount: "1.01" })).error, 7, "the same reference, another amount");
  t.is((await stage.call("result", lost)).error, 0);
  t.is(stage.balance(), 9_900n);
});

test.serial("a refund has the bet's reference, is made once, and a late bet takes nothing", async (t) => {
  const stage = await startPragmaticStage(t);
  const { userId } = await stage.open();
  const bet = pragmaticFields(userId);
  await stage.call("bet", bet);
  const refunded = await stage.call("refund", { userId, reference: bet.reference });
  t.deepEqual(refunded, { transactionId: `PRAGMATIC:refund:${bet.reference}`, error: 0, description: "Success" });
  t.deepEqual(await stage.call("refund", { userId, reference: bet.reference, amount: "9.00" }), refunded);
  t.is(stage.balance(), 10_000n);
  t.is((await stage.call("bet", bet)).error, 120);
  const late = pragmaticFields(userId, { roundId: bet.roundId ?? "" });
  t.is((await stage.call("result", late)).error, 120, "its bet is refunded");
  const again = pragmaticFields(userId, { roundId: bet.roundId ?? "" });
  t.is((await stage.call("bet", again)).error, 0);
  t.is((await stage.call("result", late)).error, 0, "the round has another bet");
  t.is(stage.balance(), 10_000n);

  const unseen = pragmaticFields(userId);
  t.is((await stage.call("refund", { userId, reference: unseen.reference })).error, 0);
  t.is((await stage.call("bet", unseen)).error, 120);
  t.is((await stage.call("refund", { userId, reference: unseen.reference })).error, 0);
  t.is(stage.balance(), 10_000n);

  const other = pragmaticFields(userId, { amount: "1.00" });
  const win = pragmaticFields(userId, { roundId: other.roundId ?? "", amount: "3.00" });
  await stage.call("bet", other);
  await stage.call("result", win);
  t.is((await stage.call("refund", { userId, reference: win.reference })).error, 7, "a refund takes no win back");
  t.is(stage.balance(), 10_200n);
});

test.serial("a result without its bet is not paid until the bet comes", async (t) => {
  const stage = await startPragmaticStage(t);
  const { userId } = await stage.open();
  const bet = pragmaticFields(userId);
  const result = pragmaticFields(userId, { roundId: bet.roundId ?? "", amount: "4.00" });
  t.is((await stage.callOnce("result", result)).error, 100);
  t.is(stage.balance(), 10_000n);
  const rejected = pragmaticFields(userId, { roundId: bet.roundId ?? "", amount: "900.00" });
  t.is((await stage.call("bet", rejected)).error, 1);
  t.is((await stage.callOnce("result", result)).error, 100, "a rejected bet is no bet");
  t.is((await stage.call("bet", bet)).error, 0);
  t.like(await stage.call("result", result), { error: 0, cash: 101.5 });
  t.is(stage.balance(), 10_150n);
});

test.serial("free rounds: bets of 0, results with a bonusCode, and a total that pays nothing", async (t) => {
  const stage = await startPragmaticStage(t);
  const { userId } = await stage.open();
  const free = pragmaticFields(userId, { amount: "0.00", bonusCode: "gift" });
  for (let times = 0; times < 2; times++) t.like(await stage.call("bet", free), { error: 0, cash: 100 });
  const win = pragmaticFields(userId, { roundId: free.roundId ?? "", amount: "1.25" });
  for (let times = 0; times < 2; times++) t.like(await stage.call("result", win), { error: 0, cash: 101.25 });
  const alone = pragmaticFields(userId, { amount: "0.75", bonusCode: "gift" });
  for (let times = 0; times < 2; times++) t.like(await stage.call("result", alone), { error: 0, cash: 102 });
  const total = { userId, amount: "2.00", reference: "total", timestamp: "1700000000000", bonusCode: "gift" };
  for (let times = 0; times < 2; times++)
    t.like(await stage.call("bonusWin", total), { error: 0, cash: 102, transactionId: "total" });
  t.is(stage.balance(), 10_200n);
  const [last] = stage.service.callbacks.filter(({ body }) => body.includes(alone.reference));
  t.like(JSON.parse(last?.body ?? "{}"), { kind: "free_rounds", promo_id: "gift" });
});

test.serial("prizes: a jackpot, a tournament, and the prize that comes with a result", async (t) => {
  const stage = await startPragmaticStage(t);
  const { userId } = await stage.open();
  const jackpot = pragmaticFields(userId, { jackpotId: "mega", amount: "10.00" });
  for (let times = 0; times < 2; times++) t.like(await stage.call("jackpotWin", jackpot), { error: 0, cash: 110 });
  const { roundId: _, gameId: __, ...named } = pragmaticFields(userId, { amount: "5.00" });
  const prize = { ...named, campaignId: "77", campaignType: "T", currency: "BRL" };
  for (let times = 0; times < 2; times++) t.like(await stage.call("promoWin", prize), { error: 0, cash: 115 });
  t.is((await stage.call("promoWin", { ...prize, reference: "other", currency: "USD" })).error, 7);

  const bet = pragmaticFields(userId, { jackpotContribution: "0.0125", jackpotId: "mega" });
  const promo = {
    amount: "1.00",
    promoWinAmount: "2.00",
    promoWinReference: "drop-1",
    promoCampaignID: "88",
    promoCampaignType: "R",
  };
  const result = pragmaticFields(userId, { roundId: bet.roundId ?? "", ...promo });
  t.is((await stage.callOnce("result", result)).error, 100, "the prize waits for the result's bet");
  t.is(stage.balance(), 11_500n);
  await stage.call("bet", bet);
  for (let times = 0; times < 2; times++)
    t.like(await stage.call("result", result), {
      error: 0,
      cash: 115.5,
      transactionId: `PRAGMATIC:${result.reference}`,
    });
  t.is(stage.balance(), 11_550n);
  const labels = stage.service.callbacks
    .map(({ body }) => JSON.parse(body) as Record<string, unknown>)
    .map(({ tx_id, kind, promo_id, round_id }) => [tx_id, kind, promo_id, round_id]);
  for (const wanted of [
    [`PRAGMATIC:${jackpot.reference}`, "jackpot", undefined, jackpot.roundId],
    [`PRAGMATIC:${prize.reference}`, "tournament", "77", "77"],
    ["PRAGMATIC:drop-1", "promo", "88", bet.roundId],
  ])
    t.true(
      labels.some((found) => JSON.stringify(found) === JSON.stringify(wanted)),
      `${wanted}`,
    );
});

test.serial("an adjustment takes or gives money, once", async (t) => {
  const stage = await startPragmaticStage(t);
  const { userId } = await stage.open({ game: "table" });
  const fields = pragmaticFields(userId, { gameId: "table", validBetAmount: "5.00" });
  const down = { ...fields, amount: "-4.00" };
  for (let times = 0; times < 2; times++)
    t.like(await stage.call("adjustment", down), { error: 0, cash: 96, transactionId: `PRAGMATIC:${down.reference}` });
  t.is((await stage.call("adjustment", { ...down, amount: "4.00" })).error, 7, "the same reference, another sign");
  const up = { ...fields, amount: "1.50", reference: "up" };
  for (let times = 0; times < 2; times++) t.like(await stage.call("adjustment", up), { error: 0, cash: 97.5 });
  t.like(await stage.call("adjustment", { ...fields, amount: "0.00", reference: "none" }), { error: 0, cash: 97.5 });
  t.is((await stage.call("adjustment", { ...fields, amount: "-900.00", reference: "all" })).error, 1);
  t.is((await stage.callOnce("result", pragmaticFields(userId, { roundId: fields.roundId ?? "" }))).error, 100);
  t.is(stage.balance(), 9_750n);
});

test.serial("amounts: a bet below the cent is refused, a win is cut, and CLP has no decimals", async (t) => {
  const stage = await startPragmaticStage(t);
  const { userId } = await stage.open();
  t.is((await stage.call("bet", pragmaticFields(userId, { amount: "0.005" }))).error, 7);
  t.like(await stage.call("bet", pragmaticFields(userId, { amount: "0.1" })), { error: 0, cash: 99.9 });
  const jackpot = pragmaticFields(userId, { jackpotId: "mega", amount: "1.239" });
  for (let times = 0; times < 2; times++) t.like(await stage.call("jackpotWin", jackpot), { error: 0, cash: 101.13 });
  t.is((await stage.call("jackpotWin", { ...jackpot, amount: "1.238" })).error, 7);
  t.is(stage.balance(), 10_113n);

  const peso = await stage.open({}, "shop-clp");
  t.like(await stage.call("bet", pragmaticFields(peso.userId, { amount: "100.00" })), { error: 0, cash: 9_900 });
  t.is((await stage.call("bet", pragmaticFields(peso.userId, { amount: "100.50" }))).error, 7);
  t.is(stage.balance("shop-clp"), 9_900n);
});

test.serial("bad input gets the API's own error, and moves nothing", async (t) => {
  const stage = await startPragmaticStage(t);
  const { userId, token } = await stage.open();
  const fields = pragmaticFields(userId);
  const signed = (all: PragmaticFields) => new URLSearchParams({ ...all, hash: pragmaticHash(all) }).toString();
  const errorOf = async (method: string, body: string): Promise<number> => {
    const { error } = await stage.send(method, body);
    return error === 100 ? errorOf(method, body) : error;
  };

  const { reference: _, ...unnamed } = fields;
  const wrong: readonly (readonly [string, PragmaticFields, number])[] = [
    ["bet", { ...fields, userId: "nobody" }, 2],
    ["result", { ...fields, userId: "nobody" }, 2],
    ["refund", { userId: "nobody", reference: "r" }, 2],
    ["balance", { userId: "nobody" }, 2],
    ["endRound", { userId: "nobody", gameId: "lucky", roundId: "r" }, 2],
    ["adjustment", { ...fields, userId: "nobody" }, 2],
    ["promoWin", { ...fields, userId: "nobody", campaignId: "1", campaignType: "T", currency: "BRL" }, 2],
    ["authenticate", { token: "nothing" }, 4],
    ["bet", { ...fields, token: "nothing" }, 4],
    ["bet", { ...fields, gameId: "nothing" }, 8],
    ["authenticate", { token, gameId: "nothing" }, 8],
    ["jackpotWin", { ...fields, gameId: "nothing", jackpotId: "mega" }, 8],
    ["authenticate", {}, 7],
    ["balance", {}, 7],
    ["bet", unnamed, 7],
    ["refund", { userId }, 7],
    ["result", { ...fields, promoWinAmount: "much" }, 7],
    ["adjustment", { ...fields, amount: "--1" }, 7],
    ...["-1.00", "1e2", "1,50", " ", "0x10", "1.", "1".repeat(40), "99999999999.00"].map(
      (amount) => ["bet", { ...fields, amount }, 7] as const,
    ),
    ...["reference", "roundId", "gameId"].flatMap((name) =>
      ["", "\u0000", "é".repeat(70)].map((value) => ["bet", { ...fields, [name]: value }, 7] as const),
    ),
  ];
  for (const [method, all, error] of wrong)
    t.is(await errorOf(method, signed({ providerId: "PragmaticPlay", ...all })), error, JSON.stringify([method, all]));

  const body = signed(fields);
  t.is(await errorOf("bet", body.replace(/hash=./, "hash=g")), 5);
  t.is(
    await errorOf(
      "bet",
      body.replace(/hash=(\w+)/, (_, hash: string) => `hash=${hash.toUpperCase()}`),
    ),
    5,
  );
  t.is(await errorOf("bet", new URLSearchParams(fields).toString()), 5);
  t.is(await errorOf("bet", body.replace("amount=2.50", "amount=0.50")), 5);
  t.is(await errorOf("bet", `${body}&bonusCode=x`), 5, "an unknown parameter is part of the hash, too");
  t.is(await errorOf("bet", new URLSearchParams({ ...fields, hash: pragmaticHash(fields, "other") }).toString()), 5);
  t.is(await errorOf("bet", `${body}&amount=0.01`), 7, "a parameter that comes twice");
  t.is(await errorOf("bet", `${body}&hash=1`), 7);
  t.is(await errorOf("bet", `${body}&language=%ff`), 7);
  t.is(await errorOf("bet", `${body}&language=%zz`), 7);
  t.is(await errorOf("bet", JSON.stringify(fields)), 5);
  t.is(await errorOf("bet", ""), 5);
  t.is(await errorOf("bet", signed({ ...fields, language: "x".repeat(70_000) })), 7);
  t.is((await stage.sendRaw("withdraw", body)).http, 404);
  t.is((await fetch(`${stage.origin}/bet.html?${body}`)).status, 404);
  t.is(stage.balance(), 10_000n);

  const unknown = { ...fields, somethingNew: "a b+c&d=é", "specPrizes[0].specPrizeType": "x", empty: "" };
  t.is(await errorOf("bet", signed(unknown)), 0, "unknown fields are ignored");
  t.is(stage.balance(), 9_750n);
  t.is((await stage.sendRaw("casino/pragmatic/bet", signed(unknown))).http, 200, "any path before the method");
  t.is(stage.balance(), 9_750n);
});

test.serial("what belongs to another player, or was used otherwise, moves nothing", async (t) => {
  const stage = await startPragmaticStage(t);
  const { userId } = await stage.open();
  stage.service.wallet.ledger.addPlayer("shop-brl", "bob", 10_000n);
  const bob = await stage.open({ player_id: "bob" });
  const bet = pragmaticFields(userId);
  await stage.call("bet", bet);
  t.is((await stage.call("bet", { ...bet, amount: "2.51" })).error, 7);
  t.is((await stage.call("bet", { ...bet, userId: bob.userId })).error, 7);
  t.is((await stage.call("bet", { ...bet, reference: "x", token: bob.token })).error, 4);
  t.is((await stage.call("refund", { userId: bob.userId, reference: bet.reference })).error, 7);
  const result = pragmaticFields(bob.userId, { roundId: bet.roundId ?? "" });
  t.is((await stage.callOnce("result", result)).error, 100, "his round has no bet");
  t.is(stage.balance(), 9_750n);
  t.is(stage.service.wallet.ledger.balanceMinor("shop-brl", "bob"), 10_000n);
});

test.serial(
  "a round with two bets: an unclear bet gets 100, repeats pay once, and the result closes both",
  async (t) => {
    const stage = await startPragmaticStage(t, { env: { WALLET_TIMEOUT_MS: "300", REFUND_QUIET_PERIOD_MS: "0" } });
    const { userId } = await stage.open();
    const { wallet } = stage.service;
    const first = pragmaticFields(userId);
    const round = { roundId: first.roundId ?? "" };
    wallet.setFault({ kind: "applied_no_reply" });
    t.is((await stage.callOnce("bet", first)).error, 100, "nobody knows the outcome");
    wallet.setFault({ kind: "none" });

    const second = pragmaticFields(userId, round);
    t.is((await stage.call("bet", second)).error, 0);
    const results = ["1.00", "0.50"].map((amount) => pragmaticFields(userId, { ...round, amount }));
    for (const result of results) t.is((await stage.call("result", result)).error, 0);
    t.is((await stage.call("bet", first)).error, 0, "the repeat finds that the wallet has taken it");
    for (const result of results) t.is((await stage.call("result", result)).error, 0, "a repeat names the same bet");
    for (const { reference } of [first, second]) t.is((await stage.call("refund", { userId, reference })).error, 120);
    t.is(stage.balance(), 9_650n);

    const unclear = pragmaticFields(userId);
    wallet.setFault({ kind: "applied_no_reply" });
    t.is((await stage.callOnce("bet", unclear)).error, 100);
    wallet.setFault({ kind: "none" });
    t.is((await stage.call("refund", { userId, reference: unclear.reference })).error, 0);
    t.is(stage.balance(), 9_650n);
  },
);
