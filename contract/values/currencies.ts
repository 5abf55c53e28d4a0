/**
 * The supported currencies (ISO 4217), in the specification's order. `digits`: the number of decimals. COP has two, as in
 * ISO 4217. `country`: the country of a launch without a country (ISO 3166-1 alpha-2).
 */
export const CURRENCIES = {
  BRL: { digits: 2, country: "BR" },
  MXN: { digits: 2, country: "MX" },
  ARS: { digits: 2, country: "AR" },
  COP: { digits: 2, country: "CO" },
  CLP: { digits: 0, country: "CL" },
  PEN: { digits: 2, country: "PE" },
  USD: { digits: 2, country: "US" },
} as const;
