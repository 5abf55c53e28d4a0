/** An amount as people write it: `2.50` of 250 centavos, `1500` of pesos of Chile, which have no hundredths. */
export const majorUnits = (minor: number, currency: string): string => (currency === "CLP" ? String(minor) : (minor / 100).toFixed(2));
