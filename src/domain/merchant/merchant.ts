/** The rules of a merchant's record (docs/specification/administration.md#admin-merchants). */

import type { PlainFields } from "../../../contract/merchants/fields.ts";
import { PRODUCTS } from "../../../contract/values/products.ts";
import { parseIpRange } from "../access/ip-list.ts";
import type { FieldFault } from "../errors.ts";
import { isCountry } from "../values/country.ts";
import { faultsOf, type Rules } from "../values/field-fault.ts";
import { isPartyCode } from "../values/identifiers.ts";
import { isLanguage } from "../values/language.ts";
import { CURRENCIES, isCurrency } from "../values/money.ts";
import { plainFaults } from "./plain-fields.ts";
import { type WalletUrlRules, walletUrlFault } from "./wallet-url.ts";

/** The limits of one merchant. If a limit is absent, the service's own limit applies. */
export interface MerchantLimits {
  /** Calls per second, over all replicas together. A burst may have twice as many calls. */
  readonly launchRate?: number;
  readonly catalogRate?: number;
  readonly transactionsRate?: number;
  readonly reportsRate?: number;
  /** Concurrent wallet calls on each replica. */
  readonly walletConcurrency?: number;
}

const IP_LIST_MAX = 200;

interface MerchantRecord extends PlainFields {
  readonly code: string;
  readonly currency: string;
  readonly brand: string;
  readonly products: readonly string[];
  readonly ipList: readonly string[];
  readonly limits: MerchantLimits;
}

const isRate = (rate: number | undefined): boolean => rate === undefined || (rate >= 0.1 && rate <= 10_000);
const RATE = "0.1 to 10000 per second";

const RULES: Rules<MerchantRecord> = [
  ["code", "1 to 64 of A-Z, a-z, 0-9, _ and -", ({ code }) => isPartyCode(code)],
  ["currency", `one of ${CURRENCIES.join(", ")}`, ({ currency }) => isCurrency(currency)],
  ["brand", "the code of a brand", ({ brand }) => isPartyCode(brand)],
  [
    "default_language",
    "pt, es or en, with or without a region",
    ({ defaultLanguage }) => defaultLanguage === null || isLanguage(defaultLanguage),
  ],
  [
    "jurisdiction",
    "an ISO 3166 code in upper case, of a country (BR) or of a part of a country (AR-B), or empty",
    ({ jurisdiction }) =>
      jurisdiction === null ||
      (/^[A-Z]{2}(-[A-Z0-9]{1,3})?$/.test(jurisdiction) && isCountry(jurisdiction.slice(0, 2))),
  ],
  [
    "products",
    `any of ${PRODUCTS.join(", ")}, none twice`,
    ({ products }) =>
      new Set(products).size === products.length &&
      products.every((product) => (PRODUCTS as readonly string[]).includes(product)),
  ],
  [
    "ip_list",
    `at most ${IP_LIST_MAX} IPv4 or IPv6 addresses or CIDR ranges`,
    ({ ipList }) => ipList.length <= IP_LIST_MAX && ipList.every((entry) => parseIpRange(entry) !== undefined),
  ],
  ["launch_rate", RATE, ({ limits }) => isRate(limits.launchRate)],
  ["catalog_rate", RATE, ({ limits }) => isRate(limits.catalogRate)],
  ["transactions_rate", RATE, ({ limits }) => isRate(limits.transactionsRate)],
  ["reports_rate", RATE, ({ limits }) => isRate(limits.reportsRate)],
  [
    "wallet_concurrency",
    "1 to 10000",
    ({ limits: { walletConcurrency: calls } }) =>
      calls === undefined || (Number.isInteger(calls) && calls >= 1 && calls <= 10_000),
  ],
];

export function merchantFaults(merchant: MerchantRecord, walletUrl: WalletUrlRules): FieldFault[] {
  const fault = merchant.walletUrl === null ? undefined : walletUrlFault(merchant.walletUrl, walletUrl);
  return [...faultsOf(RULES, merchant), ...plainFaults(merchant), ...(fault === undefined ? [] : [fault])];
}
