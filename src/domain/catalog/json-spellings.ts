/**
 * Writes a JSON value in the ways in which other programs may write it. So the service can find out whether a caller
 * signed another text of the same JSON value.
 */

interface Style {
  /** What stands between two members: `,`, or `, `, or `,` with a line break and this indent per level. */
  readonly layout: "compact" | "spaced" | "  " | "    ";
  /** Escapes further characters of a string, after JSON's own escapes. */
  readonly escaped: (quoted: string) => string;
  readonly sorted: boolean;
}

const unicode = (char: string): string =>
  [...Array(char.length).keys()].map((i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");
const ascii = (quoted: string): string => quoted.replace(/[\x7f-\uffff]/g, unicode);
const slashes = (quoted: string): string => quoted.replaceAll("/", "\\/");
/** The escapes of JavaScript and most other languages, Python, PHP, PHP without unicode escapes, and Go. */
const ESCAPES: readonly Style["escaped"][] = [
  (quoted) => quoted,
  ascii,
  (quoted) => slashes(ascii(quoted)),
  slashes,
  (quoted) => quoted.replace(/[<>&\u2028\u2029]/g, unicode),
];

const STYLES: readonly Style[] = (["compact", "spaced", "  ", "    "] as const).flatMap((layout) =>
  ESCAPES.flatMap((escaped) => [false, true].map((sorted) => ({ layout, escaped, sorted }))),
);

/**
 * Other texts of the same JSON value, and the same text with other line breaks at its end. For a text that is not JSON:
 * only the texts with other line breaks.
 */
export function spellings(text: string): readonly string[] {
  const bare = text.trimEnd();
  const ends = [bare, `${bare}\n`, `${bare}\r\n`];
  const written = isDeep(text) ? [] : parsed(text).flatMap((value) => STYLES.map((style) => print(value, style, "\n")));
  return [...new Set([...written, ...ends])].filter((other) => other !== text);
}

const DEPTH_MAX = 50;

/**
 * Whether the text is nested so deep that a recursive function could not print it. No real request is. Brackets inside
 * strings count too.
 */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === "[" || char === "{") depth += 1;
    else if (char === "]" || char === "}") depth -= 1;
    if (depth > DEPTH_MAX) return true;
  }
  return false;
}

/** The value in a list; an empty list when the text is no JSON. */
function parsed(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

function print(value: unknown, style: Style, margin: string): string {
  if (typeof value === "string") return style.escaped(JSON.stringify(value));
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = style.layout === "compact" || style.layout === "spaced" ? "" : `${margin}${style.layout}`;
  const items = Array.isArray(value) ? value.map((item) => print(item, style, inner)) : members(value, style, inner);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (items.length === 0) return `${open}${close}`;
  const comma = style.layout === "spaced" ? ", " : `,${inner}`;
  return `${open}${inner}${items.join(comma)}${inner === "" ? "" : margin}${close}`;
}

function members(value: object, style: Style, inner: string): string[] {
  const entries = Object.entries(value);
  if (style.sorted) entries.sort(([a], [b]) => (a < b ? -1 : 1));
  const colon = style.layout === "compact" ? ":" : ": ";
  return entries.map(([name, item]) => `${style.escaped(JSON.stringify(name))}${colon}${print(item, style, inner)}`);
}
