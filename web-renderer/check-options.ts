import type { SBRendererCallbacks, SBRendererOptions } from "./options.ts";
import { safePath } from "./path.ts";
import {
  LANGUAGES,
  LAYOUTS,
  type Language,
  type Layout,
  ODDS_FORMATS,
  type OddsFormat,
  THEMES,
  type ThemeName,
  TOKEN_CHARS_MAX,
} from "./protocol.ts";
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
  syncPath?: boolean;
  debug?: boolean;
}

type Reader = (value: unknown) => unknown;

const oneOf =
  (known: readonly unknown[]): Reader =>
  (value) =>
    known.includes(value) ? value : undefined;
const ofType =
  (type: string): Reader =>
  (value) =>
    typeof value === type ? value : undefined;

/** For each live option a function that returns its valid value, or undefined when the value is wrong. */
export const READERS: Readonly<Record<keyof CheckedOptions, Reader>> = {
  token: (value) =>
    value === null || value === ""
      ? null
      : typeof value === "string" && value.length <= TOKEN_CHARS_MAX
        ? value
        : undefined,
  lang: (value) => {
    const [language = "", ...region] = String(value).toLowerCase().split("-");
    return region.every((part) => /^[a-z0-9]{1,8}$/.test(part)) ? oneOf(LANGUAGES)(language) : undefined;
  },
  themeName: oneOf(THEMES),
  layout: oneOf(LAYOUTS),
  oddsFormat: oneOf(ODDS_FORMATS),
  path: safePath,
  hideBalance: ofType("boolean"),
  syncPath: ofType("boolean"),
  debug: ofType("boolean"),
  onAppInitialized: ofType("function"),
  onLogin: ofType("function"),
  onRegister: ofType("function"),
  onRecharge: ofType("function"),
  onRouteChange: ofType("function"),
  onTokenExpired: ofType("function"),
  onSessionRefresh: ofType("function"),
  onBetslipChanged: ofType("function"),
  onBetPlaced: ofType("function"),
  onBalanceChange: ofType("function"),
};

/**
 * The valid ones of `options`. The names in `others` are checked elsewhere. Wrong options are named on the console.
 * Their values are not printed, because one may be a token.
 */
export function checkLive(options: object, others: readonly string[] = []): CheckedOptions {
  const checked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || others.includes(name)) continue;
    const read = Object.hasOwn(READERS, name) ? READERS[name as keyof CheckedOptions] : undefined;
    const right = read?.(value);
    if (right === undefined)
      warn(`option ${name} ignored: ${read === undefined ? "it can't be set here" : "not an allowed value"}`);
    else checked[name] = right;
  }
  return checked;
}

/** Options of `initialize` that can't be changed later. */
export const FIXED_OPTIONS = ["target", "brand_id", "url"];

export interface MountPoint {
  readonly target: HTMLElement;
  readonly brandId: string;
  /** The sportsbook's address without a slash at the end. */
  readonly url: string;
}

/** Checks the options that say what to mount and where. Throws a TypeError that names every fault. */
export function checkMountPoint(options: SBRendererOptions, scriptOrigin: string | undefined): MountPoint {
  const { target, brand_id, url = scriptOrigin } = options;
  const faults: string[] = [];
  if (!(target instanceof HTMLElement)) faults.push("target must be an HTMLElement");
  if (typeof brand_id !== "string" || brand_id === "")
    faults.push("brand_id must be the brand's id, from GET /v1/merchant");
  const address = sportsbookUrl(url);
  if (address === undefined)
    faults.push(
      "url must be the sportsbook's http(s) address, without query (the script's origin is only known to the script tag)",
    );
  if (faults.length > 0 || address === undefined) throw new TypeError(`[SBRenderer] ${faults.join("; ")}`);
  if (!target.isConnected) warn("target is not in the document: nothing loads until it is");
  else if (target.clientHeight === 0) warn("target has no height: the sportsbook fills it, so it can't be seen");
  return { target, brandId: brand_id, url: address };
}

function sportsbookUrl(text: unknown): string | undefined {
  try {
    const url = new URL(text as string);
    const plain = /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === "";
    return plain ? url.href.replace(/\/+$/, "") : undefined;
  } catch {
    return undefined;
  }
}
