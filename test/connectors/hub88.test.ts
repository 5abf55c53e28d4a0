import test from "ava";
import { NO_FAULT } from "../../sandbox/merchant/faults.ts";
import { hubFields, startHubStage } from "../../testbed/connectors/hub88.ts";

test("a player opens a game of Hub88, bets, wins, and a bet is rolled back: the wallet has the same money as Hub88", async (t) => {
  const hub = await startHubStage(t);
  const who = await hub.open();
  t.regex(who.user, /^[0-9a-f]{32}$/);
  t.regex(who.token, /^[A-Za-z0-9_-]{32}$/);

  const balance = await hub.call("balance", { ...who, request_uuid: "b", game_code: "lucky" });
  t.like(balance, { status: "RS_OK", user: who.user, request_uuid: "b", currency: "BRL", balance: 10_000_000 });

  const bet = hubFields(who);
  t.like(await hub.call("bet", bet), { status: "RS_OK", balance: 9_750_000, request_uuid: bet.request_uuid });
  t.like(await hub.call("bet", bet), { status: "RS_OK", balance: 9_750_000 });
  const win = hubFields(who, { reference_transaction_uuid: bet.transaction_uuid, amount: 600_000, round: bet.round });
  t.like(await hub.call("win", win), { status: "RS_OK", balance: 10_350_000 });
  t.like(await hub.call("win", win), { status: "RS_OK", balance: 10_350_000 });

  const second = hubFields(who);
  t.like(await hub.call("bet", second), { status: "RS_OK", balance: 10_100_000 });
  const { amount: _, currency: __, ...names } = hubFields(who, { reference_transaction_uuid: second.transaction_uuid });
  t.like(await hub.call("rollback", names), { status: "RS_OK", balance: 10_350_000 });
  t.like(await hub.call("rollback", names), { status: "RS_OK", balance: 10_350_000 });
  t.is(hub.balance(), 10_350n);

  // A win of free rounds says so. A label of a wrong form is left out, and the win is paid.
  const free = { reference_transaction_uuid: bet.transaction_uuid, amount: 100_000, is_free: true };
  t.like(await hub.call("win", hubFields(who, { ...free, reward_uuid: "reward-1" })), { status: "RS_OK" });
  t.like(await hub.call("win", hubFields(who, { ...free, is_free: "yes", reward_uuid: 7 })), { status: "RS_OK" });
  const [labelled, plain] = hub.service.callbacks.slice(-2).map(({ body }) => JSON.parse(body) as object);
  t.like(labelled, { action: "win", kind: "free_rounds", promo_id: "reward-1" });
  t.false("kind" in (plain ?? {}) || "promo_id" in (plain ?? {}));
});

test("Hub88's rules: wins need their bet, an id has one content, rollbacks always succeed, amounts are exact", async (t) => {
  const hub = await startHubStage(t);
  const who = await hub.open();
  const { call } = hub;
  const winOf = (bet: { transaction_uuid: string }, more: object = {}) =>
    hubFields(who, { reference_transaction_uuid: bet.transaction_uuid, ...more });
  const rollbackOf = (original: { transaction_uuid: string }) => {
    const { amount: _, currency: __, ...names } = winOf(original);
    return names;
  };

  const bet = hubFields(who);
  t.like(await call("bet", bet), { status: "RS_OK" });
  for (const other of [
    { amount: 1 },
    { amount: 0 },
    { amount: 260_000 },
    { round: "x" },
    { game_code: "table" },
    { currency: "CLP" },
  ])
    t.like(
      await call("bet", { ...bet, ...other }),
      { status: "RS_ERROR_DUPLICATE_TRANSACTION" },
      JSON.stringify(other),
    );
  t.like(await call("win", { ...winOf(bet), transaction_uuid: bet.transaction_uuid }), {
    status: "RS_ERROR_DUPLICATE_TRANSACTION",
  });

  t.like(await call("win", winOf({ transaction_uuid: "never" })), { status: "RS_ERROR_TRANSACTION_DOES_NOT_EXIST" });
  const won = winOf(bet, { amount: 100_000 });
  t.like(await call("win", won), { status: "RS_OK" });
  t.like(
    await call("win", winOf(bet, { amount: 0 })),
    { status: "RS_OK", balance: 9_850_000 },
    "several wins, and one of 0",
  );
  const lost = winOf(bet, { amount: 0 });
  t.like(await call("win", lost), { status: "RS_OK" });
  t.like(await call("win", lost), { status: "RS_OK" });
  t.like(await call("win", { ...lost, amount: 500_000 }), { status: "RS_ERROR_DUPLICATE_TRANSACTION" });
  t.like(await call("rollback", rollbackOf(won)), { status: "RS_OK", balance: 9_750_000 }, "a win is taken back");
  t.like(await call("win", won), { status: "RS_ERROR_TRANSACTION_DOES_NOT_EXIST" });

  t.like(await call("rollback", rollbackOf(bet)), { status: "RS_OK", balance: 10_000_000 });
  t.like(await call("win", winOf(bet)), { status: "RS_ERROR_TRANSACTION_DOES_NOT_EXIST" });
  const late = hubFields(who);
  t.like(await call("rollback", rollbackOf(late)), { status: "RS_OK" }, "an unknown bet");
  t.like(await call("bet", late), { status: "RS_ERROR_UNKNOWN" });
  t.like(await call("win", winOf(late)), { status: "RS_ERROR_TRANSACTION_DOES_NOT_EXIST" });

  t.like(await call("bet", hubFields(who, { amount: 20_000_000 })), {
    status: "RS_ERROR_NOT_ENOUGH_MONEY",
    balance: 10_000_000,
  });
  t.is(hub.balance(), 10_000n);

  // A bet of 0 makes its win legal.
  const free = hubFields(who, { amount: 0, is_free: true });
  t.like(await call("bet", free), { status: "RS_OK", balance: 10_000_000 });
  t.like(await call("bet", { ...free, amount: 100_000 }), { status: "RS_ERROR_DUPLICATE_TRANSACTION" });
  t.like(await call("win", winOf(free, { amount: 300_000 })), { status: "RS_OK", balance: 10_300_000 });
  t.like(await call("rollback", rollbackOf(free)), { status: "RS_OK" });
  t.like(await call("win", winOf(free, { amount: 300_000 })), { status: "RS_ERROR_TRANSACTION_DOES_NOT_EXIST" });

  // Below the minor unit: a bet is refused, a win is cut.
  t.like(await call("bet", hubFields(who, { amount: 100_500 })), { status: "RS_ERROR_WRONG_TYPES" });
  const odd = hubFields(who, { amount: 100_000 });
  await call("bet", odd);
  const cut = winOf(odd, { amount: 100_999 });
  t.like(await call("win", cut), { status: "RS_OK", balance: 10_300_000 });
  t.like(await call("win", cut), { status: "RS_OK", balance: 10_300_000 });
  t.like(await call("win", { ...cut, amount: 100_998 }), { status: "RS_ERROR_DUPLICATE_TRANSACTION" });
  t.is(hub.balance(), 10_300n);
});

