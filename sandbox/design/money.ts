/** The locale in which a currency's players read money. */
const LOCALES: Readonly<Record<string, string>> = {
  BRL: "pt-BR",
  MXN: "es-MX",
  ARS: "es-AR",
  COP: "es-CO",
  CLP: "es-CL",
  PEN: "es-PE",
  USD: "en-US",
};
const decimals = (currency: string): number => (currency === "CLP" ? 0 : 2);

/**
 * Formats amounts in the major unit as the currency's players write them: `R$ 2,50`, `$1.500` (CLP has no decimals).
 */
export function moneyFormat(currency: string): (major: number) => string {
  const digits = decimals(currency);
  const format = new Intl.NumberFormat(LOCALES[currency] ?? "en-US", {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return (major) => format.format(major);
}

/** Formats amounts in whole minor units. */
export function minorFormat(currency: string): (minor: number) => string {
  const format = moneyFormat(currency);
  const scale = 10 ** decimals(currency);
  return (minor) => format(minor / scale);
}
