/**
 * The rules of a game's record (docs/specification/catalog.md). Reads a game from fields with the names and types that
 * the API uses.
 */

import { GAME_FIELDS as FIELDS, GAME_NAME_MAX, LANGUAGES_MAX } from "../../../contract/games/fields.ts";
import { PRODUCTS } from "../../../contract/values/products.ts";
import type { FieldFault } from "../errors.ts";
import { isWebUrl } from "../merchant/launch-policy.ts";
import { isCountry } from "../values/country.ts";
import { fieldFault } from "../values/field-fault.ts";
import {
  dotFault,
  isDotSegment,
  isGameCode,
  isName,
  isProviderCode,
  type ProviderCode,
} from "../values/identifiers.ts";
import { formatInstant, parseInstant } from "../values/instant.ts";
import { SPORTSBOOK } from "./provider.ts";

/** A game as a file or a request describes it. */
export interface GameDescription {
  readonly provider: ProviderCode;
  readonly code: string;
  readonly name: string;
  readonly type: (typeof PRODUCTS)[number];
  readonly demoAvailable: boolean;
  /** Whether players may open the game; undefined: the description has no such field. */
  readonly active: boolean | undefined;
  readonly details: Fields;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads one field. Returns `undefined` if the value breaks the field's rule. */
type Reader = (value: unknown) => unknown;

const text =
  (accepts: (value: string) => boolean): Reader =>
  (value) =>
    typeof value === "string" && accepts(value) ? value : undefined;
const flag: Reader = (value) => (typeof value === "boolean" ? value : undefined);
const list =
  (max: number, read: Reader): Reader =>
  (value) => {
    if (!Array.isArray(value) || value.length > max) return undefined;
    const items = value.map(read);
    return items.includes(undefined) || new Set(items).size !== items.length ? undefined : items;
  };

/** The pictures of a game. */
export const IMAGES = ["thumb", "square", "background"] as const;

const images: Reader = (value) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const given = value as Fields;
  if (Object.keys(given).some((name) => !(IMAGES as readonly string[]).includes(name))) return undefined;
  const urls = IMAGES.map((name) => given[name] ?? null);
  if (urls.some((url) => url !== null && (typeof url !== "string" || !isWebUrl(url)))) return undefined;
  return Object.fromEntries(IMAGES.map((name, i) => [name, urls[i]]));
};

const isTag = (text: string): boolean => /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(text);

