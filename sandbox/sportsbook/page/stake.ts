/** Money as a player types it. */

/** The currencies' decimals: pesos of Chile have none. */
const decimalsOf = (currency: string): number => (currency === "CLP" ? 0 : 2);

/**
 * What was typed, in minor units: `10`, `10,5`, `10.50`, `1.000` in a currency without decimals. undefined: no amount, more decimals than
 * there are, or nothing.
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

/** Amounts to tap, in minor units, by what money is worth. */
export const QUICK_STAKES: Readonly<Record<string, readonly number[]>> = {
  BRL: [500, 1_000, 2_500],
  USD: [200, 500, 1_000],
  PEN: [500, 1_000, 2_500],
  MXN: [2_000, 5_000, 10_000],
  ARS: [50_000, 100_000, 500_000],
  COP: [500_000, 1_000_000, 2_000_000],
  CLP: [1_000, 2_000, 5_000],
};

/** A minor amount as the field shows it, to be typed on: without currency and groups. */
export function stakeText(minor: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const text = (minor / 10 ** decimals).toFixed(decimals);
  return decimals === 0 || currency === "USD" || currency === "MXN" || currency === "PEN" ? text : text.replace(".", ",");
}
