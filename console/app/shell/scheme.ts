import { keep, kept } from "./kept.ts";

/** The choice between the light and the dark look. Without a choice the system decides. */
export const SCHEMES = ["system", "light", "dark"] as const;
export type Scheme = (typeof SCHEMES)[number];

const KEY = "scheme";
const LIGHT = "(prefers-color-scheme: light)";
const MEDIA: Readonly<Record<Scheme, string>> = { system: LIGHT, light: "all", dark: "not all" };

export function keptScheme(): Scheme {
  const name = kept(KEY);
  return SCHEMES.find((scheme) => scheme === name) ?? "system";
}

let lightRules: CSSMediaRule[] | undefined;

/** Shows a scheme. The rules of the light look are turned on or off in the stylesheet itself, so they are written once. */
export function showScheme(scheme: Scheme): void {
  lightRules ??= [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter(
      (rule): rule is CSSMediaRule => rule instanceof CSSMediaRule && /color-scheme:\s*light/.test(rule.conditionText),
    );
  for (const rule of lightRules) rule.media.mediaText = MEDIA[scheme];
  document.documentElement.dataset.scheme = scheme;
  dispatchEvent(new Event("schemechange"));
}

export function chooseScheme(scheme: Scheme): void {
  keep(KEY, scheme);
  showScheme(scheme);
}
