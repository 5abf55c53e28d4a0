/**
 * The checks of a launch, in their order (docs/specification/launch.md#launch-order). The first check that fails
 * decides the refusal.
 */

import { parseAddress } from "../access/ip-list.ts";
import { type FieldFault, ok, type Result, refuse } from "../errors.ts";
import { FAULT_TEXTS } from "../texts/fault-texts.ts";
import { isCountry } from "../values/country.ts";
import { isGameCode, isName, isPlayerId, type PlayerId } from "../values/identifiers.ts";
import { DEFAULT_LANGUAGE, isLanguage, languageTag, type Texts } from "../values/language.ts";
import { type Currency, countryOf, isCurrency } from "../values/money.ts";

/** A launch request whose fields have the right form. null: an optional field that was left out. */
export interface LaunchRequest {
  readonly playerId: PlayerId;
  readonly game: string;
  readonly provider: string | null;
  /** This may be any text, because an unsupported currency and an unknown country have error codes of their own. */
  readonly currency: string | null;
  readonly country: string | null;
  /** `pt`, `es` or `en`, with or without a region: `pt`, `en-US`, `es-419`. */
  readonly language: string | null;
  readonly demo: boolean;
  readonly lobbyUrl: string | null;
  /** The address of the player's device. It is passed on, and neither stored nor logged. So is `displayName`. */
  readonly playerIp: string | null;
  readonly device: Device | null;
  readonly depositUrl: string | null;
  readonly historyUrl: string | null;
  readonly displayName: string | null;
}

export const DEVICES = ["desktop", "mobile"] as const;
type Device = (typeof DEVICES)[number];
export const DISPLAY_NAME_MAX = 64;

const isText = (value: unknown): value is string => typeof value === "string";
/** Converts ASCII letters to upper case, and no other letters: `ıt` with a dotless i must not become `IT`. */
const upper = (text: string): string => (/^[a-z]+$/i.test(text) ? text.toUpperCase() : text);

/** Characters that no URL may have: spaces, backslashes and control characters. */
const NOT_IN_URL = "\\\\ \\x00-\\x1f\\x7f-\\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";
/**
 * The form of an http or https URL with a host and without a user name, as far as a regular expression can check it.
 */
export const WEB_URL = new RegExp(`^[hH][tT][tT][pP][sS]?://[^/?#@${NOT_IN_URL}]+([/?#][^${NOT_IN_URL}]*)?$`, "u");
export const WEB_URL_MAX = 2_048;

/**
 * Whether the text is an absolute http or https URL without user name, and without characters that would break a header
 * or a page.
 */
export const isWebUrl = (text: string): boolean =>
  text.length <= 2 * WEB_URL_MAX && [...text].length <= WEB_URL_MAX && WEB_URL.test(text) && URL.canParse(text);

interface FieldRule {
  readonly required?: true;
  readonly rule: string;
  readonly message: (field: string) => Texts;
  readonly accepts: (value: unknown) => boolean;
}

const WEB_ADDRESS: FieldRule = {
  rule: "http or https URL",
  message: FAULT_TEXTS.webUrl,
  accepts: (value) => isText(value) && isWebUrl(value),
};

const FIELDS: Readonly<Record<string, FieldRule>> = {
  player_id: {
    required: true,
    rule: "1..128 characters",
    message: (field) => FAULT_TEXTS.characters(field, 128),
    accepts: (value) => isText(value) && isPlayerId(value),
  },
  game: {
    required: true,
    rule: "1..128 bytes",
    message: (field) => FAULT_TEXTS.bytes(field, 128),
    accepts: (value) => isText(value) && isGameCode(value),
  },
  provider: {
    rule: "1..128 bytes",
    message: (field) => FAULT_TEXTS.bytes(field, 128),
    accepts: (value) => isText(value) && isGameCode(value),
  },
  currency: { rule: "string", message: FAULT_TEXTS.text, accepts: isText },
  country: { rule: "string", message: FAULT_TEXTS.text, accepts: isText },
  lang: {
    rule: "pt, es or en, with or without a region",
    message: FAULT_TEXTS.language,
    accepts: (value) => isText(value) && isLanguage(value),
  },
  demo: { rule: "boolean", message: FAULT_TEXTS.boolean, accepts: (value) => typeof value === "boolean" },
  lobby_url: WEB_ADDRESS,
  player_ip: {
    rule: "an IPv4 or IPv6 address",
    message: FAULT_TEXTS.ipAddress,
    accepts: (value) => isText(value) && parseAddress(value) !== undefined,
  },
  device: {
    rule: DEVICES.join("|"),
    message: (field) => FAULT_TEXTS.oneOf(field, DEVICES),
    accepts: (value) => DEVICES.some((device) => device === value),
  },
  deposit_url: WEB_ADDRESS,
  history_url: WEB_ADDRESS,
  display_name: {
    rule: `1..${DISPLAY_NAME_MAX} characters`,
    message: (field) => FAULT_TEXTS.characters(field, DISPLAY_NAME_MAX),
    accepts: (value) => isText(value) && isName(value, DISPLAY_NAME_MAX),
  },
};

/**
 * Reads a launch request from its fields by their names in the API. A null field counts as absent. VALIDATION_ERROR
 * lists every fault at once.
 */