test("Hub88 gets its own answer to wrong calls, and nothing moves", async (t) => {
  const hub = await startHubStage(t);
  const who = await hub.open();
  const other = await hub.open({}, "shop-clp");
  const bet = (more: object = {}) => JSON.stringify(hubFields(who, more));
  const cases: readonly (readonly [string, string, string, string?])[] = [
    ["a wrong signature", bet(), "RS_ERROR_INVALID_SIGNATURE", "AAAA"],
    ["no JSON", "bet", "RS_ERROR_WRONG_SYNTAX"],
    ["a list", "[]", "RS_ERROR_WRONG_TYPES"],
    ["a key twice", bet().replace("{", '{"amount":1,'), "RS_ERROR_WRONG_SYNTAX"],
    ["a body too large", JSON.stringify({ user: who.user, x: "x".repeat(70_000) }), "RS_ERROR_WRONG_SYNTAX"],
    ["a missing field", bet({ round: null }), "RS_ERROR_WRONG_SYNTAX"],
    ["a fraction", bet({ amount: 1.5 }), "RS_ERROR_WRONG_TYPES"],
    ["a negative amount", bet({ amount: -100_000 }), "RS_ERROR_WRONG_TYPES"],
    ["an amount in quotes", bet({ amount: "100000" }), "RS_ERROR_WRONG_TYPES"],
    ["an amount above every limit", bet({ amount: 10 ** 18 }), "RS_ERROR_WRONG_TYPES"],
    ["an unknown token", bet({ token: "unknown-token" }), "RS_ERROR_INVALID_TOKEN"],
    ["an unknown user", bet({ user: "nobody" }), "RS_ERROR_INVALID_TOKEN"],
    ["the token of another user", bet({ token: other.token }), "RS_ERROR_INVALID_TOKEN"],
    ["an unknown game", bet({ game_code: "unknown" }), "RS_ERROR_INVALID_GAME"],
    ["another currency", bet({ currency: "CLP" }), "RS_ERROR_WRONG_CURRENCY"],
    ["an unknown currency", bet({ currency: "EUR" }), "RS_ERROR_WRONG_CURRENCY"],
  ];
  for (const [name, body, status, signature] of cases)
    t.like(await hub.send(hub.path("bet"), body, signature), { status }, name);
  t.is(hub.balance(), 10_000n);
  t.like(
    await hub.send(hub.path("bet"), bet({ is_billable: true, new_field: {} })),
    { status: "RS_OK" },
    "unknown fields",
  );
  const orphan = { ...hubFields(who, { user: "nobody", reference_transaction_uuid: "x" }) };
  t.like(await hub.call("win", orphan), { status: "RS_ERROR_INVALID_TOKEN" });
  t.like(await hub.call("rollback", orphan), { status: "RS_ERROR_INVALID_TOKEN" });
  t.like(await hub.send("/user/info", JSON.stringify({ user: who.user, request_uuid: "i" })), {
    status: "RS_OK",
    user: who.user,
    request_uuid: "i",
    country: "BR",
  });
  await t.throwsAsync(hub.send("/user/other", "{}"), { message: "HTTP 404" });
});

