import test from "ava";
import { SHAPE_PAIRS, TEXT_PAIRS, THEMES_BY_NAME, type Theme } from "../../../sandbox/sportsbook/themes.ts";
import { themesCss } from "../../../sandbox/sportsbook/themes-css.ts";
import { THEMES } from "../../../web-renderer/protocol.ts";

const channels = (colour: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);

/** The relative luminance of a colour, as WCAG 2.2 defines it. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = channels(colour).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const colourOf = ({ colours }: Theme, name: (typeof TEXT_PAIRS)[number][number]): string =>
  name === "white" ? "#ffffff" : colours[name];

test("the formula of the contrast is that of WCAG", (t) => {
  t.is(contrast("#000000", "#ffffff"), 21);
  t.is(contrast("#777777", "#ffffff").toFixed(2), "4.48");
});

for (const [name, theme] of Object.entries(THEMES_BY_NAME)) {
  test(`in the theme ${name}, texts and controls have the contrast that WCAG AA requires`, (t) => {
    for (const [text, ground] of TEXT_PAIRS) {
      const ratio = contrast(colourOf(theme, text), colourOf(theme, ground));
      t.true(ratio >= 4.5, `${text} on ${ground}: ${ratio.toFixed(2)}`);
    }
    for (const [shape, ground] of SHAPE_PAIRS) {
      const ratio = contrast(colourOf(theme, shape), colourOf(theme, ground));
      t.true(ratio >= 3, `${shape} on ${ground}: ${ratio.toFixed(2)}`);
    }
  });
}

test("every theme has its stylesheet, and the colours of any two themes differ clearly", (t) => {
  const css = themesCss();
  for (const name of THEMES) t.true(css.includes(`[data-theme="${name}"]`), name);
  const themes = Object.entries(THEMES_BY_NAME);
  t.is(themes.length, THEMES.length);
  for (const [i, [name, one]] of themes.entries()) {
    for (const [other, two] of themes.slice(i + 1)) {
      const distance = (["ground", "accent", "top", "heroFrom", "heroTo"] as const).reduce((sum, key) => {
        const [a, b] = [channels(one.colours[key]), channels(two.colours[key])];
        return sum + Math.hypot(...a.map((part, at) => part - (b[at] ?? 0)));
      }, 0);
      t.true(distance > 0.35, `${name} and ${other} are ${distance.toFixed(2)} apart`);
    }
  }
});
