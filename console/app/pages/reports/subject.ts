import { CURRENCY_GROUPINGS, type GroupingName, MERCHANT_GROUPINGS } from "../../../../contract/values/groupings.ts";
import { ALL_MERCHANTS } from "../../parts/filters/all-merchants.ts";

/**
 * What a report is about, as it stands in the address: a merchant's code, or `*BRL` for all merchants whose currency is
 * BRL.
 */
export type Subject = string;

export const allOf = (currency: string): Subject => `${ALL_MERCHANTS}${currency}`;

/** The currency, if the report is about all its merchants. */
export const currencyOf = (subject: Subject): string | undefined =>
  subject.startsWith(ALL_MERCHANTS) ? subject.slice(ALL_MERCHANTS.length) : undefined;

/** The fields of a request that say what it is about. */
export const fieldsOf = (subject: Subject): { readonly merchant: string } | { readonly currency: string } => {
  const currency = currencyOf(subject);
  return currency === undefined ? { merchant: subject } : { currency };
};

/** The groups that a report may have. A viewer may not see players. */
export const groupsOf = (subject: Subject, maySeePlayers: boolean): readonly GroupingName[] =>
  currencyOf(subject) !== undefined
    ? CURRENCY_GROUPINGS
    : MERCHANT_GROUPINGS.filter((group) => group !== "player" || maySeePlayers);
