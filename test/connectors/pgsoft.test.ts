import test from "ava";
import { pgFields, startPgSoftStage } from "../../testbed/connectors/pgsoft.ts";

const wrong = (code: number) => ({ data: null, error: { code: String(code) } });
const spun = (balance: number) => ({ error: null, data: { balance_amount: balance } });

test.serial("a launch has our session, which names the player and shows the balance", async (t) => {
  const stage = await startPgSoftStage(t, {}, { PGSOFT_LAUNCH_OPTIONS: "oc=0" });
  const address = await stage.address();
  const { ops = "", ...others } = Object.fromEntries(address.searchParams);
  t.is(address.pathname, "/lucky/index.html");
  t.deepEqual(others, { oc: "0", btt: "1", ot: "operator-1", l: "pt" });
  const verified = await stage.call("VerifySession", { operator_player_session: ops, game_id: "lucky" });
  t.deepEqual(Object.keys(verified.data ?? {}), ["player_name", "nickname", "currency"]);
  t.like(verified, { error: null, data: { currency: "BRL" } });
  const player_name = String(verified.data?.player_name);
  const balance = await stage.call("Cash/Get", { operator_player_session: ops, player_name, game_id: "lucky" });
  t.like(balance, { error: null, data: { currency_code: "BRL", balance_amount: 100 } });
  t.is(typeof balance.data?.updated_time, "number");
});

test.serial("a spin takes its bet and pays its win in one call, once", async (t) => {
  const stage = await startPgSoftStage(t);
  const who = await stage.open();
  const spin = (fields: ReturnType<typeof pgFields>) => stage.call("Cash/TransferInOut", fields);
  const first = pgFields(who, 250, 600);
  const answer = { data: { currency_code: "BRL", balance_amount: 103.5, updated_time: Number(first.updated_time) } };
  t.deepEqual(await spin(first), { ...answer, error: null });
  t.deepEqual(await spin(first), { ...answer, error: null }, "the same spin again");
  const validated = { ...first, is_validate_bet: "True", operator_player_session: "gone" };
  t.deepEqual(await spin(validated), { ...answer, error: null }, "it comes again after its session");
  const otherEnd = { ...first, transaction_id: first.transaction_id?.replace(/0$/, "1") ?? "" };
  t.deepEqual(await spin(otherEnd), { ...answer, error: null }, "another balance id is the same spin");
  const larger = pgFields(who, 250, 900, { bet_id: first.bet_id });
  t.like(await spin(larger), wrong(3032), "the same id with another win");
  t.like(await spin(pgFields(who, 300, 600, { bet_id: first.bet_id })), wrong(3032), "and with another bet");
  t.like(await spin(pgFields(who, 350, 0)), spun(100), "a lost spin");
  t.like(await spin(pgFields(who, 10_001, 90_000)), wrong(3202));
  t.is(stage.balance(), 10_000n);
  const actions = stage.service.callbacks.map(({ body }) => (JSON.parse(body) as { action?: string }).action);
  t.deepEqual(actions.filter((action) => action === "bet" || action === "win").slice(0, 3), ["bet", "win", "bet"]);
});

test.serial("the spins of a feature are paid in the round of their parent", async (t) => {
  const stage = await startPgSoftStage(t);
  const who = await stage.open();
  const spin = (fields: ReturnType<typeof pgFields>) => stage.call("Cash/TransferInOut", fields);
  const parent = pgFields(who, 200, 0, { is_end_round: "False", is_feature_buy: "True" });
  t.like(await spin(parent), spun(98));
  const buy = JSON.parse(stage.service.callbacks.at(-1)?.body ?? "{}") as object;
  t.like(buy, { action: "bet", kind: "feature_buy", round_id: parent.bet_id });
  const feature = (win: number, more = {}) =>
    pgFields(who, 0, win, { parent_bet_id: parent.bet_id, is_feature: "True", is_end_round: "False", ...more });
  const second = feature(150);
  t.like(await spin(second), spun(99.5));
  t.like(await spin(second), spun(99.5));
  t.like(await spin(feature(0)), spun(99.5), "a spin of the feature that won nothing");
  t.like(await spin(feature(50, { is_end_round: "True" })), spun(100));
  t.like(await spin(pgFields(who, 100, 0, { parent_bet_id: parent.bet_id })), wrong(3033), "the round has ended");
  t.like(await spin(pgFields(who, 0, 500, { parent_bet_id: "unknown" })), wrong(3021), "a win without a bet");
  const free = pgFields(who, 0, 300, { bet_id: "free-1", transaction_id: "7-7-403-0", wallet_type: "G" });
  t.like(await spin(free), spun(103), "what free games have won");
  t.like(JSON.parse(stage.service.callbacks.at(-1)?.body ?? "{}"), { action: "win", kind: "free_rounds" });
  t.is(stage.balance(), 10_300n);
});

test.serial("prizes and corrections are moved once, in both directions", async (t) => {
  const stage = await startPgSoftStage(t);
  const who = await stage.open();
  const adjust = (id: string, transfer_amount: string, more = {}) =>
    stage.call("Cash/Adjustment", {
      player_name: who.player_name,
      currency_code: "BRL",
      transfer_amount,
      adjustment_id: id,
      adjustment_transaction_id: `${id}-900`,
      adjustment_time: "1700000000123",
      transaction_type: "900",
      bet_type: "1",
      ...more,
    });
  const prize = {
    data: { adjust_amount: 12.5, balance_before: 100, balance_after: 112.5, updated_time: 1_700_000_000_123 },
    error: null,
  };
  t.deepEqual(await adjust("1", "12.50"), prize);
  t.deepEqual(await adjust("1", "12.50"), prize);
  t.like(await adjust("2", "-2.50"), { data: { adjust_amount: -2.5, balance_before: 112.5, balance_after: 110 } });
  t.like(await adjust("2", "-2.50"), { data: { balance_after: 110 } });
  t.like(await adjust("2", "-3.50"), wrong(3032));
  t.like(await adjust("3", "-500.00"), wrong(3202));
  t.like(await adjust("4", "1.00", { player_name: "nobody" }), wrong(3004));
  t.like(await adjust("4", "1.00", { currency_code: "CLP" }), wrong(1034));
  t.like(await stage.call("Cash/UpdateBetDetail", { ...who }), { data: { is_success: true }, error: null });
  t.is(stage.balance(), 11_000n);
});

