/** A whole number of protobuf's JSON: text for 64 bits, absent for 0. */
export type Whole = string | number | undefined;

/** The number of decimals that a currency is written with. */
export const decimals = (currency: string): number => (currency === "CLP" ? 0 : 2);

/** The amount in the major unit as a decimal text, exactly: `-1234.50`. */
export function majorText(minor: Whole, currency: string): string {
  const digits = decimals(currency);
  const text = String(minor ?? 0);
  const isNegative = text.startsWith("-");
  const padded = text.replace("-", "").padStart(digits + 1, "0");
  const whole = padded.slice(0, padded.length - digits);
  return `${isNegative ? "-" : ""}${whole}${digits === 0 ? "" : `.${padded.slice(-digits)}`}`;
}

/** An amount as a number in the major unit, for plots only. */
export const majorNumber = (minor: Whole, currency: string): number => Number(majorText(minor, currency));
