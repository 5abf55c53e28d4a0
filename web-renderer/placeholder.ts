import { THEMES, type ThemeName } from "./protocol.ts";

/** The ground of each theme, in the order of THEMES: a colour of three hexadecimal digits. */
const GROUNDS = "111011013010111202004eef201012fee012eef110";

/**
 * A skeleton of the sportsbook as a CSS background: grey rows on the theme's ground. As the iframe's own background it
 * moves nothing when the sportsbook paints over it. Without a theme the ground is that of the merchant's page, because
 * only the sportsbook knows the brand's theme. It stands still, so there is no motion to reduce.
 */
export function placeholder(theme: ThemeName | undefined): string {
  const at = theme === undefined ? GROUNDS.length : THEMES.indexOf(theme) * 3;
  return `repeating-linear-gradient(#8883 0 4rem,#0000 0 5rem) 1rem 1rem/calc(100% - 2rem) no-repeat #${GROUNDS.slice(at, at + 3) || "0000"}`;
}