export function readLaunch(fields: Readonly<Record<string, unknown>>): Result<LaunchRequest> {
  const faults: FieldFault[] = [];
  for (const field of Object.keys(fields)) {
    if (!Object.hasOwn(FIELDS, field)) faults.push({ field, rule: "unknown", message: FAULT_TEXTS.unknownField });
  }
  for (const [field, { required, rule, message, accepts }] of Object.entries(FIELDS)) {
    const value = fields[field] ?? null;
    if (value === null && required) faults.push({ field, rule: "required", message: FAULT_TEXTS.required(field) });
    else if (value !== null && !accepts(value)) faults.push({ field, rule, message: message(field) });
  }
  if (faults.length > 0) return refuse("VALIDATION_ERROR", { details: faults });

  const text = (field: string): string | null => (fields[field] as string | null | undefined) ?? null;
  const language = text("lang");
  return ok({
    playerId: text("player_id") as PlayerId,
    game: text("game") as string,
    provider: text("provider"),
    currency: text("currency"),
    country: text("country"),
    language: language === null ? null : languageTag(language),
    demo: fields.demo === true,
    lobbyUrl: text("lobby_url"),
    playerIp: text("player_ip"),
    device: text("device") as Device | null,
    depositUrl: text("deposit_url"),
    historyUrl: text("history_url"),
    displayName: text("display_name"),
  });
}

/** The fields of the launching merchant that the checks need. */
export interface LaunchingMerchant {
  readonly currency: Currency;
  readonly walletUrl: string | null;
  readonly defaultLanguage: string | null;
  readonly products: readonly string[];
}

/** A game with the requested code, and its provider. */
export interface Candidate {
  readonly game: {
    readonly code: string;
    readonly type: string;
    readonly active: boolean;
    readonly demoAvailable: boolean;
  };
  readonly provider: {
    readonly code: string;
    readonly active: boolean;
    readonly sources: readonly { readonly enabled: boolean }[];
  };
}

/** What a launch only passes on to the provider. */
export type PassedOn = Pick<
  LaunchRequest,
  "lobbyUrl" | "playerIp" | "device" | "depositUrl" | "historyUrl" | "displayName"
>;

/** A launch that has passed the checks, with every default filled in. */
export interface Launch<C extends Candidate> extends PassedOn {
  readonly candidate: C;
  readonly playerId: PlayerId;
  readonly currency: Currency;
  readonly country: string;
  readonly language: string;
  readonly demo: boolean;
}

/** The fields of a launch that the provider gets as they are. */
export const passedOn = ({ lobbyUrl, playerIp, device, depositUrl, historyUrl, displayName }: PassedOn): PassedOn => ({
  lobbyUrl,
  playerIp,
  device,
  depositUrl,
  historyUrl,
  displayName,
});

/** The language of a launch whose request has no language. */
export const launchLanguage = (merchant: Pick<LaunchingMerchant, "defaultLanguage">): string =>
  merchant.defaultLanguage ?? DEFAULT_LANGUAGE;

/**
 * Decides whether this launch may happen.
 *
 * @param candidates - every game with the launched code, of any provider and in any state.
 * @param sportsbookOpen - whether the sportsbook has an address to open. It has no sources.
 */
export function decideLaunch<C extends Candidate>(
  request: LaunchRequest,
  merchant: LaunchingMerchant,
  candidates: readonly C[],
  sportsbookOpen: boolean,
): Result<Launch<C>> {
  const currency = request.currency === null ? merchant.currency : upper(request.currency);
  if (!isCurrency(currency)) return refuse("UNSUPPORTED_CURRENCY", { field: "currency" });
  if (currency !== merchant.currency) return refuse("CURRENCY_NOT_ENABLED", { field: "currency" });

  const country = request.country === null ? countryOf(currency) : upper(request.country);
  if (!isCountry(country)) return refuse("INVALID_COUNTRY", { field: "country" });

  const named = candidates.filter(({ provider }) => request.provider === null || provider.code === request.provider);
  const [candidate, ...others] = named.filter(({ game, provider }) => game.active && provider.active);
  if (candidate === undefined) return refuse("GAME_NOT_FOUND", { field: "game" });
  if (others.length > 0) {
    const providers = [candidate, ...others].map(({ provider }) => provider.code).sort();
    return refuse("AMBIGUOUS_GAME", { field: "provider", details: { providers } });
  }

  const { game, provider } = candidate;
  if (!merchant.products.includes(game.type)) return refuse("PRODUCT_NOT_ENABLED");
  if (game.type === "sportsbook") {
    if (!sportsbookOpen) return refuse("LAUNCH_FAILED");
  } else if (!provider.sources.some((source) => source.enabled)) return refuse("PROVIDER_NOT_SUPPORTED");
  if (request.demo && !game.demoAvailable) return refuse("LAUNCH_FAILED");
  if (!request.demo && merchant.walletUrl === null) return refuse("WALLET_NOT_CONFIGURED");

  const language = request.language ?? launchLanguage(merchant);
  return ok({
    candidate,
    playerId: request.playerId,
    currency,
    country,
    language,
    demo: request.demo,
    ...passedOn(request),
  });
}
