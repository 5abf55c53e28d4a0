// Generated out of contract/values/ by `npm run generate`. Do not edit.
export const LANGUAGES = [
  "pt",
  "es",
  "en",
] as const;
export const LAYOUTS = [
  "sidebar",
  "classic",
  "tile",
] as const;
export const THEMES = [
  "mint-carbon",
  "azure-carbon",
  "gold-navy",
  "emerald-carbon",
  "flame-carbon",
  "lilac-plum",
  "brasil-navy",
  "lilac-light",
  "canary-plum",
  "red-navy",
  "coral-light",
  "aqua-carbon",
  "navy-light",
  "amber-carbon",
] as const;