/** Names by language, sorted by tag. `pt-BR` and `pt-br` are the same language. */
const names: Reader = (value) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const given = Object.entries(value);
  const languages = new Set(given.map(([tag]) => tag.toLowerCase()));
  if (given.length > LANGUAGES_MAX || languages.size !== given.length) return undefined;
  if (!given.every(([tag, name]) => isTag(tag) && typeof name === "string" && isName(name, GAME_NAME_MAX)))
    return undefined;
  return Object.fromEntries(given.sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** Reads an RFC 3339 time, or a day, which means its beginning in UTC. Returns the time in UTC with milliseconds. */
const time: Reader = (value) => {
  if (typeof value !== "string") return undefined;
  const ms = parseInstant(/^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00Z` : value);
  return ms === undefined ? undefined : formatInstant(ms);
};

const rtp: Reader = (value) => (typeof value === "number" && value > 0 && value <= 200 ? value : undefined);

/** The readers of the optional fields, in the order in which they are stored. */
const DETAILS = {
  images,
  tags: list(
    50,
    text((tag) => isName(tag, 64)),
  ),
  rtp,
  volatility: text((value) => isName(value, 32)),
  free_rounds: flag,
  jackpot: flag,
  platforms: list(
    20,
    text((platform) => isName(platform, 32)),
  ),
  languages: list(LANGUAGES_MAX, text(isTag)),
  blocked_countries: list(249, text(isCountry)),
  released_at: time,
  names,
} as const satisfies Readonly<Record<string, Reader>>;

/** The fault of a field that breaks its rule. */
const ruleFault = (field: keyof typeof FIELDS): FieldFault => fieldFault(field, FIELDS[field].rule.en);

/** The names of the optional fields. */
export const DETAIL_FIELDS: readonly string[] = Object.keys(DETAILS);

/** Reads the given optional fields in the order in which they are stored. A null field counts as not given. */
export function readDetails(fields: Fields): { readonly details: Fields; readonly faults: FieldFault[] } {
  const details: Record<string, unknown> = {};
  const faults: FieldFault[] = [];
  for (const field of Object.keys(DETAILS) as (keyof typeof DETAILS)[]) {
    const given = fields[field] ?? null;
    if (given === null) continue;
    const value = DETAILS[field](given);
    if (value === undefined) faults.push(ruleFault(field));
    else details[field] = value;
  }
  return { details, faults };
}

const TYPES = PRODUCTS.filter((product) => product !== "sportsbook");

/** The faults of a game's required fields. The sportsbook is one game, which the service itself creates. */
export function gameFaults({
  provider,
  code,
  name,
  type,
}: {
  provider: string;
  code: string;
  name: string;
  type: string;
}): FieldFault[] {
  const faults: FieldFault[] = [];
  const isSportsbook = provider === SPORTSBOOK;
  if (!isProviderCode(provider)) faults.push(ruleFault("provider"));
  if (isSportsbook ? code !== "sportsbook" : !isGameCode(code))
    faults.push(isSportsbook ? fieldFault("code", "sportsbook") : ruleFault("code"));
  else if (isDotSegment(code)) faults.push(dotFault("code"));
  if (!isName(name, GAME_NAME_MAX)) faults.push(ruleFault("name"));
  if (isSportsbook ? type !== "sportsbook" : !(TYPES as readonly string[]).includes(type))
    faults.push(isSportsbook ? fieldFault("type", "sportsbook") : ruleFault("type"));
  return faults;
}

/** A file may have this field, because GET /v1/games returns it. The service ignores it. */
const IGNORED = "updated_at";

/** Every field that a file may have. */
export const GAME_FIELDS: readonly string[] = [...Object.keys(FIELDS), IGNORED];
/** The columns that a CSV file may have in place of the field `images`. */
export const IMAGE_COLUMNS: readonly string[] = IMAGES.map((name) => `images.${name}`);
/** Whether `column` is one that a CSV file may have in place of the field `names`, such as `names.pt-BR`. */
export const isNameColumn = (column: string): boolean =>
  column.startsWith("names.") && isTag(column.slice("names.".length));

/** Reads a game from its fields by their names in the API. If a field is wrong, the result lists all faults. */
export function readGame(
  fields: Fields,
): { readonly game: GameDescription } | { readonly faults: readonly FieldFault[] } {
  const faults: FieldFault[] = [];
  for (const field of Object.keys(fields)) {
    if (!GAME_FIELDS.includes(field)) faults.push(fieldFault(field, "this field does not exist"));
  }
  const own = (field: string): string => (typeof fields[field] === "string" ? fields[field] : "");
  const flagOf = (field: "demo_available" | "active"): boolean | undefined => {
    const value = fields[field] ?? null;
    if (value !== null && typeof value !== "boolean") faults.push(ruleFault(field));
    return value === null ? undefined : value === true;
  };
  const named = { provider: own("provider"), code: own("code"), name: own("name"), type: own("type") };
  faults.push(...gameFaults(named));
  const demoAvailable = flagOf("demo_available") ?? false;
  const active = flagOf("active");
  const { details, faults: inDetails } = readDetails(fields);
  faults.push(...inDetails);
  if (named.provider === SPORTSBOOK && demoAvailable)
    faults.push(fieldFault("demo_available", "false for the sportsbook"));
  if (faults.length > 0) return { faults };
  return {
    game: {
      ...named,
      provider: named.provider as ProviderCode,
      type: named.type as GameDescription["type"],
      demoAvailable,
      active,
      details,
    },
  };
}
