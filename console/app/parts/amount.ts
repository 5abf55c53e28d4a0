/** A whole number of protobuf's JSON: text for 64 bits, absent for 0. */
export type Whole = string | number | undefined;
type Minor = Whole | bigint;

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

/** A share of an amount. NaN if the amount is zero or negative: a percentage of it would mislead. */
export const shareOf = (part: Minor, whole: Minor): number =>
  Number(whole ?? 0) > 0 ? Number(part ?? 0) / Number(whole) : Number.NaN;

/** The change against an earlier amount, as a share of it. NaN without an earlier amount, and after a loss. */
export const change = (now: Minor, before: Minor): number => shareOf(BigInt(now ?? 0) - BigInt(before ?? 0), before);

/** An amount as a number in the major unit, for plots only. */
export const majorNumber = (minor: Whole, currency: string): number => Number(majorText(minor, currency));
