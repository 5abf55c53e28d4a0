import { createHash } from "node:crypto";

/** The elements of the built page. The build leaves out quotation marks that are not needed. */
const STYLES = /<link rel="?stylesheet"? href="?[./]*\/(\w+\.css)"?>/;
const SCRIPT = /<script type="?module"? src="?[./]*\/(\w+\.js)"?><\/script>/;

/** A frame is painted within this time. A hidden page has no frames. */
const PAINT_MS_MAX = 100;

/** The page's HTML, and what its Content-Security-Policy must allow. */
export interface InlinePage {
  readonly html: string;
  /** The hash of the inline script, as a source of `script-src`. */
  readonly script: string;
  /** The hash of the inline styles, as a source of `style-src`. */
  readonly styles: string;
}

/**
 * Writes the styles into the page, so that its first paint waits for no further file. The page's script is loaded at
 * once, but runs only after the first screen was painted, because it takes the browser's time.
 *
 * @param read - returns the content of a file of the build by its name.
 */
export async function inlinePage(html: string, read: (name: string) => Promise<string>): Promise<InlinePage> {
  const styles = await read(nameIn(html, STYLES));
  const script = `/${nameIn(html, SCRIPT)}`;
  const begin = beginning(script);
  return {
    html: html
      .replace(STYLES, () => `<style>${styles}</style>`)
      .replace(SCRIPT, () => `<link rel=modulepreload href=${script} fetchpriority=low><script>${begin}</script>`),
    script: hashSource(begin),
    styles: hashSource(styles),
  };
}

/**
 * The inline script. The first frame shows only the header and the featured match, because fewer elements are painted
 * sooner. The next frame has the rest of the first screen, and then the page's script runs.
 *
 * The server always draws the start page, because it does not see what follows the `#` of an address. At another route
 * the styles hide the whole first screen, and the page's script runs at once.
 */
const beginning = (script: string): string => `{
const { classList } = document.documentElement;
const elsewhere = /^#\\/./.test(location.hash);
const showAll = () => classList.remove("first-frame");
const begin = () => import("${script}");
const afterPaint = (then) => {
requestAnimationFrame(() => setTimeout(then));
setTimeout(then, ${PAINT_MS_MAX});
};
classList.add(elsewhere ? "elsewhere" : "first-frame");
addEventListener("DOMContentLoaded", () => {
if (elsewhere || !document.getElementById("app").firstChild) {
showAll();
begin();
} else afterPaint(() => {
showAll();
afterPaint(begin);
});
});
}`;

function nameIn(html: string, element: RegExp): string {
  const name = element.exec(html)?.[1];
  if (name === undefined) throw new Error(`the built page lacks ${element}`);
  return name;
}

const hashSource = (content: string): string => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
