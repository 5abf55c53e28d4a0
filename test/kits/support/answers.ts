/** The answers of all kits' wallets to callbacks that they do not apply. kits/README.md has the same answers in a table. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ExecutionContext } from "ava";
import { ROOT } from "../../../testbed/programs/toolchain.ts";
import { callback, type Signatures } from "./callback.ts";
import { OPENING_MINOR } from "./example.ts";

const BET = { action: "bet", tx_id: "ACME:wrong", round_id: "r1", amount: 1 };
const TEXT = JSON.stringify({ player_id: "ana", currency: "BRL", provider: "ACME", game: "fruits", ...BET });
const REFUND = { ...BET, action: "refund", ref_tx_id: "ACME:b1" };

interface Wrong {
  readonly what: string;
  readonly content: object | Uint8Array;
  readonly answer: readonly [status: number, error: string];
  readonly signatures?: Signatures;
  readonly more?: { readonly merchant?: string; readonly method?: string };
}

const MALFORMED = [400, "INVALID_REQUEST"] as const;
const malformed = (what: string, content: object | Uint8Array): Wrong => ({ what, content, answer: MALFORMED });
/** The bet with another text in place of its tx_id, as it is written in the JSON. */
const withTxId = (id: string): Buffer => Buffer.from(TEXT.replace(BET.tx_id, id));

/** Wrong callbacks in this order, because some of them depend on earlier ones. */
const WRONG: readonly Wrong[] = [
  { what: "PUT", content: BET, more: { method: "PUT" }, answer: [405, "METHOD_NOT_ALLOWED"] },
  { what: "a body of 70 kB", content: Buffer.alloc(70_000, " "), answer: [413, "PAYLOAD_TOO_LARGE"] },
  { what: "another secret", content: BET, signatures: { "X-Signature": "sk_x" }, answer: [401, "INVALID_SIGNATURE"] },
  { what: "no signature", content: BET, signatures: {}, answer: [401, "INVALID_SIGNATURE"] },
  { what: "an unknown merchant", content: BET, more: { merchant: "x" }, answer: [401, "INVALID_SIGNATURE"] },
  malformed("no body", Buffer.alloc(0)),
  malformed("no JSON", Buffer.from("no JSON")),
  malformed("a list", Buffer.from("[]")),
  malformed("null", Buffer.from("null")),
  malformed("a byte order mark", Buffer.from(`\uFEFF${TEXT}`)),
  malformed("a byte that is no UTF-8", Buffer.from(TEXT.replace("wrong", "\xFF"), "latin1")),
  malformed("half of a surrogate pair", withTxId("a\\ud800")),
  malformed("the other half of a pair", withTxId("a\\udc00")),
  malformed("an unknown action", { ...BET, action: "steal" }),
  malformed("no player_id", { ...BET, player_id: undefined }),
  malformed("a player_id of 513 bytes", { ...BET, player_id: "x".repeat(513) }),
  malformed("no currency", { ...BET, currency: undefined }),
  malformed("no tx_id", { ...BET, tx_id: undefined }),
  malformed("an empty tx_id", { ...BET, tx_id: "" }),
  malformed("a tx_id of digits", { ...BET, tx_id: 7 }),
  malformed("a tx_id of 129 bytes", { ...BET, tx_id: "x".repeat(129) }),
  malformed("a tx_id with U+0000", { ...BET, tx_id: "a\0b" }),
  malformed("no amount", { ...BET, amount: undefined }),
  malformed("an amount as text", { ...BET, amount: "1" }),
  malformed("an amount of 0", { ...BET, amount: 0 }),
  malformed("an amount below 0", { ...BET, amount: -1 }),
  malformed("a part of a cent", { ...BET, amount: 0.001 }),
  malformed("a refund without ref_tx_id", { ...REFUND, ref_tx_id: undefined }),
  { what: "a balance in dollars", content: { action: "balance", currency: "USD" }, answer: [200, "CURRENCY_MISMATCH"] },
  { what: "a bet in dollars", content: { ...BET, tx_id: "usd", currency: "USD" }, answer: [200, "CURRENCY_MISMATCH"] },
  { what: "the same bet in reais", content: { ...BET, tx_id: "usd" }, answer: [200, "CURRENCY_MISMATCH"] },
  {
    what: "a bet in euros with an amount that reais do not have",
    content: { ...BET, tx_id: "eur", currency: "EUR", amount: 0.001 },
    answer: [200, "CURRENCY_MISMATCH"],
  },
  { what: "the same bet in reais", content: { ...BET, tx_id: "eur" }, answer: [200, "CURRENCY_MISMATCH"] },
  { what: "nobody's balance", content: { action: "balance", player_id: "x" }, answer: [200, "PLAYER_NOT_FOUND"] },
  { what: "a bet of nobody", content: { ...BET, player_id: "x", tx_id: "x" }, answer: [200, "PLAYER_NOT_FOUND"] },
  { what: "a blocked bet", content: { ...BET, player_id: "blocked", tx_id: "y" }, answer: [200, "PLAYER_BLOCKED"] },
  { what: "too large a bet", content: { ...BET, tx_id: "z", amount: 101 }, answer: [200, "INSUFFICIENT_FUNDS"] },
  { what: "a refund of nothing", content: { ...REFUND, tx_id: "f0" }, answer: [200, "TRANSACTION_NOT_FOUND"] },
  { what: "the bet after it", content: { ...BET, tx_id: "ACME:b1" }, answer: [200, "TRANSACTION_REVERSED"] },
];

