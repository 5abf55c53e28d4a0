/** What brands and the browser library may choose. The first value of a list is the default. */

/** The languages of texts for people. */
export const LANGUAGES = ["pt", "es", "en"] as const;

/** The sportsbook's layouts. */
export const LAYOUTS = ["sidebar", "classic", "tile"] as const;

/** The sportsbook's themes. */
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
