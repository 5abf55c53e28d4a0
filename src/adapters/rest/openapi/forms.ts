/**
 * The forms of the values that callers send, as the service checks them. test/adapters/rest/requests/forms.test.ts
 * compares these forms with the checks. The patterns use only what means the same in every regular expression engine:
 * no classes such as \d and \s, no flags, no look-ahead.
 */
import { DISPLAY_NAME_MAX, WEB_URL, WEB_URL_MAX } from "../../../domain/merchant/launch-policy.ts";
import { ZONE_NAME } from "../../../domain/transaction/report.ts";
import { COUNTRIES } from "../../../domain/values/country.ts";
import { PROVIDER_CODE } from "../../../domain/values/identifiers.ts";
import { LANGUAGES } from "../../../domain/values/language.ts";
import { CURRENCIES } from "../../../domain/values/money.ts";
import type { Schema } from "./schema.ts";

const string = (more: Schema): Schema => ({ type: "string", ...more });

const CLEAN = "^[^\\x00-\\x1f\\x7f-\\x9f]+$";
const anyCase = (word: string): string =>
  word.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);

/** A text of 1 to 128 code points without control characters. */
export const SHORT_TEXT = string({ minLength: 1, maxLength: 128, pattern: CLEAN });

/**
 * An id of 1 to 128 bytes of UTF-8 without control characters. JSON Schema counts code points, so the maximum in bytes
 * is in another keyword.
 */
export const ID = { ...SHORT_TEXT, "x-max-bytes": 128 };

export const PROVIDER = string({ pattern: PROVIDER_CODE.source });

/** pt, es or en, alone or with a region, in upper or lower case. */
export const LANGUAGE = string({
  pattern: `^(${LANGUAGES.map(anyCase).join("|")})(-([A-Za-z]{2}|[0-9]{3}))?$`,
});

/** An IPv4 or IPv6 address. A pattern cannot check all of it. */
export const IP_ADDRESS = string({ minLength: 2, maxLength: 45, pattern: "^[0-9A-Fa-f.:]+$" });

export const DISPLAY_NAME = string({ minLength: 1, maxLength: DISPLAY_NAME_MAX, pattern: CLEAN });

/** A supported currency, in upper or lower case. */
export const CURRENCY = string({ pattern: `^(${CURRENCIES.map(anyCase).join("|")})$` });

/** An assigned country code, in upper or lower case. */
export const COUNTRY = string({ pattern: `^(${byFirstLetter(COUNTRIES).join("|")})$` });

/** RFC 3339 with Z or an offset. */
export const INSTANT = string({
  format: "date-time",
  pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})$",
});

export const DATE = string({ format: "date", pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" });

/** A time zone of IANA. A pattern cannot check whether the zone exists. */
export const TIME_ZONE = string({ pattern: ZONE_NAME.source });

/** A `next_cursor`. A pattern cannot check whether the service created the cursor for this listing. */
export const CURSOR = string({ minLength: 1, pattern: "^[A-Za-z0-9_-]+$" });

/**
 * An absolute http or https URL without a user name. A pattern cannot check all rules of a URL, such as that a port is
 * at most 65535.
 */
export const LOBBY_URL = string({ maxLength: WEB_URL_MAX, pattern: WEB_URL.source });

/** One alternative for each first letter: `A[DE]` for AD and AE. Upper and lower case are both accepted. */
function byFirstLetter(codes: readonly string[]): string[] {
  const groups = Map.groupBy(codes, (code) => code.charAt(0));
  const both = (letters: string) => `[${letters}${letters.toLowerCase()}]`;
  return [...groups].map(([first, members]) => `${both(first)}${both(members.map((code) => code.charAt(1)).join(""))}`);
}
