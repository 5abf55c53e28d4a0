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

/** Groups with many rows. People choose them last. */
const FINE: readonly GroupingName[] = ["game", "player"];

/** The groups that a report may have, the coarse ones first. A viewer may not see players. */
export const groupsOf = (subject: Subject, maySeePlayers: boolean): readonly GroupingName[] =>
  (currencyOf(subject) === undefined ? MERCHANT_GROUPINGS : CURRENCY_GROUPINGS)
    .filter((group) => group !== "player" || maySeePlayers)
    .sort((one, other) => Number(FINE.includes(one)) - Number(FINE.includes(other)));
