import test from "ava";
import { hmac } from "../../connectors/frame/verify.ts";
import {
  bet,
  rollback,
  softswissFields,
  softswissSign,
  startSoftswissStage,
  win,
} from "../../testbed/connectors/softswiss.ts";

async function ready(t: Parameters<typeof startSoftswissStage>[0], ...more: [object?, Record<string, string>?]) {
  const stage = await startSoftswissStage(t, ...more);
  const who = await stage.open();
  return {
    ...stage,
    who,
    play: (round: string, actions: readonly object[], more = {}) =>
      stage.call("play", softswissFields(who, round, actions, more)),
    rollback: (round: string, actions: readonly object[]) =>
      stage.call("rollback", softswissFields(who, round, actions)),
  };
}

test("the signature of the API's worked example is right", (t) => {
  const body =
    '{"user_id":"p-77","currency":"BRL","game":"acceptance:test","game_id":"r1","finished":true,"actions":[{"action":"bet","amount":250,"action_id":"a1"},{"action":"win","amount":500,"action_id":"a2"}]}';
  const sign = "1d96d98bb6e362bf5f0cb6ee44e46516fdf0cab3638e3ac0e37beba8b59cf654";
  t.is(hmac("sha256", "testKey", Buffer.from(body)), sign);
  t.is(softswissSign(body), sign);
});

test.serial("a launch has the player, the balance and what the merchant said", async (t) => {
  const stage = await startSoftswissStage(t);
  const more = {
    player_ip: "203.0.113.9",
    device: "mobile",
    display_name: "Ana",
    lobby_url: "https://casino.example/",
  };
  const launch = async (): Promise<{ user: object; balance: number }> => {
    const { path, body } = await stage.launch(more);
    t.is(path, "/sessions");
    const launched = JSON.parse(body) as { user: object; balance: number };
    // 0: this machine is so busy that the wallet did not answer in time.
    return launched.balance === 0 ? launch() : launched;
  };
  const { user, ...launched } = await launch();
  t.deepEqual(launched as object, {
    casino_id: "casino1",
    game: "lucky",
    locale: "pt",
    ip: "203.0.113.9",
    client_type: "mobile",
    urls: { return_url: "https://casino.example/" },
    currency: "BRL",
    balance: 10_000,
  });
  t.like(user, { nickname: "Ana", country: "BR" });
  t.is(await stage.launchUrl(), "https://games.example/sessions/lucky");
});

test.serial("a spin is a bet and a win in one call, and is moved once", async (t) => {
  const stage = await ready(t);
  const spin = [bet("b1", 250), win("w1", 600)];
  const answer = {
    http: 200,
    balance: 10_350,
    game_id: "r1",
    transactions: [
      { action_id: "b1", tx_id: "SOFTSWISS:b1" },
      { action_id: "w1", tx_id: "SOFTSWISS:w1" },
    ],
  };
  t.deepEqual(await stage.play("r1", spin, { finished: true }), answer);
  t.deepEqual(await stage.play("r1", spin, { finished: true }), answer, "the same actions again");
  t.like(await stage.play("r1", [bet("b1", 260), win("w1", 600)]), { http: 400, code: 400 });
  t.like(await stage.play("r1", [bet("b2", 100)]), { http: 400, code: 400 }, "the round has ended");
  t.like(await stage.play("r2", [bet("b3", 20_000), win("w3", 1)]), { http: 412, code: 100, balance: 10_350 });
  t.like(await stage.play("r2", [bet("b4", 350), win("w4", 0)]), { http: 200, balance: 10_000 });
  t.deepEqual(await stage.call("play", stage.who), { http: 200, balance: 10_000 }, "no action asks for the balance");
  t.is(stage.balance(), 10_000n);
});

test.serial("a call may have one bet, one win, or several of both, and is all or nothing", async (t) => {
  const stage = await ready(t);
  t.like(await stage.play("r1", [bet("b1", 1_000)]), { balance: 9_000 });
  t.like(await stage.play("r1", [win("w1", 500, { jackpot_win: 500 })]), { balance: 9_500 });
  t.like(JSON.parse(stage.service.callbacks.at(-1)?.body ?? "{}"), { action: "win", kind: "jackpot" });
  const several = [bet("b2", 4_000), win("w2", 200), bet("b3", 2_000), win("w3", 300)];
  const moved = await stage.play("r2", several);
  t.like(moved, { http: 200, balance: 4_000 });
  t.deepEqual(
    moved.transactions?.map(({ action_id }) => action_id),
    ["b2", "w2", "b3", "w3"],
  );
  t.deepEqual(await stage.play("r2", several), moved, "the same again, with less money than its bets");
  t.like(await stage.play("r3", [bet("b4", 4_000), bet("b5", 4_000)]), { http: 412, code: 100, balance: 4_000 });
  t.is(stage.balance(), 4_000n);
  t.like(await stage.play("r1", [bet("b1", 999), bet("b6", 100), win("w6", 50)]), { http: 400, code: 400 });
  t.is(stage.balance(), 4_000n, "nothing comes after a refused bet");
  // A bet that the service refuses takes the bets before it with it.
  t.like(await stage.play("r1", [bet("b6", 100), bet("b1", 999)]), { http: 400, code: 400 });
  t.is(stage.balance(), 4_000n);
  t.like(await stage.play("r4", [bet("b7", 100), win("w7", 50), win("w8", 60)], { finished: true }), {
    balance: 4_010,
  });
  t.like(await stage.play("r4", [bet("b8", 100)]), { code: 400 });
  t.like(await stage.play("r5", [bet("b9", 0), win("w9", 90)]), { balance: 4_100 }, "a free bet");
  t.like(await stage.play("r1", [], { finished: true }), { http: 200, balance: 4_100, game_id: "r1" });
  t.like(await stage.play("r1", [bet("b10", 100)]), { code: 400 }, "a call without actions ended the round");
});

