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
const localeOf = (currency: string): string => LOCALES[currency] ?? "en-US";
const decimals = (currency: string): number => (currency === "CLP" ? 0 : 2);

/**
 * Formats amounts in the major unit as the currency's players write them: `R$ 2,50`, `$1.500` (CLP has no decimals).
 */
export function moneyFormat(currency: string): (major: number) => string {
  const digits = decimals(currency);
  const format = new Intl.NumberFormat(localeOf(currency), {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // A browser may break a line after a hyphen, but not after a minus sign.
  return (major) => format.format(major).replace("-", "\u2212");
}

/** Formats whole minor units as short text for a chip: `0,5`, `25`, or thousands as `1,5K`, without the currency's sign. */
export function chipFormat(currency: string): (minor: number) => string {
  const format = new Intl.NumberFormat(localeOf(currency), { maximumFractionDigits: 2, useGrouping: false });
  const scale = 10 ** decimals(currency);
  return (minor) =>
    minor >= 1_000 * scale ? `${format.format(minor / scale / 1_000)}K` : format.format(minor / scale);
}

/** Formats amounts in whole minor units. */
export function minorFormat(currency: string): (minor: number) => string {
  const format = moneyFormat(currency);
  const scale = 10 ** decimals(currency);
  return (minor) => format(minor / scale);
}
