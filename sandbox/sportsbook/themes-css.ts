import { THEMES_BY_NAME, type Theme } from "./themes.ts";

/**
 * Corner radii by shape, in this order: small controls, cards, panels, and elements that are pills in the shape
 * `round`.
 */
const RADII: Readonly<Record<Theme["shape"], readonly [string, string, string, string]>> = {
  sharp: ["0.25rem", "0.375rem", "0.5rem", "0.25rem"],
  soft: ["0.5rem", "0.75rem", "0.875rem", "0.5rem"],
  round: ["0.75rem", "1.125rem", "1.375rem", "99rem"],
};

/** The themes as a stylesheet: `:root[data-theme="..."]` sets the custom properties that the pages use. */
export function themesCss(): string {
  return Object.entries(THEMES_BY_NAME)
    .map(([name, { scheme, shape, colours }]) => {
      const properties = Object.entries(colours).map(
        ([key, value]) => `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}`,
      );
      const radii = RADII[shape].map((radius, i) => `--${["r1", "r2", "r3", "pill"][i]}:${radius}`);
      return `:root[data-theme="${name}"]{color-scheme:${scheme};${[...properties, ...radii].join(";")}}`;
    })
    .join("\n");
}