/**
 * Amounts of BRL as they are written in the JSON, with their minor units; undefined: the wallet refuses the callback. No
 * number is rounded, and none is read as a floating-point number.
 */
const AMOUNTS: readonly (readonly [text: string, minor?: number])[] = [
  ["1", 100],
  ["1.15", 115],
  ["1.10", 110],
  ["1.100000000000000000000000000000", 110],
  ["1e2", 10_000],
  ["1E+0", 100],
  ["12.5e-1", 125],
  ["0.1e1", 100],
  ["0.01", 1],
  ["9999999999.99", 999_999_999_999],
  ["9999999999.98", 999_999_999_998],
  ['1,"amount":2', 200],
  ["10000000000"],
  ["9999999999.991"],
  ["1.005"],
  ["1.1500000000000000000000000001"],
  ["0.009999999999999999999999999"],
  ["-0"],
  ["-0.0"],
  ["0e5"],
  ["-1"],
  ["1e-3"],
  ["1e400"],
  ["1e-400"],
  ["1e99999999999999999999"],
  ["90071992547409930"],
  ["9".repeat(400)],
  ["NaN"],
  ["Infinity"],
  ["01"],
  ["1."],
  [".5"],
  ["+1"],
  ["0x10"],
  ["1_000"],
  ["1 2"],
  ["1}"],
  ["1,"],
  ["[1]"],
  ["{}"],
  ["true"],
  ["null"],
  ['"1"'],
  ["[".repeat(20_000)],
];

/** Asserts that an amount is read exactly, or refused. */
export async function assertAmounts(t: ExecutionContext, url: URL): Promise<void> {
  const text = (amount: string, txId: string): Buffer =>
    Buffer.from(
      `{"action":"win","tx_id":"${txId}","round_id":"r","player_id":"leo","currency":"BRL","provider":"ACME","game":"g","amount":${amount}}`,
    );
  let minor = OPENING_MINOR;
  for (const [i, [amount, expected]] of AMOUNTS.entries()) {
    const what = amount.slice(0, 40);
    const reply = await callback(url, text(amount, `ACME:amount-${i}`));
    minor += expected ?? 0;
    if (expected === undefined)
      t.deepEqual(reply, { status: 400, body: { ok: false, error: "INVALID_REQUEST" } }, what);
    else t.deepEqual(reply, { status: 200, body: { ok: true, balance: minor / 100 } }, what);
  }
}

/** Asserts that each wrong callback gets its answer, and moves no money. */
export async function assertAnswers(t: ExecutionContext, url: URL): Promise<void> {
  const readme = await readFile(join(ROOT, "kits/README.md"), "utf8");
  for (const { what, content, answer, signatures, more } of WRONG) {
    const [status, error] = answer;
    t.deepEqual(await callback(url, content, signatures, more), { status, body: { ok: false, error } }, what);
    t.regex(readme, new RegExp(`^\\|.*\\| ${status}\\b.*\\| ${error} \\|`, "m"), "the table has it");
  }
  const refund = { ...REFUND, ref_tx_id: BET.tx_id };
  const reversal = async (more: object) => (await callback(url, { ...refund, ...more })).body;
  // A malformed bet does not use up its tx_id.
  t.like(await callback(url, BET), { status: 200, body: { ok: true } });
  t.deepEqual(await reversal({ tx_id: "f1", amount: 2 }), { ok: false, error: "AMOUNT_MISMATCH" });
  t.like(await reversal({ tx_id: "f2" }), { ok: true });
  t.deepEqual(await reversal({ tx_id: "f3" }), { ok: false, error: "ALREADY_REVERSED" });
  t.deepEqual(await reversal({ tx_id: "f4", amount: 2 }), { ok: false, error: "AMOUNT_MISMATCH" });
  const { body } = await callback(url, { action: "balance" });
  t.deepEqual(body, { ok: true, balance: OPENING_MINOR / 100 });
}
