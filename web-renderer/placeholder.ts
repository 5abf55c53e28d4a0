import { THEMES, type ThemeName } from "./protocol.ts";

/** The background colour of each theme, in the order of THEMES: three hexadecimal digits each. */
const GROUNDS = "111011013010111202004eef201012fee012eef110";

/**
 * A skeleton of the sportsbook as a CSS background: grey rows on the theme's background colour. It is the iframe's own
 * background, so nothing in the page moves when the sportsbook is painted over it. Without a theme the rows are on the
 * background of the merchant's page, because only the sportsbook knows the brand's theme. The skeleton has no
 * animation, so there is no motion to reduce.
 */
export function placeholder(theme: ThemeName | undefined): string {
  // Without a theme the index is -1, and slice(-3, 0) is empty.
  const at = THEMES.indexOf(theme as ThemeName) * 3;
  return `repeating-linear-gradient(#8883 0 4rem,#0000 0 5rem) 1rem 1rem/calc(100% - 2rem) no-repeat #${GROUNDS.slice(at, at + 3) || "0000"}`;
}
