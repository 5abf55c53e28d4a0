import test from "ava";
import { signatureOf } from "../../connectors/spribe/spribe.ts";
import { spribeFields, startSpribeStage } from "../../testbed/connectors/spribe.ts";

test("the signature is over the time, the path and the bytes of the body", (t) => {
  const body =
    '{"user_id":"p-77","currency":"BRL","amount":2500,"provider":"spribe_aviator","provider_tx_id":"t1","game":"aviator","action":"bet","action_id":"r1","session_token":"s1","platform":"desktop"}';
  t.is(
    signatureOf("testKey", "1700000000", "/spribe/withdraw", Buffer.from(body)),
    "411df6393775b9776d651984232d401ec2240565ebc4bd54e3a60a602b34d129",
  );
});

test.serial("a launch has our token, which Spribe swaps for its own", async (t) => {
  const stage = await startSpribeStage(t, {}, { SPRIBE_LAUNCH_OPTIONS: "irc_duration=60" });
  const lobby = "https://casino.example/lobby";
  const address = await stage.address({ lobby_url: lobby });
  const { user = "", token = "", ...others } = Object.fromEntries(address.searchParams);
  t.is(address.pathname, "/games/launch/lucky");
  t.deepEqual(others, {
    irc_duration: "60",
    lang: "pt",
    currency: "BRL",
    operator: "casino1",
    return_url: lobby,
  });
  const auth = { user_token: token, session_token: "s-1", platform: "desktop", currency: "BRL" };
  const seen = { user_id: user, currency: "BRL", username: user, balance: 100_000 };
  for (let times = 0; times < 2; times++)
    t.deepEqual(await stage.call("auth", auth), { code: 200, message: "ok", data: seen });
  const info = { user_id: user, session_token: "s-1", currency: "BRL" };
  t.deepEqual(await stage.call("info", info), { code: 200, message: "ok", data: seen });
  t.like(await stage.call("auth", { ...auth, user_token: "unknown" }), { code: 401 });
  const other = (await stage.address({}, "shop-clp")).searchParams.get("token");
  const taken = { ...auth, user_token: other, currency: "CLP" };
  t.like(await stage.call("auth", taken), { code: 401 }, "the session of another player");
});

test.serial("a bet is taken once, and its deposit is paid once", async (t) => {
  const stage = await startSpribeStage(t);
  const { call } = stage;
  const who = await stage.open();
  const bet = spribeFields(who, 2_500);
  const data = {
    user_id: who.user_id,
    currency: "BRL",
    operator_tx_id: `SPRIBE:${bet.provider_tx_id}`,
    provider: "spribe_aviator",
    provider_tx_id: bet.provider_tx_id,
    old_balance: 100_000,
    new_balance: 97_500,
  };
  t.deepEqual(await call("withdraw", bet), { code: 200, message: "ok", data });
  t.deepEqual(await call("withdraw", bet), { code: 409, message: "Duplicate transaction", data });
  t.like(await call("withdraw", { ...bet, amount: 2_600 }), { code: 500 }, "the same id with another amount");
  const deposit = (amount: number, more = {}) =>
    spribeFields(who, amount, {
      action: "win",
      action_id: bet.action_id,
      withdraw_provider_tx_id: bet.provider_tx_id,
      ...more,
    });
  const win = deposit(6_000);
  t.like(await call("deposit", win), { code: 200, data: { old_balance: 97_500, new_balance: 103_500 } });
  t.like(await call("deposit", win), { code: 409, data: { old_balance: 97_500, new_balance: 103_500 } });
  t.like(await call("deposit", deposit(6_000)), { code: 500 }, "a second deposit of the bet");
  t.like(await call("deposit", deposit(1_000, { withdraw_provider_tx_id: "unknown" })), { code: 408 });
  t.like(await call("withdraw", spribeFields(who, 200_000)), { code: 402 });
  const free = spribeFields(who, 1_500, { action: "freebet", session_token: undefined });
  t.like(await call("deposit", free), { code: 200, data: { new_balance: 105_000 } });
  t.like(JSON.parse(stage.service.callbacks.at(-1)?.body ?? "{}"), { action: "win", kind: "free_rounds" });
  t.is(stage.balance(), 10_500n);
});

