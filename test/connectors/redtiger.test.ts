import test from "ava";
import { RECON_TOKEN, redTigerFields, startRedTigerStage, type Who } from "../../testbed/connectors/redtiger.ts";

type Stage = Awaited<ReturnType<typeof startRedTigerStage>>;

/** A stage with a player who has authenticated, as Red Tiger's tests of operators begin. */
async function ready(t: Parameters<typeof startRedTigerStage>[0], ...more: [object?, Record<string, string>?]) {
  const stage = await startRedTigerStage(t, ...more);
  const launched = await stage.open();
  const auth = await stage.call("auth", { ...launched, casino: "casino1", currency: "BRL", ip: "", channel: "APP" });
  return { ...stage, launched, auth, who: { ...launched, token: auth.result?.token ?? "" } };
}

const cashOf = (answer: Awaited<ReturnType<Stage["call"]>>) => answer.result?.balance?.cash;
const wrong = (code: number) => ({ http: 400, success: false, error: { code } });
const recon = (who: Who): Who => ({ ...who, token: RECON_TOKEN });
const UNKNOWN = "a-token-that-nobody-knows-but-long-enough";

test.serial("the game's address has the token, the player and what the merchant said", async (t) => {
  const stage = await startRedTigerStage(
    t,
    {},
    { REDTIGER_LAUNCH_OPTIONS: "hasHistory=true", REDTIGER_CHANNEL: "WEB" },
  );
  const lobby = "https://casino.example/lobby";
  const address = await stage.address({ lobby_url: lobby, deposit_url: "https://casino.example/cash?a=1" });
  t.is(address.pathname, "/lucky");
  const { token = "", userId = "", ...others } = Object.fromEntries(address.searchParams);
  t.regex(token, /^[\w-]{32}$/);
  t.regex(userId, /^[0-9a-z]{4,32}$/);
  t.deepEqual(others, {
    hasHistory: "true",
    currency: "BRL",
    casino: "casino1",
    channel: "WEB",
    lobbyUrl: lobby,
    depositUrl: "https://casino.example/cash?a=1",
    playMode: "real",
  });
});

test.serial("auth: a good token is replaced, whether the answer came or not, and a wrong one is refused", async (t) => {
  const stage = await ready(t);
  const { call, launched, who, auth } = stage;
  t.deepEqual(auth, {
    http: 200,
    success: true,
    result: {
      token: who.token,
      currency: "BRL",
      userId: who.userId,
      casino: "casino1",
      country: "BR",
      language: "pt",
      balance: { cash: "100.00", bonus: "0.00" },
    },
  });
  t.not(who.token, launched.token);
  t.like(await call("auth", { token: UNKNOWN, userId: "", casino: "", currency: "BRL", ip: "" }), wrong(301));
  t.like(await call("stake", redTigerFields(launched, "1.00")), wrong(301), "the launch's token is replaced");
  const again = await call("auth", { ...launched, userId: "", currency: "BRL" });
  t.true(again.success, "the game asks again, because it got no answer");
  for (const token of [who.token, again.result?.token ?? ""])
    t.true((await call("stake", redTigerFields({ ...who, token }, "1.00"))).success);
  t.is(stage.balance(), 9_800n);
});

