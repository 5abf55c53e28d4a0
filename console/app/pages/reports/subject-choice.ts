import { ALL_MERCHANTS } from "../../parts/filters/all-merchants.ts";
import { keptCurrency } from "../../parts/filters/kept-currency.ts";
import { chosenMerchant, type Merchants } from "../../parts/filters/merchant-choice.tsx";
import { words } from "../../shell/language.ts";
import { allOf, currencyOf, type Subject } from "./subject.ts";

/** The subject as a part of a sentence. */
export const nameOf = (subject: Subject): string => {
  const currency = currencyOf(subject);
  if (subject === ALL_MERCHANTS) return words.reports.currencies;
  return currency === undefined ? subject : words.reports.all(currency);
};

/** The currencies of the merchants, the one with the most merchants first. */
export function currenciesOf({ merchants = [] }: Merchants): string[] {
  const counts = new Map<string, number>();
  for (const { currency } of merchants) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([currency]) => currency);
}

/** An entry of a choice for each currency. A lone merchant has no such entry. */
export function currencyChoices(merchants: Merchants): [Subject, string][] {
  if (merchants.merchants?.length === 1) return [];
  return currenciesOf(merchants).map((currency) => [allOf(currency), `${words.stuck.all} (${currency})`]);
}

/**
 * The subject of the address, else the only merchant, else all merchants of a currency: the one that the browser showed
 * last on Today, or that most merchants have.
 */
export function chosenSubject(query: Readonly<Record<string, string>>, merchants: Merchants): Subject {
  const all = currencyChoices(merchants).map(([subject]) => subject);
  const kept = allOf(keptCurrency() ?? "");
  return chosenMerchant(query, merchants) ?? (all.includes(kept) ? kept : (all[0] ?? ""));
}
