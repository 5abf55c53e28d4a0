/**
 * Money as whole minor units in a bigint, and its exact conversion from and to the decimal text of JSON. No money is
 * computed with `number`; a `number` appears only where a wallet's JSON reply has already been parsed
 * (docs/specification/basics.md#basic-exact).
 */

import { CURRENCIES as CURRENCY_FACTS } from "../../../contract/values/currencies.ts";

/** A supported ISO 4217 code. */
export type Currency = keyof typeof CURRENCY_FACTS;

/** Every supported currency, in the specification's order. */
export const CURRENCIES = Object.keys(CURRENCY_FACTS) as readonly Currency[];

/** The country of a launch without a country: the currency's country (ISO 3166-1 alpha-2). */
export const countryOf = (currency: Currency): string => CURRENCY_FACTS[currency].country;

/** Whether `text` is the code of a supported currency, in upper case. */
export const isCurrency = (text: string): text is Currency => Object.hasOwn(CURRENCY_FACTS, text);

/** The number of decimals of the currency: 2, or 0 for CLP. */
export const scaleOf = (currency: Currency): number => CURRENCY_FACTS[currency].digits;

const AMOUNT_MAX = { 0: 9_999_999_999n, 2: 999_999_999_999n } as const;
const BALANCE_MAX = { 0: 9_999_999_999_999n, 2: 999_999_999_999_999n } as const;

/** The largest amount of one transaction in minor units: 9 999 999 999.99 (CLP: 9 999 999 999). */
export const amountMax = (currency: Currency): bigint => AMOUNT_MAX[CURRENCY_FACTS[currency].digits];

/** Whether a transaction may have this amount: zero or more, and at most {@link amountMax}. */
export const isAmount = (minor: bigint, currency: Currency): boolean => minor >= 0n && minor <= amountMax(currency);

/**
 * Writes minor units as the shortest exact decimal, which is also a JSON number literal: 250n BRL is `2.5`, 1500n CLP
 * is `1500`. The text never has an exponent or a trailing zero.
 */
export function toDecimal(minor: bigint, currency: Currency): string {
  if (CURRENCY_FACTS[currency].digits === 0) return minor.toString();
  const sign = minor < 0n ? "-" : "";
  const digits = (minor < 0n ? -minor : minor).toString().padStart(3, "0");
  const fraction = digits.slice(-2).replace(/0+$/, "");
  const whole = digits.slice(0, -2);
  return fraction === "" ? sign + whole : `${sign}${whole}.${fraction}`;
}

/**
 * Reads decimal text into minor units without rounding. `undefined`: the text is not plain decimal text (it has an
 * exponent, for example), or it has more decimals than the currency. So `1.005` BRL and `100.5` CLP are not amounts,
 * and `-0` is not an amount either.
 */
export function fromDecimal(text: string, currency: Currency): bigint | undefined {
  const match = /^(-?)(0|[1-9]\d{0,17})(?:\.(\d{1,18}))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = "0", fraction = ""] = match;
  const scale = CURRENCY_FACTS[currency].digits;
  const significant = fraction.replace(/0+$/, "");
  if (significant.length > scale) return undefined;
  const minor = BigInt(whole + significant.padEnd(scale, "0"));
  if (sign === "") return minor;
  return minor === 0n ? undefined : -minor;
}

/**
 * A balance from a wallet's JSON reply, in minor units. It is read from the number's shortest decimal text and cut
 * towards zero to the currency's decimals (1.15 is 115, never 114). `minor` is null if the balance is larger than the
 * largest balance that is stored (docs/specification/basics.md#basic-balance). The transaction is a success in this
 * case too. `exact` is false if digits were cut off, or if `minor` is null.
 */
export function balanceFromNumber(balance: number, currency: Currency): { minor: bigint | null; exact: boolean } {
  const scale = CURRENCY_FACTS[currency].digits;
  if (Math.abs(balance) >= 1e15) return { minor: null, exact: false };
  const text = shortestDecimal(Math.abs(balance));
  const [whole = "0", fraction = ""] = text.split(".");
  const minor = BigInt(whole + fraction.slice(0, scale).padEnd(scale, "0"));
  if (minor > BALANCE_MAX[scale]) return { minor: null, exact: false };
  return { minor: balance < 0 ? -minor : minor, exact: fraction.length <= scale };
}

/** The shortest decimal text, without exponent, of a finite number in [0, 1e15). */
function shortestDecimal(value: number): string {
  const text = String(value);
  const match = /^(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (match === null) return text;
  const [, first = "", rest = "", exponent = "0"] = match;
  return `0.${"0".repeat(Number(exponent) - 1)}${first}${rest}`;
}