test.serial("stakes: repeats, amounts, rounds and tokens are as Red Tiger's tests of operators ask", async (t) => {
  const stage = await ready(t);
  const { call, who } = stage;
  const stake = (amount: string, more = {}, as: Who = who) => call("stake", redTigerFields(as, amount, more));

  t.deepEqual(await stake("10.00", { id: "s1", round: "r1" }), {
    http: 200,
    success: true,
    result: {
      token: who.token,
      currency: "BRL",
      id: "REDTIGER:s1",
      stake: { cash: "10.00", bonus: "0.00" },
      balance: { cash: "90.00", bonus: "0.00" },
    },
  });
  t.is(cashOf(await stake("10.00", { id: "s1", round: "r1" })), "90.00", "the same id again");
  t.like(await stake("11.00", { id: "s1", round: "r1" }), wrong(401), "the same id with another amount");
  t.like(await stake("1.00", {}, { ...who, userId: "invalid-user" }), wrong(301));
  t.like(await stake("1.00", { currency: "FIM" }), wrong(305));
  t.like(await stake("1.00", { currency: "CLP" }), wrong(305));
  t.like(await stake("-10.00"), wrong(200));
  t.like(await stake("90.01"), wrong(304));
  t.is(cashOf(await stake("0.00")), "90.00", "a stake of 0");
  t.true((await stake("10.00", { round: "r2" })).success);
  t.true((await stake("10.00", { round: "r2" })).success, "a round with two stakes");
  t.true((await call("payout", redTigerFields(who, "10.00", { round: "r2", ends: true }))).success);
  t.like(await stake("10.00", { round: "r2" }), wrong(200), "the payout has ended the round");
  t.like(await stake("0.00", { round: "r2" }), wrong(200), "nor a stake of 0");
  t.is(cashOf(await stake("10.00", { id: "s1", round: "r1" })), "90.00", "a repeat is answered as before");
  t.like(await stake("10.00", {}, recon(who)), wrong(301), "the token for settlements takes no stake");
  const promo = { type: "bonus", instanceCode: "free-7", instanceId: 7, campaignCode: "", campaignId: 1 };
  const details = { game: "9.900000", jackpot: "0.100000" };
  const fields = redTigerFields(who, "10.00", { promo });
  const transaction = { ...fields.transaction, stakePromo: "5.00", details };
  t.is(cashOf(await call("stake", { ...fields, transaction })), "70.00", "the promotion's part is not cash");
  t.is(stage.balance(), 7_000n);
  t.like(JSON.parse(stage.service.callbacks.at(-1)?.body ?? "{}"), { action: "bet", promo_id: "free-7" });
});

test.serial("payouts: repeats, late ones and those without a stake", async (t) => {
  const stage = await ready(t);
  const { call, launched, who } = stage;
  const stake = (round: string, amount = "10.00") => call("stake", redTigerFields(who, amount, { round }));
  const payout = (amount: string, more = {}, as: Who = who) => call("payout", redTigerFields(as, amount, more));

  await stake("r1");
  t.deepEqual((await payout("25.50", { id: "p1", round: "r1", ends: true })).result, {
    token: who.token,
    currency: "BRL",
    id: "REDTIGER:p1",
    payout: { cash: "25.50", bonus: "0.00" },
    balance: { cash: "115.50", bonus: "0.00" },
  });
  t.is(cashOf(await payout("25.50", { id: "p1", round: "r1", ends: true, retry: true })), "115.50");
  t.like(await payout("26.50", { id: "p1", round: "r1" }), wrong(401), "the same id with another amount");
  t.is(cashOf(await payout("1.00", { round: "r1" }, recon(who))), "116.50", "a second, late payout");
  t.is(cashOf(await payout("1.00", { round: "r1" }, launched)), "117.50", "an old token is good for it");
  t.like(await payout("1.00", { round: "r1" }, { ...who, userId: "invalid-user" }), wrong(301));
  t.like(await payout("1.00", { round: "r1" }, recon({ ...who, userId: "invalid-user" })), wrong(301));
  t.like(await payout("1.00", { round: "r1", currency: "FIM" }), wrong(305));
  t.like(await payout("-10.00", { round: "r1" }), wrong(200));
  t.like(await payout("1.00", { round: "r1" }, { ...who, token: UNKNOWN }), wrong(301));
  t.like(await payout("1.00", { round: "nowhere" }), wrong(400), "no stake");
  const second = redTigerFields(who, "10.00", { round: "r1" });
  const withPromo = { ...second, transaction: { ...second.transaction, payoutPromo: "10.00" } };
  t.is(cashOf(await call("payout", withPromo)), "127.50", "the promotion's part is not cash");

  await stake("r2", "0.00");
  t.is(cashOf(await payout("2.00", { round: "r2", ends: true })), "129.50", "a free stake wins");
  await stake("r3", "1.00");
  t.is(cashOf(await payout("0.00", { id: "p3", round: "r3", ends: true })), "128.50");
  t.like(await stake("r3"), wrong(200), "a lost round has ended, too");
  const pot = redTigerFields(who, "5.00", { round: "r2", jackpot: { group: "daily", contribution: "0", pots: [] } });
  const details = { game: "1.00", jackpot: "4.000000" };
  t.is(cashOf(await call("payout", { ...pot, transaction: { ...pot.transaction, details } })), "133.50");
  t.like(JSON.parse(stage.service.callbacks.at(-1)?.body ?? "{}"), { action: "win", kind: "jackpot" });
  t.is(cashOf(await payout("0.019", { round: "r2" })), "133.51", "the part below the minor unit is cut");
  t.is(stage.balance(), 13_351n);
});

