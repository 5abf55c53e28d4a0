/** Mutations of an input, like those of transmission errors, mistakes and attacks. */
import type { SeededRandom } from "../../testbed/seeded-random.ts";

/** Characters that many parsers handle wrongly. */
const ODD = [
  "\0",
  "\x01",
  "\t",
  "\n",
  "\r",
  "\r\n",
  "\x1b[31m",
  "\x7f",
  "\x85",
  " ",
  "\u00a0",
  "\u2028",
  "\u200b",
  "\u202e",
  "\ufeff",
  "\ufffd",
  "\ud800",
  "\udc00",
  "😀",
  "é",
  "e\u0301",
  "ı",
  "İ",
  "ß",
  "１",
  "。",
  "／",
  "K",
  "'",
  '"',
  "`",
  "\\",
  "/",
  "//",
  "/../",
  "%",
  "%00",
  "%2e%2e",
  "%2F",
  "%c0%af",
  "%ff",
  "+",
  "-",
  ".",
  ",",
  ";",
  ":",
  "::",
  "@",
  "#",
  "?",
  "&",
  "=",
  "*",
  "|",
  "~",
  "^",
  "$",
  "{",
  "}",
  "[",
  "]",
  "(",
  ")",
  "<",
  ">",
  "<script>",
  "#{x}",
  "{{x}}",
  "null",
  "undefined",
  "NaN",
  "Infinity",
  "true",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "[object Object]",
  "0",
  "-0",
  "1",
  "-1",
  "00",
  "1e1",
  "1e400",
  "0x10",
  "1_000",
  "9007199254740993",
  "9223372036854775807",
  "9223372036854775808",
  "1.005",
  "0.1",
  "٣",
  "' OR 1=1 --",
  "1; DROP TABLE tx",
  "=1+1",
  "@SUM(1)",
  "javascript:",
  "data:",
  "file:///",
  "http://",
  "https://127.0.0.1/",
  "localhost",
  "::1",
  "169.254.169.254",
];
const LENGTHS = [1, 2, 63, 64, 65, 88, 89, 95, 96, 127, 128, 129, 255, 256, 257, 512, 1_024, 2_048, 4_096];

export function oddText(random: SeededRandom): string {
  return random.pick(ODD);
}

export function mutateText(random: SeededRandom, text: string): string {
  const at = random.int(0, text.length);
  const end = Math.min(text.length, at + random.int(1, 8));
  switch (random.int(0, 10)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(end);
    case 2:
      return text.slice(0, at) + oddText(random) + text.slice(end);
    case 3:
    case 4:
      return text.slice(0, at) + oddText(random) + text.slice(at);
    case 5:
      return text.slice(0, end) + text.slice(at);
    case 6: {
      const one = text.charCodeAt(at);
      return Number.isNaN(one)
        ? text
        : text.slice(0, at) + String.fromCharCode(one ^ (1 << random.int(0, 6))) + text.slice(at + 1);
    }
    case 7:
      return text.slice(0, at) + (text[at] ?? "a").repeat(random.pick(LENGTHS)) + text.slice(at + 1);
    case 8:
      return random.chance(0.5) ? text.toUpperCase() : text.toLowerCase();
    case 9:
      return text.slice(at) + text.slice(0, at);
    default:
      return text.slice(0, at) + String.fromCharCode(random.int(0, 0xff)) + text.slice(at + 1);
  }
}

export function mutateBytes(random: SeededRandom, bytes: Uint8Array): Uint8Array {
  const at = random.int(0, bytes.length);
  const end = Math.min(bytes.length, at + random.int(1, 8));
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(end)];
  switch (random.int(0, 6)) {
    case 0:
      return before;
    case 1:
      return Buffer.concat([before, after]);
    case 2:
      return Buffer.concat([before, Buffer.from(oddText(random)), after]);
    case 3:
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]);
    case 4:
      // Inserts bytes at the limits of varints and of UTF-8.
      return Buffer.concat([before, Buffer.from(random.pick(EDGES)), after]);
    default: {
      const copy = Buffer.from(bytes);
      if (at < copy.length) copy[at] = (copy[at] as number) ^ (1 << random.int(0, 7));
      return copy;
    }
  }
}

const EDGES: readonly (readonly number[])[] = [
  [0],
  [0x7f],
  [0x80],
  [0xff],
  [0x80, 0x01],
  [0xff, 0xff, 0xff, 0xff, 0x0f],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xef, 0xbb, 0xbf],
  [0x0a, 0xff, 0xff, 0xff, 0xff, 0x07],
  [0x0b],
  [0x0c],
];

/** A JSON value in place of another: every type, and the limits of each. */
export const oddValue = (random: SeededRandom): unknown =>
  random.pick<() => unknown>([
    () => null,
    () => true,
    () => false,
    () => 0,
    () => -0,
    () => -1,
    () => 1.5,
    () => 1e21,
    () => 2 ** 53 + 2,
    () => "",
    () => [],
    () => ({}),
    () => [null],
    () => ({ a: 1 }),
    () => ({ toString: 1 }),
    () => oddText(random),
    () => "a".repeat(random.pick(LENGTHS)),
  ])();

/** A copy in which one field is changed, removed, added, or has another type. */
export function mutateFields(random: SeededRandom, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = Object.keys(fields);
  const name = names.length === 0 || random.chance(0.1) ? oddText(random) : random.pick(names);
  const { [name]: old, ...rest } = fields;
  if (random.chance(0.15)) return rest;
  const value = typeof old === "string" && random.chance(0.7) ? mutateText(random, old) : oddValue(random);
  // `__proto__` as an own key, as JSON.parse makes it.
  return Object.fromEntries([...Object.entries(rest), [name, value]]);
}
