import test from "ava";
import fc from "fast-check";
import {
  amountMax,
  balanceFromNumber,
  CURRENCIES,
  type Currency,
  fromDecimal,
  isAmount,
  scaleOf,
  toDecimal,
} from "../../../src/domain/values/money.ts";

/** MONEY_CASES=1000000 runs the round trip a million times, in about 15 s. */
const CASES = Number(process.env.MONEY_CASES ?? 10_000);

const amounts = fc
  .constantFrom(...CURRENCIES)
  .chain((currency) => fc.record({ currency: fc.constant(currency), minor: fc.bigInt(0n, amountMax(currency)) }));

test("fromDecimal reads the text of toDecimal as the same amount in every currency, and the text is a JSON number in its shortest form", (t) => {
  fc.assert(
    fc.property(amounts, ({ minor, currency }) => {
      const text = toDecimal(minor, currency);
      if (fromDecimal(text, currency) !== minor) throw new Error(`${minor} ${currency} became ${text}`);
      if (!/^(0|[1-9]\d*)(\.\d?[1-9])?$/.test(text)) throw new Error(`${text} is not the shortest form`);
      if (scaleOf(currency) === 0 && text.includes(".")) throw new Error(`${text} ${currency} has a fraction`);
      // A merchant's JSON parser reads the same number from the literal.
      if (balanceFromNumber(JSON.parse(text), currency).minor !== minor)
        throw new Error(`${text} is not read back as ${minor}`);
    }),
    { numRuns: CASES },
  );
  t.pass();
});

test("a negative balance is written with its sign in front, and this text is read as the same balance", (t) => {
  fc.assert(
    fc.property(amounts, ({ minor, currency }) => {
      if (minor === 0n) return;
      t.is(fromDecimal(toDecimal(-minor, currency), currency), -minor);
      t.is(balanceFromNumber(Number(toDecimal(-minor, currency)), currency).minor, -minor);
    }),
    { numRuns: 1_000 },
  );
});

const DECIMALS: [bigint, Currency, string][] = [
  [250n, "BRL", "2.5"],
  [255n, "BRL", "2.55"],
  [5n, "USD", "0.05"],
  [0n, "USD", "0"],
  [150_000n, "COP", "1500"],
  [1_500n, "CLP", "1500"],
  [-5n, "MXN", "-0.05"],
  [999_999_999_999n, "ARS", "9999999999.99"],
];

test("toDecimal writes the shortest exact decimal", (t) => {
  for (const [minor, currency, text] of DECIMALS) t.is(toDecimal(minor, currency), text);
});

test("fromDecimal ignores zeros at the end: 2.5, 2.50 and 2.500 COP are the same amount, and 100.00 is accepted for CLP, which has no decimals", (t) => {
  t.deepEqual(
    (["2.5", "2.50", "2.500"] as const).map((text) => fromDecimal(text, "COP")),
    [250n, 250n, 250n],
  );
  t.is(fromDecimal("100.00", "CLP"), 100n);
});

test("fromDecimal refuses a text that it could only read by rounding or guessing", (t) => {
  for (const text of [
    "",
    "1.005",
    "1e3",
    "1e-7",
    "1e21",
    "+1",
    "01",
    "1.",
    ".5",
    " 1",
    "1 ",
    "-0",
    "-0.00",
    "NaN",
    "Infinity",
    "0x1",
    "1,5",
    "１",
    "1_0",
  ])
    t.is(fromDecimal(text, "BRL"), undefined, text);
  t.is(fromDecimal("100.5", "CLP"), undefined);
});

test("isAmount accepts amounts up to 9 999 999 999.99, or 9 999 999 999 Chilean pesos", (t) => {
  for (const currency of CURRENCIES) {
    t.true(isAmount(0n, currency) && isAmount(amountMax(currency), currency));
    t.false(isAmount(-1n, currency) || isAmount(amountMax(currency) + 1n, currency));
  }
  t.deepEqual(
    [toDecimal(amountMax("BRL"), "BRL"), toDecimal(amountMax("CLP"), "CLP")],
    ["9999999999.99", "9999999999"],
  );
});

const BALANCES: [number, Currency, bigint | null, boolean][] = [
  [1.15, "BRL", 115n, true],
  [2.675, "BRL", 267n, false],
  [1.005, "BRL", 100n, false],
  [4.35, "BRL", 435n, true],
  [10.129, "BRL", 1012n, false],
  [-10.129, "BRL", -1012n, false],
  [-0, "BRL", 0n, true],
  [-5, "BRL", -500n, true],
  [100.5, "CLP", 100n, false],
  [1e-7, "BRL", 0n, false],
  [5e-324, "BRL", 0n, false],
  [9_999_999_999_999.99, "BRL", 999_999_999_999_999n, true],
  [10_000_000_000_000, "BRL", null, false],
  [1e21, "BRL", null, false],
  [-1e300, "CLP", null, false],
];

test("balanceFromNumber reads the shortest decimal text and cuts it towards zero", (t) => {
  for (const [balance, currency, minor, exact] of BALANCES)
    t.deepEqual(balanceFromNumber(balance, currency), { minor, exact }, `${balance} ${currency}`);
});
