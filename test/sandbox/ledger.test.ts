import test from "ava";
import fc from "fast-check";
import {
  type Action,
  type Currency,
  Ledger,
  type LedgerRules,
  type Reply,
  toDecimal,
  toMinor,
} from "../../sandbox/merchant/ledger.ts";

const MERCHANT = "shop";

function ledger(openingMinor = 1_000n, rules: Partial<LedgerRules> = {}): Ledger {
  const made = new Ledger(rules);
  made.addMerchant(MERCHANT, "BRL");
  made.addPlayer(MERCHANT, "u-1", openingMinor);
  made.addPlayer(MERCHANT, "u-2", openingMinor);
  return made;
}

interface Fields {
  readonly tx_id?: string;
  readonly amount?: number;
  readonly ref_tx_id?: string;
  readonly player_id?: string;
  readonly currency?: string;
}

const body = (action: Action, fields: Fields = {}): object => ({
  action,
  player_id: "u-1",
  currency: "BRL",
  provider: "ACME",
  game: "book-of-x",
  ...(action === "balance" ? {} : { tx_id: "ACME:1", round_id: "r-1", amount: 2.5 }),
  ...fields,
});

const call = (to: Ledger, action: Action, fields: Fields = {}): Reply => to.apply(MERCHANT, body(action, fields));
const rejected = (error: string): Reply => ({ ok: false, error });

test("a bet debits, a win credits, and the reply has the balance in the major unit", (t) => {
  const wallet = ledger();
  t.deepEqual(call(wallet, "bet"), { ok: true, balance: 7.5 });
  t.deepEqual(call(wallet, "win", { tx_id: "ACME:2", amount: 10.25 }), { ok: true, balance: 17.75 });
  t.deepEqual(call(wallet, "balance"), { ok: true, balance: 17.75 });
  t.is(wallet.balanceMinor(MERCHANT, "u-1"), 1_775n);
  t.deepEqual(
    wallet.effects.map(({ txId, deltaMinor }) => [txId, deltaMinor]),
    [
      ["ACME:1", -250n],
      ["ACME:2", 1_025n],
    ],
  );
});

test("a repeated bet gets the first reply, with the balance of that time, and moves no money", (t) => {
  const wallet = ledger();
  const first = call(wallet, "bet");
  call(wallet, "win", { tx_id: "ACME:2" });
  t.deepEqual(call(wallet, "bet"), first);
  t.is(wallet.effects.length, 2);
});

test("a bet beyond the balance is rejected, and its repeat is rejected even after a deposit", (t) => {
  const wallet = ledger(100n);
  t.deepEqual(call(wallet, "bet"), { ...rejected("INSUFFICIENT_FUNDS"), balance: 1 });
  wallet.deposit(MERCHANT, "u-1", 1_000n);
  t.deepEqual(call(wallet, "bet"), { ...rejected("INSUFFICIENT_FUNDS"), balance: 1 });
  t.true(call(wallet, "bet", { tx_id: "ACME:2" }).ok);
});

test("a wallet that forgets rejections decides again about a repeated bet", (t) => {
  const wallet = ledger(100n, { keepsRejections: false });
  t.deepEqual(call(wallet, "bet"), { ...rejected("INSUFFICIENT_FUNDS"), balance: 1 });
  wallet.deposit(MERCHANT, "u-1", 1_000n);
  t.true(call(wallet, "bet").ok);
});

test("a blocked player can't bet, but the player's wins, refunds and rollbacks are applied", (t) => {
  const wallet = ledger();
  call(wallet, "bet", { tx_id: "ACME:0" });
  wallet.block(MERCHANT, "u-1", true);
  t.deepEqual(call(wallet, "bet"), rejected("PLAYER_BLOCKED"));
  t.true(call(wallet, "win", { tx_id: "ACME:2" }).ok);
  t.true(call(wallet, "refund", { tx_id: "ACME:3", ref_tx_id: "ACME:0" }).ok);
  t.true(call(wallet, "rollback", { tx_id: "ACME:4", ref_tx_id: "ACME:2" }).ok);
});

test("a player whom the merchant doesn't know gets PLAYER_NOT_FOUND for every action", (t) => {
  for (const action of ["balance", "bet", "win"] as const)
    t.deepEqual(call(ledger(), action, { player_id: "nobody" }), rejected("PLAYER_NOT_FOUND"));
  for (const action of ["refund", "rollback"] as const)
    t.deepEqual(call(ledger(), action, { player_id: "nobody", ref_tx_id: "ACME:0" }), rejected("PLAYER_NOT_FOUND"));
});

test("the wallet decides again about a rejected win when it comes again", (t) => {
  const wallet = ledger();
  t.deepEqual(call(wallet, "win", { player_id: "new" }), rejected("PLAYER_NOT_FOUND"));
  wallet.addPlayer(MERCHANT, "new", 0n);
  t.deepEqual(call(wallet, "win", { player_id: "new" }), { ok: true, balance: 2.5 });
});

test("a refund returns its bet once, whatever id a second refund has", (t) => {
  const wallet = ledger();
  call(wallet, "bet");
  const first = call(wallet, "refund", { tx_id: "ACME:r", ref_tx_id: "ACME:1" });
  t.deepEqual(first, { ok: true, balance: 10 });
  t.deepEqual(call(wallet, "refund", { tx_id: "ACME:r", ref_tx_id: "ACME:1" }), first);
  t.deepEqual(call(wallet, "refund", { tx_id: "ACME:r2", ref_tx_id: "ACME:1" }), rejected("ALREADY_REVERSED"));
  t.is(wallet.balanceMinor(MERCHANT, "u-1"), 1_000n);
});

