/**
 * Money is a bigint of minor units: cents, or pesos of CLP. The text of a JSON number is converted directly, never
 * through floating point.
 */
export const CURRENCIES = ["BRL", "MXN", "ARS", "COP", "CLP", "PEN", "USD"] as const;
export type Currency = (typeof CURRENCIES)[number];

/** A currency that is not this one. */
export const anotherCurrency = (currency: Currency): Currency => (currency === "CLP" ? "BRL" : "CLP");

export const decimals = (currency: Currency): number => (currency === "CLP" ? 0 : 2);

/** The largest amount of one callback, in minor units. */
export const amountMax = (currency: Currency): bigint => (currency === "CLP" ? 9_999_999_999n : 999_999_999_999n);

/** The shortest exact decimal, the form in callbacks: 250n BRL is `2.5`. */
export function decimal(minor: bigint, currency: Currency): string {
  const scale = decimals(currency);
  const digits = (minor < 0n ? -minor : minor).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, "");
  return `${minor < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

interface ReadAmount {
  /** Rounded half away from zero when the text has more decimals than the currency. */
  readonly minor: bigint;
  /** The text has no more decimals than the currency, not counting zeros at its end. */
  readonly exact: boolean;
}

/**
 * Converts the text of a JSON number to minor units; undefined when it is not a number, or has more than 400 digits.
 */
export function readAmount(text: string, currency: Currency): ReadAmount | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const shift = Number(exponent) - fraction.length + decimals(currency);
  if (Math.abs(shift) > 400) return undefined;
  const digits = BigInt(whole + fraction);
  const signed = (minor: bigint): bigint => (sign === "-" ? -minor : minor);
  if (shift >= 0) return { minor: signed(digits * 10n ** BigInt(shift)), exact: true };
  const divisor = 10n ** BigInt(-shift);
  return { minor: signed((digits * 2n + divisor) / (divisor * 2n)), exact: digits % divisor === 0n };
}
