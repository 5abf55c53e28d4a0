import { isCurrency, scaleOf } from "../../domain/values/money.ts";

/**
 * An amount in the form in which people write it: `2.50` for 250 centavos, and `1500` for 1500 Chilean pesos, which
 * have no cents. A newer service may have a currency that this program does not know. It gets two decimals.
 */
export function majorUnits(minor: number, currency: string): string {
  const scale = isCurrency(currency) ? scaleOf(currency) : 2;
  return (minor / 10 ** scale).toFixed(scale);
}