test("a rollback takes its win back once, even if the balance becomes negative", (t) => {
  const wallet = ledger(0n);
  call(wallet, "win");
  call(wallet, "bet", { tx_id: "ACME:2" });
  t.deepEqual(call(wallet, "rollback", { tx_id: "ACME:3", ref_tx_id: "ACME:1" }), { ok: true, balance: -2.5 });
  t.deepEqual(call(wallet, "rollback", { tx_id: "ACME:4", ref_tx_id: "ACME:1" }), rejected("ALREADY_REVERSED"));
});

test("a reversal of a transaction that was never applied gets TRANSACTION_NOT_FOUND, and its original is refused from then on", (t) => {
  const wallet = ledger();
  const refund = (): Reply => call(wallet, "refund", { tx_id: "ACME:r", ref_tx_id: "ACME:1" });
  t.deepEqual(refund(), rejected("TRANSACTION_NOT_FOUND"));
  t.deepEqual(call(wallet, "bet"), rejected("TRANSACTION_REVERSED"));
  t.deepEqual(refund(), rejected("TRANSACTION_NOT_FOUND"));
  t.deepEqual(call(wallet, "rollback", { tx_id: "ACME:b", ref_tx_id: "ACME:2" }), rejected("TRANSACTION_NOT_FOUND"));
  t.deepEqual(call(wallet, "win", { tx_id: "ACME:2" }), rejected("TRANSACTION_REVERSED"));
  t.deepEqual(wallet.effects, []);
});

test("a wallet without tombstones applies a bet that comes after its refund, and then accepts the repeated refund", (t) => {
  const wallet = ledger(1_000n, { tombstones: false });
  const refund = (): Reply => call(wallet, "refund", { tx_id: "ACME:r", ref_tx_id: "ACME:1" });
  t.deepEqual(refund(), rejected("TRANSACTION_NOT_FOUND"));
  t.true(call(wallet, "bet").ok);
  t.deepEqual(refund(), { ok: true, balance: 10 });
});

test("a reversal is rejected unless it names a transaction of the right action, player and amount", (t) => {
  const wallet = ledger();
  call(wallet, "bet");
  call(wallet, "win", { tx_id: "ACME:2" });
  const notFound = rejected("TRANSACTION_NOT_FOUND");
  t.deepEqual(call(wallet, "refund", { tx_id: "ACME:3", ref_tx_id: "ACME:2" }), notFound);
  t.deepEqual(call(wallet, "rollback", { tx_id: "ACME:4", ref_tx_id: "ACME:1" }), notFound);
  t.deepEqual(call(wallet, "refund", { tx_id: "ACME:5", ref_tx_id: "ACME:1", player_id: "u-2" }), notFound);
  t.deepEqual(call(wallet, "refund", { tx_id: "ACME:6", ref_tx_id: "ACME:1", amount: 2 }), rejected("AMOUNT_MISMATCH"));
  t.deepEqual(call(wallet, "refund", { tx_id: "ACME:7", ref_tx_id: "ACME:3" }), notFound);
  t.true(call(wallet, "refund", { tx_id: "ACME:8", ref_tx_id: "ACME:1" }).ok);
});

test("two merchants may have the same player ids and tx ids, and a bet in another merchant's currency is rejected", (t) => {
  const wallet = ledger();
  wallet.addMerchant("loja", "CLP");
  wallet.addPlayer("loja", "u-1", 5_000n);
  t.true(call(wallet, "bet").ok);
  t.deepEqual(wallet.apply("loja", body("bet", { amount: 1_500, currency: "CLP" })), { ok: true, balance: 3_500 });
  t.deepEqual(wallet.apply("loja", body("bet", { tx_id: "ACME:9" })), rejected("CURRENCY_MISMATCH"));
  t.is(wallet.balanceMinor(MERCHANT, "u-1"), 750n);
  // The rejection is permanent, even if a request with the same id has the right currency.
  const again = body("bet", { tx_id: "ACME:9", amount: 100, currency: "CLP" });
  t.deepEqual(wallet.apply("loja", again), rejected("CURRENCY_MISMATCH"));
  t.is(wallet.balanceMinor("loja", "u-1"), 3_500n);
});

test("an invalid callback gets INVALID_REQUEST and moves no money", (t) => {
  const wallet = ledger();
  const { tx_id: _, ...withoutId } = body("bet") as Record<string, unknown>;
  const broken = [
    undefined,
    null,
    7,
    [],
    {},
    withoutId,
    { ...body("bet"), action: "debit" },
    { ...body("bet"), action: "__proto__" },
    body("bet", { ref_tx_id: "ACME:0" }),
    body("refund"),
  ];
  for (const amount of [0, -1, 1.005, 1e21, 1e-7, Number.NaN, "2.5" as unknown as number])
    broken.push(body("bet", { amount }));
  for (const request of broken)
    t.deepEqual(wallet.apply(MERCHANT, request), rejected("INVALID_REQUEST"), JSON.stringify(request));
  t.deepEqual(wallet.effects, []);
});

test("toMinor and toDecimal are inverse in every currency, for all amounts that a number holds exactly", (t) => {
  const currencies = fc.constantFrom<Currency>("BRL", "MXN", "ARS", "COP", "CLP", "PEN", "USD");
  fc.assert(
    fc.property(currencies, fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n }), (currency, minor) => {
      t.is(toMinor(Number(toDecimal(minor, currency)), currency), minor);
    }),
  );
  t.is(toMinor(1.15, "BRL"), 115n);
  t.is(toMinor(100.5, "CLP"), undefined);
  t.is(toDecimal(-5n, "BRL"), "-0.05");
});