test.serial("PG Soft gets its own answer to wrong calls, and nothing moves", async (t) => {
  const stage = await startPgSoftStage(t);
  const who = await stage.open();
  const other = await stage.open({ player_id: "eva" });
  const spin = pgFields(who, 100, 0);
  const cases: readonly (readonly [string, Record<string, string>, number])[] = [
    ["a wrong operator", { operator_token: "operator-2" }, 1204],
    ["a wrong secret", { secret_key: "wrong" }, 1204],
    ["an unknown session", { operator_player_session: "gone" }, 1300],
    ["the session of another player", { player_name: other.player_name }, 1305],
    ["no player", { player_name: "" }, 1034],
    ["a late call of an unknown player", { is_validate_bet: "true", player_name: "nobody" }, 3004],
    ["another currency", { currency_code: "CLP" }, 1034],
    ["a transfer that is not win minus bet", { transfer_amount: "-1.01" }, 3073],
    ["a negative bet", { bet_amount: "-1.00", transfer_amount: "1.00" }, 1034],
    ["an amount that is no decimal", { bet_amount: "1,00" }, 1034],
    ["a part below the minor unit", { bet_amount: "1.005", transfer_amount: "-1.005" }, 1034],
    ["a wrong time", { updated_time: "now" }, 1034],
    ["no transaction", { transaction_id: "" }, 1034],
    ["an unknown game", { game_id: "nowhere" }, 1034],
  ];
  for (const [name, more, code] of cases)
    t.like(await stage.call("Cash/TransferInOut", { ...spin, ...more }), wrong(code), name);
  const { body } = stage.request("Cash/TransferInOut", spin);
  t.like(await stage.send("Cash/TransferInOut", `${body}&bet_amount=1.00`), wrong(1034), "a parameter twice");
  t.like(await stage.send("Cash/TransferInOut", `${body}&x=${"x".repeat(70_000)}`), wrong(1034), "a body too large");
  t.is((await fetch(`${stage.origin}/Cash/Nothing`, { method: "POST", body })).status, 404);
  t.is(stage.balance(), 10_000n);
  t.like(await stage.call("Cash/TransferInOut", { ...spin, unknown: "1" }), spun(99), "unknown fields");
});

const UNCLEAR = { REFUND_QUIET_PERIOD_MS: "200", WALLET_TIMEOUT_MS: "300" };

test.serial("a spin without an answer is finished by its repeat, which needs no session", async (t) => {
  const stage = await startPgSoftStage(t, { env: UNCLEAR });
  const who = await stage.open();
  t.like(await stage.call("Cash/Get", { ...who }), spun(100), "the balance is known");
  const parent = pgFields(who, 100, 400, { is_end_round: "False" });
  stage.service.wallet.setFault({ kind: "applied_no_reply" });
  t.like(await stage.call("Cash/TransferInOut", parent), wrong(1200));
  const feature = pgFields(who, 0, 500, { parent_bet_id: parent.bet_id });
  t.like(await stage.call("Cash/TransferInOut", feature), wrong(1200), "nobody knows whether its parent stands");
  stage.service.wallet.setFault({ kind: "none" });
  const late = { ...parent, is_validate_bet: "True", operator_player_session: "gone" };
  t.like(await stage.call("Cash/TransferInOut", late), { error: null });
  while (stage.balance() !== 10_300n) await new Promise((resolve) => setTimeout(resolve, 50));
  t.like(await stage.call("Cash/TransferInOut", feature), spun(108));
});

test.serial("a spin that PG Soft forgets is reversed whole, and then pays nothing", async (t) => {
  const stage = await startPgSoftStage(t, { env: UNCLEAR }, { PGSOFT_REVERSE_AFTER_MS: "1000" });
  const who = await stage.open();
  const spin = pgFields(who, 700, 900);
  stage.service.wallet.setFault({ kind: "applied_no_reply" });
  t.like(await stage.call("Cash/TransferInOut", spin), wrong(1200));
  stage.service.wallet.setFault({ kind: "none" });
  while (stage.balance() !== 10_000n) await new Promise((resolve) => setTimeout(resolve, 50));
  t.like(await stage.call("Cash/TransferInOut", { ...spin, is_validate_bet: "True" }), wrong(3033));
  t.like(await stage.call("Cash/TransferInOut", pgFields(who, 0, 500, { parent_bet_id: spin.bet_id })), wrong(3033));
  t.is(stage.balance(), 10_000n);
});

test.serial("with PGSOFT_WHOLE_ID the whole transaction_id names a spin", async (t) => {
  const stage = await startPgSoftStage(t, {}, { PGSOFT_WHOLE_ID: "true" });
  const who = await stage.open();
  const spin = pgFields(who, 100, 0, { is_end_round: "False" });
  t.like(await stage.call("Cash/TransferInOut", spin), spun(99));
  const second = { ...spin, transaction_id: `${spin.transaction_id}1` };
  t.like(await stage.call("Cash/TransferInOut", second), spun(98));
  t.like(await stage.call("Cash/TransferInOut", spin), spun(99));
});
