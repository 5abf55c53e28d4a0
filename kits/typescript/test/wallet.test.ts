import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStorage, signedHeaders, Wallet, type WalletOptions } from "../src/index.ts";

const balanceQuery = { action: "balance", player_id: "ana", currency: "BRL", provider: "ACME", game: "fruits" };

function setUp(more: Partial<WalletOptions> = {}) {
  const storage = new MemoryStorage();
  storage.setPlayer("shop", "ana", { balance: 10_005n, blocked: false });
  const merchants = [{ code: "shop", secrets: ["sk"], currency: "BRL" as const }];
  const wallet = new Wallet({ merchants, storage, ...more });
  return {
    storage,
    async send(body: string | object, { method = "POST", target = "/wallet", merchant = "shop", secret = "sk" } = {}) {
      const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
      const headers = signedHeaders(merchant, secret, { method, target, body: bytes });
      return wallet.handle({ method, target, headers, body: bytes });
    },
  };
}

test("a balance is a JSON number with the currency's decimals", async () => {
  assert.deepEqual(await setUp().send(balanceQuery), { status: 200, body: '{"ok":true,"balance":100.05}' });
});

test("what is not signed by the merchant is 401, whatever it asks for", async () => {
  const { send } = setUp();
  const refused = { status: 401, body: '{"ok":false,"error":"INVALID_SIGNATURE"}' };
  assert.deepEqual(await send(balanceQuery, { secret: "sk2" }), refused);
  assert.deepEqual(await send("no JSON", { secret: "sk2" }), refused);
  assert.deepEqual(await send(balanceQuery, { merchant: "unknown" }), refused);
  // An empty secret must not open an unknown merchant.
  assert.deepEqual(await send(balanceQuery, { merchant: "unknown", secret: "" }), refused);
});

test("what the service never sends is rejected by name", async () => {
  const { send } = setUp();
  const invalid = { status: 400, body: '{"ok":false,"error":"INVALID_REQUEST"}' };
  const bet = { ...balanceQuery, action: "bet", tx_id: "b1", round_id: "r", amount: 1 };
  for (const body of [
    "",
    "no JSON",
    "[]",
    "null",
    { ...bet, action: "steal" },
    { ...bet, amount: 0 },
    { ...bet, amount: -1 },
    { ...bet, amount: "1" },
    { ...bet, amount: 0.001 },
    { ...bet, amount: 1e21 },
    { ...bet, tx_id: "" },
    { ...bet, tx_id: 7 },
    { ...bet, action: "refund" },
    { ...bet, player_id: null },
  ])
    assert.deepEqual(await send(body), invalid, JSON.stringify(body));
  assert.equal((await send({ ...bet, currency: "USD" })).body, '{"ok":false,"error":"CURRENCY_MISMATCH"}');
  assert.equal((await send(balanceQuery, { method: "PUT" })).status, 405);
  assert.equal((await send("x".repeat(70_000))).status, 413);
  assert.equal((await send({ ...bet, new_field: [1], new_object: {} })).status, 200);
});

test("a fault is a 500 without its text, and is told to onError", async () => {
  const faults: unknown[] = [];
  const storage = { transaction: () => Promise.reject(new Error("password=hunter2")) };
  const { send } = setUp({ storage, onError: (cause) => faults.push(cause) });
  assert.deepEqual(await send(balanceQuery), { status: 500, body: '{"ok":false,"error":"INTERNAL_ERROR"}' });
  assert.match(String(faults), /hunter2/);
});

test("a merchant may be looked up, and a configured target replaces the one that arrived", async () => {
  const { send } = setUp({
    merchants: async (code) => (code === "shop" ? { code, secrets: ["sk"], currency: "BRL" } : undefined),
    target: "/public/wallet",
  });
  assert.equal((await send(balanceQuery, { target: "/wallet" })).status, 401);
  assert.equal((await send(balanceQuery, { target: "/public/wallet" })).status, 200);
});

test("merchants without secret or with another currency are refused at once", () => {
  const storage = new MemoryStorage();
  const make = (merchant: object) => () => new Wallet({ merchants: [merchant as never], storage });
  assert.throws(make({ code: "shop", secrets: [], currency: "BRL" }), /Merchant shop needs a secret/);
  assert.throws(make({ code: "shop", secrets: [""], currency: "BRL" }), /Merchant shop needs a secret/);
  assert.throws(make({ code: "shop", secrets: ["sk"], currency: "EUR" }), /shop has the currency EUR/);
});