test.serial("refunds: once, of the stake's own amount, and never of a paid stake", async (t) => {
  const stage = await ready(t);
  const { call, who } = stage;
  const stake = (id: string, amount = "10.00") => call("stake", redTigerFields(who, amount, { id, round: `r-${id}` }));
  const refund = (id: string, amount = "10.00", as: Who = who) =>
    call("refund", redTigerFields(as, amount, { id, round: `r-${id}` }));

  await stake("s1");
  const refunded = await refund("s1");
  t.like(refunded, {
    http: 200,
    success: true,
    result: { token: who.token, stake: { cash: "10.00", bonus: "0.00" } },
    balance: { cash: "100.00", bonus: "0.00" },
    currency: "BRL",
  });
  t.deepEqual(await refund("s1"), refunded, "the same again moves nothing");
  t.like(await stake("s1"), wrong(201), "a late copy of the stake takes nothing");
  t.like(await call("payout", redTigerFields(who, "5.00", { round: "r-s1" })), wrong(400));
  await stake("s2");
  t.like(await refund("s2", "47.00", recon(who)), { success: true, result: { stake: { cash: "10.00" } } });
  t.like(await refund("s3"), wrong(400), "nobody knows this stake");
  t.like(await stake("s3"), wrong(201), "and it takes nothing when it comes");
  await stake("s4", "500.00");
  t.like(await refund("s4", "500.00"), wrong(400), "a stake that was refused");
  await stake("s5");
  t.like(await refund("s5", "10.00", { ...who, token: UNKNOWN }), wrong(301));
  t.like(await refund("s5", "10.00", { ...who, userId: "invalid-user" }), wrong(301));
  await call("payout", redTigerFields(who, "15.00", { id: "p5", round: "r-s5", ends: true }));
  t.like(await refund("s5"), wrong(401), "the round is paid");
  t.like(await refund("p5"), wrong(200), "a payout is no stake");
  await stake("s6", "0.00");
  t.like(await refund("s6", "0.00"), { success: true, result: { stake: { cash: "0.00" } } });
  t.is(stage.balance(), 10_500n);
});

test.serial("promotions: entries, prizes with and without a round, and refunds", async (t) => {
  const stage = await ready(t);
  const { call, who } = stage;
  const buyin = (id: string, more = {}, as: Who = who) =>
    call("promo/buyin", redTigerFields(as, "10.00", { id, round: `r-${id}`, ...more }));

  t.is(cashOf(await buyin("b1")), "90.00");
  t.is(cashOf(await buyin("b1")), "90.00", "the same id again");
  t.like(await call("promo/buyin", redTigerFields(who, "-10.00")), wrong(200));
  t.like(await buyin("b2", {}, { ...who, token: UNKNOWN }), wrong(301));
  t.like(await buyin("b2", {}, recon(who)), wrong(301));
  t.like(await buyin("b2", { currency: "EUR" }), wrong(305));
  const settle = (more = {}, as: Who = who) => call("promo/settle", redTigerFields(as, "10.00", more));
  t.is(cashOf(await settle({ round: "r-b1", ends: true })), "100.00");
  t.is(cashOf(await settle({ id: "w1", round: "" }, recon(who))), "110.00", "a prize without a round");
  t.is(cashOf(await settle({ id: "w1", round: "" })), "110.00", "the same id again");
  const promo = { type: "tournament", instanceCode: "cup-1", instanceId: 1, campaignCode: "cup", campaignId: 2 };
  t.is(cashOf(await settle({ promo, round: "", ends: true }, recon(who))), "120.00");
  t.like(JSON.parse(stage.service.callbacks.at(-1)?.body ?? "{}"), { kind: "promo", promo_id: "cup-1" });
  t.like(await settle({}, { ...who, token: UNKNOWN }), wrong(301));
  t.like(await settle({ currency: "EUR" }), wrong(305));

  const refund = (id: string, as: Who = who) =>
    call("promo/refund", redTigerFields(as, "10.00", { id, round: `r-${id}` }));
  await buyin("b3");
  t.like(await refund("b3", { ...who, token: UNKNOWN }), wrong(301));
  t.true((await refund("b3")).success);
  t.like(await refund("nowhere"), wrong(400));
  t.is(stage.balance(), 12_000n);
});

