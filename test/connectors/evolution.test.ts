import test from "ava";
import { evolutionFields, startEvolutionStage } from "../../testbed/connectors/evolution.ts";

test("a player of Evolution bets, and each bet has one settlement, whatever comes twice or in the wrong order", async (t) => {
  const evolution = await startEvolutionStage(t);
  const { call } = evolution;
  const first = await evolution.open();
  t.like(evolution.launched.at(-1), { path: "/ua/v1/casino1/launch-token" });

  // check rotates the sid: the old one is good for settlements only.
  const { sid = "", ...checked } = await call("check", { ...first, channel: { type: "P" }, uuid: "c" });
  t.deepEqual(checked, { status: "OK", uuid: "c" });
  const who = { ...first, sid };
  t.like(await call("balance", { ...who, uuid: "b", currency: "BRL" }), {
    status: "OK",
    balance: 100,
    bonus: 0,
    uuid: "b",
  });
  t.like(await call("balance", { ...first, uuid: "b", currency: "BRL" }), { status: "INVALID_SID" });
  t.like(await call("check", { ...first, uuid: "c" }), { status: "INVALID_SID" });
  t.like(await call("debit", evolutionFields(first, "r0", 1)), { status: "INVALID_SID" });

  const debit = evolutionFields(who, "r1", 2.5);
  t.like(await call("debit", debit), { status: "OK", balance: 97.5, uuid: debit.uuid });
  t.like(await call("debit", debit), { status: "BET_ALREADY_EXIST", balance: 97.5 });
  const credit = evolutionFields(first, "r1", 5);
  t.like(await call("credit", credit), { status: "OK", balance: 102.5 }, "an old sid settles");
  t.like(await call("credit", credit), { status: "OK", balance: 102.5 });
  t.like(await call("credit", evolutionFields(who, "r1", 5)), { status: "BET_ALREADY_SETTLED" });
  t.like(await call("cancel", evolutionFields(who, "r1", 2.5)), { status: "BET_ALREADY_SETTLED" });
  t.is(evolution.balance(), 10_250n);

  // A credit of 0 settles, too.
  await call("debit", evolutionFields(who, "r2", 1));
  t.like(await call("credit", evolutionFields(who, "r2", 0)), { status: "OK", balance: 101.5 });
  t.like(await call("cancel", evolutionFields(who, "r2", 1)), { status: "BET_ALREADY_SETTLED" });
  t.like(await call("credit", evolutionFields(who, "r2", 9)), { status: "BET_ALREADY_SETTLED" });
  t.is(evolution.balance(), 10_150n);

  // A cancel gives the bet back once.
  await call("debit", evolutionFields(who, "r3", 1));
  t.like(await call("cancel", evolutionFields(first, "r3", 1)), { status: "OK", balance: 101.5 });
  t.like(await call("cancel", evolutionFields(who, "r3", 1)), { status: "BET_ALREADY_SETTLED" });
  t.like(await call("credit", evolutionFields(who, "r3", 5)), { status: "BET_ALREADY_SETTLED" });
  t.is(evolution.balance(), 10_150n);

  // A cancel before its debit.
  t.like(await call("cancel", evolutionFields(who, "r4", 1)), { status: "BET_DOES_NOT_EXIST" });
  t.like(await call("debit", evolutionFields(who, "r4", 1)), { status: "FINAL_ERROR_ACTION_FAILED" });
  t.like(await call("credit", evolutionFields(who, "r5", 1)), { status: "BET_DOES_NOT_EXIST" });
  t.like(await call("debit", evolutionFields(who, "r6", 500)), { status: "INSUFFICIENT_FUNDS", balance: 101.5 });
  t.like(await call("cancel", evolutionFields(who, "r6", 500)), { status: "BET_DOES_NOT_EXIST" });

  const promo = {
    ...who,
    uuid: "p",
    currency: "BRL",
    promoTransaction: { type: "FreeRoundPlayableSpent", id: "p1", amount: 3, voucherId: "v1" },
  };
  t.like(await call("promo_payout", promo), { status: "OK", balance: 104.5 });
  t.like(await call("promo_payout", promo), { status: "OK", balance: 104.5 });
  const payout = JSON.parse(evolution.service.callbacks.at(-1)?.body ?? "{}") as object;
  t.like(payout, { action: "win", kind: "free_rounds", promo_id: "v1" });
  t.is(evolution.balance(), 10_450n);
});

test("Evolution gets its own answer to wrong calls, and nothing moves", async (t) => {
  const evolution = await startEvolutionStage(t);
  const who = await evolution.open();
  const other = await evolution.open({}, "shop-clp");
  const debit = (more: object = {}) => JSON.stringify(evolutionFields(who, "r", 1, more));
  const cases: readonly (readonly [string, string, string, string?])[] = [
    ["a wrong token", debit(), "INVALID_TOKEN_ID", "wrong"],
    ["no JSON", "debit", "INVALID_PARAMETER"],
    ["a key twice", debit().replace("{", '{"currency":"CLP",'), "INVALID_PARAMETER"],
    ["a body too large", `{"uuid":"${"x".repeat(70_000)}"}`, "INVALID_PARAMETER"],
    ["an unknown sid", debit({ sid: "x" }), "INVALID_SID"],
    ["an unknown player", debit({ userId: "nobody" }), "INVALID_SID"],
    ["the sid of another player", debit({ sid: other.sid }), "INVALID_SID"],
    ["another currency", debit({ currency: "CLP" }), "INVALID_PARAMETER"],
    ["an unknown currency", debit({ currency: "EUR" }), "INVALID_PARAMETER"],
    ["no transaction", debit({ transaction: null }), "INVALID_PARAMETER"],
    ["a negative amount", debit({ transaction: { id: "t", refId: "r", amount: -1 } }), "INVALID_PARAMETER"],
    ["an amount in quotes", debit({ transaction: { id: "t", refId: "r", amount: "1" } }), "INVALID_PARAMETER"],
    [
      "a part below the minor unit",
      debit({ transaction: { id: "t", refId: "r", amount: 1.005 } }),
      "INVALID_PARAMETER",
    ],
  ];
  for (const [name, body, status, token] of cases) t.like(await evolution.send("debit", body, token), { status }, name);
  t.is(evolution.balance(), 10_000n);
  t.like(await evolution.send("debit", debit({ more: { unknown: [1] } })), { status: "OK" }, "unknown fields");
  const settling = JSON.stringify(evolutionFields(who, "r", 1, { sid: other.sid }));
  t.like(
    await evolution.send("credit", settling),
    { status: "INVALID_SID" },
    "a credit with the sid of another player",
  );
  t.is(evolution.balance(), 9_900n);
});
