/**
 * An amount in the form in which people write it: `2.50` for 250 centavos, and `1500` for 1500 Chilean pesos, which
 * have no cents.
 */
export const majorUnits = (minor: number, currency: string): string =>
  currency === "CLP" ? String(minor) : (minor / 100).toFixed(2);