test.serial("a rollback reverses bets and wins once, and what comes after it is refused", async (t) => {
  const stage = await ready(t);
  await stage.play("r1", [bet("b1", 1_000), win("w1", 400)]);
  const back = [rollback("k1", "w1"), rollback("k2", "b1")];
  const answer = {
    http: 200,
    balance: 10_000,
    game_id: "r1",
    transactions: [
      { action_id: "k1", tx_id: "SOFTSWISS:k1" },
      { action_id: "k2", tx_id: "SOFTSWISS:k2" },
    ],
  };
  t.deepEqual(await stage.rollback("r1", back), answer);
  t.deepEqual(await stage.rollback("r1", back), answer);
  const unknown = await stage.rollback("r2", [rollback("k3", "b2")]);
  t.like(unknown, { http: 200, balance: 10_000 });
  t.deepEqual(unknown.transactions, [{ action_id: "k3", tx_id: "" }]);
  t.deepEqual(await stage.rollback("r2", [rollback("k3", "b2")]), unknown);
  t.like(await stage.play("r2", [bet("b2", 100), win("w2", 900)]), { http: 400, code: 400 });
  t.is(stage.balance(), 10_000n);
  // The wallet refuses to give the win back: that is a debt for people.
  await stage.play("r3", [bet("b3", 100), win("w3", 5_000)]);
  stage.service.wallet.setFault({ kind: "rejected" });
  t.like(await stage.rollback("r3", [rollback("k4", "w3")]), { http: 200, balance: 14_900 });
  t.is(stage.balance(), 14_900n);
});

test.serial("SOFTSWISS gets its own answer to wrong calls, and nothing moves", async (t) => {
  const stage = await ready(t);
  const json = (actions: readonly object[], more: object = {}) =>
    JSON.stringify(softswissFields(stage.who, "r", actions, more));
  const right = json([bet("b", 100)]);
  const cases: readonly (readonly [string, string, number, number, string?])[] = [
    ["a wrong signature", right, 403, 403, softswissSign(`${right} `)],
    ["no signature", right, 403, 403, ""],
    ["no JSON", "play", 400, 400],
    ["a key twice", right.replace("{", '{"currency":"CLP",'), 400, 400],
    ["a body too large", `{"user_id":"${"x".repeat(70_000)}"}`, 400, 400],
    ["an unknown player", json([bet("b", 100)], { user_id: "nobody" }), 412, 101],
    ["another currency", json([bet("b", 100)], { currency: "CLP" }), 412, 154],
    ["an unknown game", json([bet("b", 100)], { game: "nowhere" }), 405, 405],
    ["no round", json([bet("b", 100)], { game_id: "" }), 400, 400],
    ["a negative amount", json([bet("b", -100)]), 400, 400],
    ["an amount with a fraction", json([bet("b", 1.5)]), 400, 400],
    ["an amount in quotes", json([{ ...bet("b", 1), amount: "100" }]), 400, 400],
    ["an unknown action", json([{ ...bet("b", 100), action: "loan" }]), 400, 400],
    ["an id twice", json([bet("b", 100), win("b", 100)]), 400, 400],
    ["too many actions", json(Array.from({ length: 21 }, (_, n) => bet(`b${n}`, 1))), 400, 400],
    ["a list of texts", json(["b"] as never), 400, 400],
  ];
  for (const [name, body, http, code, sign] of cases)
    t.like(await stage.send("play", body, sign), { http, code }, name);
  const wrongRollback = json([{ ...rollback("k", "b"), action: "refund" }]);
  t.like(await stage.send("rollback", wrongRollback), { http: 400, code: 400 });
  t.like(await stage.send("rollback", json([])), { http: 400, code: 400 });
  t.is((await fetch(`${stage.origin}/freespins`, { method: "POST", body: right })).status, 404);
  t.is(stage.balance(), 10_000n);
  t.like(await stage.send("play", json([bet("b", 100, { more: 1 })], { unknown: [1] })), { balance: 9_900 });
});

test.serial(
  "an unclear bet is for the upstream to roll back; CLP's decimals and the end of rounds are settings",
  async (t) => {
    const env = { REFUND_QUIET_PERIOD_MS: "200", WALLET_TIMEOUT_MS: "300" };
    const stage = await ready(t, { env }, { SOFTSWISS_CLP_DECIMALS: "2", SOFTSWISS_ROUND_ENDS: "false" });
    stage.service.wallet.setFault({ kind: "applied_no_reply" });
    t.like(await stage.play("r1", [bet("b1", 700), win("w1", 900)]), { http: 500, code: 500 });
    stage.service.wallet.setFault({ kind: "none" });
    t.like(await stage.rollback("r1", [rollback("k1", "b1")]), { http: 200 });
    while (stage.balance() !== 10_000n) await new Promise((resolve) => setTimeout(resolve, 50));
    t.like(await stage.play("r1", [bet("b1", 700), win("w1", 900)]), { http: 400 });
    t.like(await stage.play("r3", [bet("b4", 100)], { finished: true }), { balance: 9_900 });
    t.like(await stage.play("r3", [bet("b5", 100)]), { balance: 9_800 }, "by default a round is not ended");
    const chilean = await stage.open({}, "shop-clp");
    const balance = Number(stage.balance("shop-clp"));
    const spin = softswissFields(chilean, "r2", [bet("b2", 500)]);
    t.like(await stage.call("play", spin), { http: 200, balance: (balance - 5) * 100 });
    t.like(await stage.call("play", softswissFields(chilean, "r2", [bet("b3", 550)])), { code: 400 });
  },
);