test.serial("Red Tiger gets its own answer to wrong calls, and nothing moves", async (t) => {
  const stage = await ready(t);
  const { who } = stage;
  const fields = redTigerFields(who, "1.00", { id: "x", round: "y" });
  const stake = (more: object = {}) => JSON.stringify({ ...fields, ...more });
  const money = (more: object) => stake({ transaction: { ...fields.transaction, ...more } });
  const cases: readonly (readonly [string, string, number, string?])[] = [
    ["a wrong key", stake(), 100, "Basic wrong"],
    ["no key", stake(), 100, ""],
    ["no JSON", "stake", 200],
    ["a key twice", stake().replace("{", '{"currency":"CLP",'), 200],
    ["a body too large", `{"token":"${"x".repeat(70_000)}"}`, 200],
    ["a short token", stake({ token: "short" }), 200],
    ["an unknown token", stake({ token: UNKNOWN }), 301],
    ["a user id too long", stake({ userId: "u".repeat(37) }), 200],
    ["no transaction", stake({ transaction: null }), 200],
    ["no round", stake({ round: {} }), 200],
    ["an id too long", money({ id: "i".repeat(33) }), 200],
    ["a number as amount", money({ stake: 1 }), 200],
    ["an amount that is no decimal", money({ stake: "1,00" }), 200],
    ["a part below the minor unit", money({ stake: "1.005" }), 200],
    ["an unknown game", stake({ game: { key: "nowhere" } }), 200],
  ];
  for (const [name, body, code, key] of cases) {
    const answer = await stage.send("stake", body, key);
    t.like(answer, { http: code === 100 ? 401 : 400, success: false, error: { code } }, name);
    t.deepEqual(Object.keys(answer), ["http", "success", "error"], name);
  }
  t.is((await fetch(`${stage.origin}/nowhere`, { method: "POST" })).status, 404);
  t.is((await fetch(`${stage.origin}/stake`)).status, 404);
  t.is(stage.balance(), 10_000n);
  const more = { unknown: [1], promo: "none", jackpot: 7 };
  t.true((await stage.send("stake", stake(more), "a-key-of-red-tiger")).success, "unknown fields, and wrong labels");
  t.is(stage.balance(), 9_900n);
});

test.serial("a stake without a clear answer is reversed by the connector, and then pays nothing", async (t) => {
  const env = { REFUND_QUIET_PERIOD_MS: "200", WALLET_TIMEOUT_MS: "300" };
  const stage = await ready(t, { env }, { REDTIGER_REVERSE_AFTER_MS: "1000" });
  const { call, who, service } = stage;
  service.wallet.setFault({ kind: "applied_no_reply" });
  t.like(await call("stake", redTigerFields(who, "7.00", { id: "s1", round: "r1" })), wrong(500));
  service.wallet.setFault({ kind: "none" });
  while (stage.balance() !== 10_000n) await new Promise((resolve) => setTimeout(resolve, 50));
  t.like(await call("payout", redTigerFields(who, "9.00", { round: "r1" })), wrong(400));
  t.true((await call("refund", redTigerFields(who, "7.00", { id: "s1", round: "r1" }))).success);
  t.is(stage.balance(), 10_000n);
});
