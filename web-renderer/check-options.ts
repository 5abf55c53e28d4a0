import { ofType, textIn } from "./dom.ts";
import type { SBRendererCallbacks, SBRendererLiveOptions } from "./options.ts";
import { safePath } from "./path.ts";
import {
  type Commands,
  LAYOUTS,
  type Language,
  type Layout,
  ODDS_FORMATS,
  type OddsFormat,
  THEMES,
  type ThemeName,
  TOKEN_CHARS_MAX,
} from "./protocol.ts";
import { callbackOf, EVENTS } from "./read-event.ts";
import { warn } from "./warn.ts";

/** Live options after validation. A language has no region, and a token "" is null. */
export interface CheckedOptions extends SBRendererCallbacks {
  token?: string | null;
  lang?: Language;
  themeName?: ThemeName;
  layout?: Layout;
  oddsFormat?: OddsFormat;
  path?: string;
  hideBalance?: boolean;
  fallback?: SBRendererLiveOptions["fallback"];
  syncPath?: boolean;
  debug?: boolean;
}

type Reader = (value: unknown) => unknown;

const oneOf =
  (known: readonly unknown[]): Reader =>
  (value) =>
    known.includes(value) ? value : undefined;

/** A language of the sportsbook, with or without a region. */
const LANGUAGE = /^(pt|es|en)(-[a-z0-9]{1,8})*$/i;
export const isFunction = ofType("function");

/** The options that are sent to the sportsbook. Each has a function that returns its valid value, or undefined. */
export const SENT = {
  // @ts-expect-error this sets the prototype, so that a look-up finds no inherited names
  __proto__: null,
  token: (value) =>
    value === null || value === "" ? null : textIn(value)?.length <= TOKEN_CHARS_MAX ? value : undefined,
  lang: (value) => LANGUAGE.exec(textIn(value))?.[1]?.toLowerCase(),
  themeName: oneOf(THEMES),
  layout: oneOf(LAYOUTS),
  oddsFormat: oneOf(ODDS_FORMATS),
  path: safePath,
  hideBalance: ofType("boolean"),
} satisfies Record<keyof Commands["options"], Reader>;

/** The function that returns the valid value, or undefined, for each live option. */
export const READERS: Readonly<Record<string, Reader>> = {
  // @ts-expect-error this sets the prototype, so that a look-up finds no inherited names
  __proto__: null,
  ...SENT,
  syncPath: ofType("boolean"),
  debug: ofType("boolean"),
  fallback: (value) => (value instanceof HTMLElement ? value : isFunction(value)),
  ...Object.fromEntries([...EVENTS, "sessionRefresh", "error"].map((event) => [callbackOf(event), isFunction])),
};

/**
 * Returns the valid options. Writes the names of wrong options to the console, but not their values, because a value
 * may be a token.
 */
export function checkLive(options: object): CheckedOptions {
  // Without a prototype, for the same reason as READERS.
  const checked: Record<string, unknown> = { __proto__: null };
  for (const [name, value] of Object.entries(options)) {
    const right = READERS[name]?.(value);
    if (right !== undefined) checked[name] = right;
    else if (value !== undefined) warn(`option ${name} ignored`);
  }
  return checked;
}

export interface MountPoint {
  readonly target: HTMLElement;
  readonly brandId: string;
  /** The sportsbook's address without a slash at the end. */
  readonly url: string;
}

/** Checks target, brand_id and url. Throws a TypeError that names every fault. */
export function checkMountPoint(target: unknown, brandId: unknown, address: unknown): MountPoint {
  const url = sportsbookUrl(address);
  const faults = [
    !(target instanceof HTMLElement) && "target must be an HTMLElement",
    !textIn(brandId) && "brand_id must be a brand's id",
    !url && "url must be http(s) without query",
  ].filter(Boolean);
  if (faults[0]) throw new TypeError(`[SBRenderer] ${faults.join("; ")}`);
  const point = { target, brandId, url } as MountPoint;
  if (point.target.clientHeight === 0) warn("target has no height or is detached");
  return point;
}

/** The address without a slash at its end. undefined: the address is wrong. */
function sportsbookUrl(text: unknown): string | undefined {
  try {
    const { href, origin, pathname } = new URL(textIn(text));
    // The address has only an origin and a path: no user name, password, query or hash.
    if (href === origin + pathname && /^http/.test(href)) return href.replace(/\/+$/, "");
  } catch {
    // It is not an address.
  }
}
