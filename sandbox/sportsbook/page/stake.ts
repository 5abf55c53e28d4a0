/** Reads and writes amounts as players type them. */

/** The decimals of each currency. Chilean pesos have none. */
const decimalsOf = (currency: string): number => (currency === "CLP" ? 0 : 2);

/**
 * A typed amount in minor units: `10`, `10,5`, `10.50`, or `1.000` in a currency without decimals. undefined: the text
 * is empty, no amount, or has more decimals than the currency.
 */
export function readStake(text: string, currency: string): number | undefined {
  const decimals = decimalsOf(currency);
  const plain = text.replaceAll(/\s/g, "");
  const grouped = decimals === 0 ? plain.replaceAll(/[.,](?=\d{3}(?:\D|$))/g, "") : plain;
  const [, whole, rest = ""] = /^(\d{1,9})(?:[.,](\d*))?$/.exec(grouped) ?? [];
  if (whole === undefined || rest.length > decimals) return undefined;
  const minor = Number(whole) * 10 ** decimals + Number(rest.padEnd(decimals, "0"));
  return minor > 0 ? minor : undefined;
}

/** Amounts of the quick buttons, in minor units of each currency. */
export const QUICK_STAKES: Readonly<Record<string, readonly number[]>> = {
  BRL: [500, 1_000, 2_500],
  USD: [200, 500, 1_000],
  PEN: [500, 1_000, 2_500],
  MXN: [2_000, 5_000, 10_000],
  ARS: [50_000, 100_000, 500_000],
  COP: [500_000, 1_000_000, 2_000_000],
  CLP: [1_000, 2_000, 5_000],
};

/** An amount in minor units as editable text: without currency and grouping. */
export function stakeText(minor: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const text = (minor / 10 ** decimals).toFixed(decimals);
  return decimals === 0 || currency === "USD" || currency === "MXN" || currency === "PEN"
    ? text
    : text.replace(".", ",");
}
