/**
 * Money is exact. The API sends decimals of the major unit as JSON numbers. This package returns them as decimal texts
 * such as `"2.5"`, or as bigint minor units (cents; pesos of CLP). It never uses floating-point numbers for money.
 */
export const CURRENCIES = ["BRL", "MXN", "ARS", "COP", "CLP", "PEN", "USD"] as const;
export type Currency = (typeof CURRENCIES)[number];

/** An exact decimal of the major unit: `"2.5"`, `"-0.05"`, `"1500"`. */
export type Decimal = string;

/** The number of decimals of the currency. */
export const decimalsOf = (currency: Currency): number => (currency === "CLP" ? 0 : 2);

/**
 * `"2.5"` BRL is 250n.
 *
 * @throws RangeError when the text is not a decimal, or has more decimals than the currency.
 */
export function toMinor(text: Decimal, currency: Currency): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const [, sign, whole = "", fraction = ""] = match ?? [];
  const kept = fraction.replace(/0+$/, "");
  const decimals = decimalsOf(currency);
  if (match === null || kept.length > decimals) throw new RangeError(`${text} is no amount of ${currency}`);
  const minor = BigInt(whole + kept.padEnd(decimals, "0"));
  return sign === "-" ? -minor : minor;
}

/** 250n BRL is `"2.50"`, always with all decimals of the currency. */
export function toDecimal(minor: bigint, currency: Currency): Decimal {
  const decimals = decimalsOf(currency);
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const text = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
  return minor < 0n ? `-${text}` : text;
}
