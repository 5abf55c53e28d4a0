/**
 * An amount as people write it: `2.50` for 250 centavos, and `1500` for 1500 pesos of Chile, which have no hundredths.
 */
export const majorUnits = (minor: number, currency: string): string =>
  currency === "CLP" ? String(minor) : (minor / 100).toFixed(2);