test("an old token of Caleta settles, but does not bet, and a blocked player gets Caleta's status", async (t) => {
  const caleta = await startHubStage(t, "caleta");
  const { user, token } = await caleta.open();
  const check = JSON.stringify({ token, supplier_user: user, request_uuid: "c" });
  const checked = await caleta.send("/wallet/check", check);
  t.like(checked, { status: "RS_OK", user, request_uuid: "c" });
  const who = { user, token: String(checked.token) };
  t.not(who.token, token);
  t.like(await caleta.send("/wallet/check", check), { status: "RS_ERROR_INVALID_TOKEN" });

  const { user: _, ...bet } = hubFields(who);
  t.like(await caleta.call("bet", bet), { status: "RS_OK", user, balance: 9_750_000 });
  t.like(await caleta.call("bet", hubFields({ user, token })), { status: "RS_ERROR_INVALID_TOKEN" });
  const win = hubFields({ user, token }, { reference_transaction_uuid: bet.transaction_uuid, jackpot_win: 100_000 });
  t.like(await caleta.call("win", win), { status: "RS_OK", balance: 10_000_000 });

  const { amount: __, currency: ___, ...rollback } = hubFields(who, { reference_transaction_uuid: "gone" });
  t.like(await caleta.call("rollback", rollback), { status: "RS_OK" });
  const late = hubFields(who, { transaction_uuid: "gone" });
  t.like(await caleta.call("bet", late), { status: "RS_ERROR_TRANSACTION_ROLLED_BACK" });
  t.like(await caleta.call("win", hubFields(who, { reference_transaction_uuid: "gone" })), {
    status: "RS_ERROR_TRANSACTION_ROLLED_BACK",
  });
  caleta.service.wallet.ledger.block("shop-brl", "ana", true);
  t.like(await caleta.call("bet", hubFields(who)), { status: "RS_ERROR_USER_DISABLED" });
  t.is(caleta.balance(), 10_000n);
});

test("the connector itself reverses a bet of Caleta that got no clear answer, and a repeat stays refused", async (t) => {
  // The service answers before the connector stops waiting, also on a busy machine.
  const variables = { CALETA_TIMEOUT_MS: "20000", CALETA_REVERSE_AFTER_MS: "5000" };
  const caleta = await startHubStage(
    t,
    "caleta",
    { env: { REFUND_QUIET_PERIOD_MS: "0", WALLET_TIMEOUT_MS: "2000" } },
    variables,
  );
  const who = await caleta.open();
  const { wallet } = caleta.service;
  wallet.setFault({ kind: "applied_no_reply" });
  const bet = hubFields(who);
  t.like(await caleta.call("bet", bet), { status: "RS_ERROR_TIMEOUT" });
  t.is(caleta.balance(), 9_750n);
  wallet.setFault(NO_FAULT);
  const clear = hubFields(who, { amount: 100_000 });
  t.like(await caleta.call("bet", clear), { status: "RS_OK" });
  while (caleta.balance() !== 9_900n) await new Promise((resolve) => setTimeout(resolve, 100));
  t.like(await caleta.call("bet", bet), { status: "RS_ERROR_TRANSACTION_ROLLED_BACK" });
  const { amount: _, currency: __, ...rollback } = hubFields(who, { reference_transaction_uuid: bet.transaction_uuid });
  t.like(await caleta.call("rollback", rollback), { status: "RS_OK" });
  t.is(caleta.balance(), 9_900n);
});

test("a launch at Hub88 has what the merchant said of the player, and a demo has neither user nor token", async (t) => {
  const hub = await startHubStage(t, "hub88", {}, { HUB88_SUB_PARTNER_ID: "casa", HUB88_PLAYER_IP: "203.0.113.9" });
  const { body, path } = await hub.launch({ player_ip: "198.51.100.7", device: "mobile", lang: "pt-BR" });
  t.is(path, "/operator/generic/v2/game/url");
  const said = { ip: "198.51.100.7", platform: "GPL_MOBILE", lang: "pt", operator_id: 7, sub_partner_id: "casa" };
  t.like(JSON.parse(body), { ...said, game_code: "lucky", currency: "BRL", country: "BR" });
  t.like(JSON.parse((await hub.launch()).body), { ip: "203.0.113.9", platform: "GPL_DESKTOP" });
  const demo = JSON.parse((await hub.launch({ demo: true })).body) as object;
  t.like(demo, { currency: "XXX" });
  t.false("user" in demo || "token" in demo);
});
