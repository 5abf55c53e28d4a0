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
    async send(
      body: string | Uint8Array | object,
      { method = "POST", target = "/wallet", merchant = "shop", secret = "sk" } = {},
    ) {
      const isRaw = typeof body === "string" || body instanceof Uint8Array;
      const bytes = Buffer.from(isRaw ? (body as string) : JSON.stringify(body));
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
  for (const secret of ["", "no secret"])
    assert.deepEqual(await send(balanceQuery, { merchant: "unknown", secret }), refused);
});

const bet = { ...balanceQuery, action: "bet", tx_id: "b1", round_id: "r", amount: 1 };
const invalid = { status: 400, body: '{"ok":false,"error":"INVALID_REQUEST"}' };

test("what the service never sends is rejected by name", async () => {
  const { send } = setUp();
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
    { ...bet, tx_id: "x".repeat(129) },
    { ...bet, tx_id: "a\0b" },
    { ...bet, player_id: "é".repeat(257) },
    { ...bet, currency: "" },
    `\uFEFF${JSON.stringify(bet)}`,
    { ...bet, action: "refund" },
    { ...bet, player_id: null },
  ])
    assert.deepEqual(await send(body), invalid, JSON.stringify(body));
  assert.deepEqual(await send({ ...balanceQuery, currency: "USD" }), mismatch);
  const notPost = { status: 405, body: '{"ok":false,"error":"METHOD_NOT_ALLOWED"}' };
  assert.deepEqual(await send(balanceQuery, { method: "PUT" }), notPost);
  const tooLarge = { status: 413, body: '{"ok":false,"error":"PAYLOAD_TOO_LARGE"}' };
  assert.deepEqual(await send("x".repeat(70_000)), tooLarge);
  assert.equal((await send({ ...bet, new_field: [1], new_object: {} })).status, 200);
});

test("a signed bet with a byte that is no UTF-8, or with half of a surrogate pair, is rejected and not stored", async () => {
  const { send, storage } = setUp();
  const latin1 = Buffer.from(JSON.stringify({ ...bet, tx_id: "b\xff" }), "latin1");
  assert.deepEqual(await send(latin1), invalid);
  for (const half of ["\\ud800", "\\ud801", "\\udc00"])
    assert.deepEqual(await send(JSON.stringify(bet).replace('"b1"', `"b${half}"`)), invalid, half);
  assert.equal(storage.balanceOf("shop", "ana"), 10_005n);
  assert.equal((await send({ ...bet, tx_id: "b\uFFFD" })).body, '{"ok":true,"balance":99.05}');
  assert.equal((await send({ ...bet, tx_id: "b\u{1F3B0}" })).body, '{"ok":true,"balance":98.05}');
});

const mismatch = { status: 200, body: '{"ok":false,"error":"CURRENCY_MISMATCH"}' };

test("a bet or rollback in another currency is rejected for good with any amount, and a win is judged anew", async () => {
  const { send } = setUp();
  assert.deepEqual(await send({ ...bet, currency: "CLP", amount: 0.001 }), mismatch);
  assert.deepEqual(await send(bet), mismatch);
  const win = { ...bet, action: "win", tx_id: "w1" };
  assert.deepEqual(await send({ ...win, currency: "USD" }), mismatch);
  assert.equal((await send(win)).body, '{"ok":true,"balance":101.05}');
  assert.equal((await send({ ...win, currency: "USD" })).body, '{"ok":true,"balance":101.05}', "the stored reply");
  const rollback = { ...bet, action: "rollback", tx_id: "r1", ref_tx_id: "w1" };
  assert.deepEqual(await send({ ...rollback, currency: "EUR" }), mismatch);
  assert.deepEqual(await send(rollback), mismatch);
});

test("a second refund with another amount is rejected for its amount", async () => {
  const { send } = setUp();
  await send(bet);
  const refund = { ...bet, action: "refund", ref_tx_id: "b1" };
  assert.equal((await send({ ...refund, tx_id: "f1" })).status, 200);
  const second = await send({ ...refund, tx_id: "f2", amount: 2 });
  assert.equal(second.body, '{"ok":false,"error":"AMOUNT_MISMATCH"}');
});

test("while a merchant's secret changes at once, a wrong signature is 503", async () => {
  const { send } = setUp({ merchants: [{ code: "shop", secrets: ["sk"], currency: "BRL", answer503: true }] });
  const unknown = { status: 503, body: '{"ok":false,"error":"INVALID_SIGNATURE"}' };
  assert.deepEqual(await send(balanceQuery, { secret: "sk_new" }), unknown);
  assert.equal((await send(balanceQuery)).status, 200);
  assert.equal((await send(balanceQuery, { merchant: "unknown" })).status, 401);
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

test("a looked-up merchant without a secret or with another currency is an error, and no callback passes", async () => {
  const fault = { status: 500, body: '{"ok":false,"error":"INTERNAL_ERROR"}' };
  for (const [merchant, told] of [
    [{ code: "shop", secrets: [""], currency: "BRL" }, /Merchant shop needs a secret/],
    [{ code: "shop", secrets: ["sk", ""], currency: "BRL" }, /Merchant shop needs a secret/],
    [{ code: "shop", secrets: [], currency: "BRL" }, /Merchant shop needs a secret/],
    [{ code: "shop", secrets: ["sk"], currency: "EUR" }, /shop has the currency EUR/],
  ] as const) {
    const faults: unknown[] = [];
    const { send } = setUp({ merchants: () => merchant as never, onError: (cause) => faults.push(cause) });
    for (const secret of ["", "sk"]) assert.deepEqual(await send(balanceQuery, { secret }), fault);
    assert.match(String(faults[0]), told);
  }
});

test("merchants without secret or with another currency are refused at once", () => {
  const storage = new MemoryStorage();
  const make = (merchant: object) => () => new Wallet({ merchants: [merchant as never], storage });
  assert.throws(make({ code: "shop", secrets: [], currency: "BRL" }), /Merchant shop needs a secret/);
  assert.throws(make({ code: "shop", secrets: [""], currency: "BRL" }), /Merchant shop needs a secret/);
  assert.throws(make({ code: "shop", secrets: ["sk"], currency: "EUR" }), /shop has the currency EUR/);
  const [first, second] = ["a", "b"].map((secret) => ({ code: "shop", secrets: [secret], currency: "BRL" as const }));
  assert.throws(
    () => new Wallet({ merchants: [first, second] as never, storage }),
    /Merchant shop is in the list twice/,
  );
});
