import { CSV_DIALECT_NAMES, type CsvDialect } from "../../../../web-files/csv.ts";
import { keep, kept } from "../../shell/kept.ts";
import { LOCALE, language } from "../../shell/language.ts";

const KEY = "csv-dialect";

/** A spreadsheet expects the decimal sign of the computer's region: `1,5` in es-AR, `1.5` in es-MX. */
function usualDialect(): CsvDialect {
  const region = navigator.languages.find((one) => one.startsWith(language)) ?? LOCALE;
  return new Intl.NumberFormat(region).format(1.5).includes(",") ? "semicolon" : "standard";
}

/** The dialect that the reader chose last in this browser, or the one of the reader's region. */
export function keptDialect(): CsvDialect {
  const name = kept(KEY);
  return CSV_DIALECT_NAMES.find((one) => one === name) ?? usualDialect();
}

export function keepDialect(dialect: CsvDialect): void {
  keep(KEY, dialect);
}
