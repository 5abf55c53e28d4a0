/** The rules of a brand's record (docs/specification/administration.md#admin-merchants). */

import { LAYOUTS, THEMES } from "../../../contract/values/look.ts";
import type { FieldFault } from "../errors.ts";
import { faultsOf, type Rules } from "../values/field-fault.ts";
import { isName, isPartyCode } from "../values/identifiers.ts";
import { isLanguage } from "../values/language.ts";

export const [DEFAULT_THEME] = THEMES;
export const [DEFAULT_LAYOUT] = LAYOUTS;

const ORIGINS_MAX = 50;
const SETTINGS_MAX_BYTES = 16 * 1024;

interface BrandRecord {
  readonly code: string;
  readonly name: string;
  readonly theme: string;
  readonly layout: string;
  /** Settings of the sportsbook. `default_language` is the brand's language for visitors. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly allowedOrigins: readonly string[];
}

/**
 * Scheme, host and port, exactly as a browser writes an `origin`. The URL parser accepts `*` in a host, so the pattern
 * refuses it.
 */
const isOrigin = (text: string): boolean =>
  /^https?:\/\/[a-z0-9.:[\]-]+$/.test(text) && URL.parse(text)?.origin === text;

const RULES: Rules<BrandRecord> = [
  ["code", "1 to 64 of A-Z, a-z, 0-9, _ and -", ({ code }) => isPartyCode(code)],
  ["name", "1 to 255 characters", ({ name }) => isName(name, 255)],
  ["theme", `one of ${THEMES.join(", ")}`, ({ theme }) => (THEMES as readonly string[]).includes(theme)],
  ["layout", `one of ${LAYOUTS.join(", ")}`, ({ layout }) => (LAYOUTS as readonly string[]).includes(layout)],
  [
    "default_language",
    "pt, es or en, with or without a region",
    ({ settings }) => settings.default_language === undefined || isLanguage(String(settings.default_language)),
  ],
  [
    "settings",
    "at most 16 KiB of JSON",
    ({ settings }) => Buffer.byteLength(JSON.stringify(settings)) <= SETTINGS_MAX_BYTES,
  ],
  [
    "allowed_origins",
    `at most ${ORIGINS_MAX} http or https origins, without path: https://shop.example`,
    ({ allowedOrigins }) => allowedOrigins.length <= ORIGINS_MAX && allowedOrigins.every(isOrigin),
  ],
];

export const brandFaults = (brand: BrandRecord): FieldFault[] => faultsOf(RULES, brand);