test.serial("a rollback gives a bet back once, and never a paid one", async (t) => {
  const stage = await startSpribeStage(t);
  const { call } = stage;
  const who = await stage.open();
  const rollback = (bet: ReturnType<typeof spribeFields>, more = {}) => {
    const { amount, action_id, provider_tx_id } = bet;
    const fields = spribeFields(who, amount, { action_id, rollback_provider_tx_id: provider_tx_id });
    return { ...fields, ...more };
  };
  const bet = spribeFields(who, 5_000);
  await call("withdraw", bet);
  const back = rollback(bet);
  t.like(await call("rollback", back), { code: 200, data: { old_balance: 95_000, new_balance: 100_000 } });
  t.like(await call("rollback", back), { code: 409, data: { old_balance: 95_000, new_balance: 100_000 } });
  t.like(await call("rollback", rollback(bet)), { code: 409 }, "under another id");
  t.like(await call("withdraw", bet), { code: 500 }, "a late copy of the bet takes nothing");
  const late = spribeFields(who, 1_000);
  t.like(await call("rollback", rollback(late)), { code: 408 });
  t.like(await call("withdraw", late), { code: 500 }, "a bet after its rollback");
  const refused = spribeFields(who, 200_000);
  await call("withdraw", refused);
  t.like(await call("rollback", rollback(refused)), { code: 408 });
  const paid = spribeFields(who, 1_000);
  await call("withdraw", paid);
  t.like(await call("rollback", rollback(paid, { amount: 900 })), { code: 500 }, "another amount");
  const names = { withdraw_provider_tx_id: paid.provider_tx_id, action_id: paid.action_id };
  const win = spribeFields(who, 3_000, names);
  await call("deposit", win);
  t.like(await call("rollback", rollback(paid)), { code: 500 }, "the bet is paid");
  t.like(await call("rollback", rollback(win)), { code: 500 }, "a deposit is no bet");
  t.is(stage.balance(), 10_200n);
});

test.serial("Spribe gets its own answer to wrong calls, and nothing moves", async (t) => {
  const stage = await startSpribeStage(t);
  const who = await stage.open();
  const other = await stage.open({}, "shop-clp");
  const bet = spribeFields(who, 1_000);
  const json = (more: object = {}) => JSON.stringify({ ...bet, ...more });
  const cases: readonly (readonly [string, string, number, object?])[] = [
    ["a wrong secret", json(), 413, { secret: "wrong" }],
    ["a wrong client", json(), 413, { client: "casino2" }],
    ["another path was signed", json(), 413, { signed: "/deposit?v=1" }],
    ["no JSON", "withdraw", 500],
    ["a key twice", json().replace("{", '{"currency":"CLP",'), 500],
    ["a body too large", `{"user_id":"${"x".repeat(70_000)}"}`, 500],
    ["an unknown session", json({ session_token: "unknown" }), 401],
    ["the session of another player", json({ session_token: other.session_token }), 401],
    ["another currency", json({ currency: "CLP" }), 500],
    ["an unknown currency", json({ currency: "XXX" }), 500],
    ["an unknown game", json({ game: "nowhere" }), 500],
    ["a negative amount", json({ amount: -1_000 }), 500],
    ["an amount in quotes", json({ amount: "1000" }), 500],
    ["an amount with a fraction", json({ amount: 1_000.5 }), 500],
    ["a part below the minor unit", json({ amount: 1_005 }), 500],
    ["no id", json({ provider_tx_id: "" }), 500],
  ];
  for (const [name, body, code, signing] of cases) {
    const answer = await stage.send("withdraw", body, signing);
    t.is(answer.code, code, name);
    t.deepEqual(Object.keys(answer), ["code", "message"], name);
  }
  t.like(await stage.call("deposit", { ...bet, session_token: other.session_token }), { code: 401 });
  t.is((await fetch(`${stage.origin}/nowhere`, { method: "POST" })).status, 404);
  t.is(stage.balance(), 10_000n);
  t.like(await stage.send("withdraw", json({ unknown: [1] })), { code: 200 }, "unknown fields");
});

test.serial(
  "behind a proxy the signed path has a prefix, and an unclear bet is reversed by the connector",
  async (t) => {
    const env = { REFUND_QUIET_PERIOD_MS: "200", WALLET_TIMEOUT_MS: "300" };
    const variables = { SPRIBE_REVERSE_AFTER_MS: "1000", SPRIBE_PATH_PREFIX: "/spribe" };
    const stage = await startSpribeStage(t, { env }, variables);
    const signing = (call: string) => ({ signed: `/spribe/${call}?v=1` });
    const user_token = (await stage.address()).searchParams.get("token") ?? "";
    const auth = JSON.stringify({ user_token, session_token: "s-9", platform: "desktop" });
    t.like(await stage.send("auth", auth), { code: 413 });
    const { data } = await stage.send("auth", auth, signing("auth"));
    const who = { user_id: String(data?.user_id), session_token: "s-9" };
    const bet = spribeFields(who, 7_000);
    stage.service.wallet.setFault({ kind: "applied_no_reply" });
    t.like(await stage.send("withdraw", JSON.stringify(bet), signing("withdraw")), { code: 500 });
    stage.service.wallet.setFault({ kind: "none" });
    while (stage.balance() !== 10_000n) await new Promise((resolve) => setTimeout(resolve, 50));
    t.like(await stage.send("withdraw", JSON.stringify(bet), signing("withdraw")), { code: 500 });
  },
);
