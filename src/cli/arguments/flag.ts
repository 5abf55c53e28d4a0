import type { JsonObject } from "@bufbuild/protobuf";
import { type Duration, durationFromMs, type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { parseInstant } from "../../domain/values/instant.ts";
import { didYouMean } from "./nearest.ts";

/**
 * The text of a flag breaks its rule. The message is the rest of a sentence that begins with the flag's name: "must be
 * true or false, not yes."
 */
export class BadValue extends Error {
  override readonly name = "BadValue";
}

/** One flag of a command. Help, usage errors, completion and the reference page are created from these flags. */
export interface Flag<T = unknown, Required extends boolean = boolean> {
  readonly required: Required;
  /** The placeholder of the value in the help: `<code>`, `true|false`. Empty: the flag has no value. */
  readonly form: string;
  /** What the flag means, in sentences. The last one has no full stop, because an example or a list may follow. */
  readonly help: string;
  /** A valid value. */
  readonly example: string;
  /** The values that the flag, or each item of its list, may have; empty: any value. */
  readonly choices: readonly string[];
  /** Whether the value is a list, separated by commas. */
  readonly list: boolean;
  /**
   * Reads the value.
   *
   * @throws BadValue
   */
  readonly read: (text: string) => T;
}

/**
 * Flags by the camel-case name of the field in the request that gets the value. {@link flagName} returns the name that
 * people write.
 */
export type Flags = Readonly<Record<string, Flag>>;

type ValueOf<F> = F extends Flag<infer T> ? T : never;
type RequiredName<F extends Flags> = { [K in keyof F]: F[K]["required"] extends true ? K : never }[keyof F];

/** The values that a command gets: of all its required flags, and of the optional flags that the line has. */
export type Values<F extends Flags> = { readonly [K in RequiredName<F>]: ValueOf<F[K]> } & {
  readonly [K in Exclude<keyof F, RequiredName<F>>]?: ValueOf<F[K]>;
};

/** The name of a flag in the command line: `--wallet-url` for `walletUrl`. */
export const flagName = (key: string): string => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * The value that clears a field. An empty value is refused, because it usually comes from a shell variable that isn't
 * set.
 */
const NONE = "none";

const optional = { required: false, choices: [], list: false } as const;

/** A flag without a value. */
export const switched = (help: string): Flag<true, false> => ({
  ...optional,
  form: "",
  help,
  example: "",
  read: () => true,
});

export const text = (form: string, help: string, example: string): Flag<string, false> => ({
  ...optional,
  form: `<${form}>`,
  help,
  example,
  read: (value) => value,
});

export const choice = <T extends string>(help: string, ...choices: readonly T[]): Flag<T, false> => ({
  ...optional,
  form: choices.length > 4 ? "<name>" : choices.join("|"),
  help,
  example: choices[0] ?? "",
  choices,
  read: (value) => oneOf(choices, value),
});

export const boolean = (help: string): Flag<boolean, false> => ({
  ...optional,
  form: "true|false",
  help,
  example: "true",
  choices: ["true", "false"],
  read: (value) => oneOf(["true", "false"], value) === "true",
});

export const integer = (help: string, example: number, min: number, max: number): Flag<number, false> => ({
  ...optional,
  form: "<n>",
  help,
  example: String(example),
  read: (value) => {
    const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new BadValue(`must be a whole number from ${min} to ${max}, not "${value}".`);
  },
});

export const decimal = (help: string, example: string): Flag<number, false> => ({
  ...optional,
  form: "<number>",
  help,
  example,
  read: (value) => {
    if (/^\d{1,9}(\.\d{1,9})?$/.test(value)) return Number(value);
    throw new BadValue(`must be a number such as ${example}, not "${value}".`);
  },
});

export const jsonObject = (help: string, example: string): Flag<JsonObject, false> => ({
  ...optional,
  form: "<json>",
  help,
  example: `'${example}'`,
  read: readObject,
});

/** A list, separated by commas. Spaces around the commas are ignored. */
export const list = (form: string, help: string, example: string): Flag<string[], false> => ({
  ...optional,
  form: `<${form},...>`,
  help,
  example,
  list: true,
  read: items,
});

export const choices = (help: string, ...all: readonly string[]): Flag<string[], false> => ({
  ...optional,
  form: "<name,...>",
  help,
  example: all.slice(0, 2).join(","),
  choices: all,
  list: true,
  read: (value) => items(value).map((item) => oneOf(all, item)),
});

/** A time: either a date, which means its midnight in UTC, or a time with its zone. */
export const time = (help: string, example: string): Flag<Timestamp, false> => ({
  ...optional,
  form: "<time>",
  help,
  example,
  read: readTime,
});

export const required = <T>(flag: Flag<T, false>): Flag<T, true> => ({ ...flag, required: true });

/** A flag that also accepts {@link NONE}, which it reads as `empty`. */
export const clearable = <T>(flag: Flag<T, false>, empty: T, meaning: string): Flag<T, false> => ({
  ...flag,
  help: `${flag.help}. The value ${NONE} means: ${meaning}`,
  read: (value) => (value === NONE ? empty : flag.read(value)),
});

/** A flag with a list that replaces the stored list. {@link NONE} empties the stored list. */
export const replacing = (flag: Flag<string[], false>, meaning: string): Flag<{ values: string[] }, false> => ({
  ...flag,
  help: `${flag.help}. The value ${NONE} means: ${meaning}`,
  read: (value) => ({ values: value === NONE ? [] : flag.read(value) }),
});

/** A duration as a whole number with its unit: 90s, 30m, 24h, 7d. */
export const duration = (help: string, example: string): Flag<Duration, false> => ({
  ...optional,
  form: "<duration>",
  help,
  example,
  read: (value) => {
    const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
    if (unit !== undefined) return durationFromMs(Number(number) * UNIT_MS[unit as keyof typeof UNIT_MS]);
    throw new BadValue(`must be a whole number with its unit s, m, h or d, such as 24h, not "${value}".`);
  },
});

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function oneOf<T extends string>(all: readonly T[], value: string): T {
  const found = all.find((one) => one === value);
  if (found !== undefined) return found;
  const last = all.at(-1);
  const names = all.length === 1 ? last : `${all.slice(0, -1).join(", ")} or ${last}`;
  throw new BadValue(`must be ${names}, not "${value}".${didYouMean(value, all)}`);
}

function readObject(value: string): JsonObject {
  try {
    const parsed: unknown = JSON.parse(value);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed as JsonObject;
  } catch {
    // Text that is not JSON gets the same message as JSON that is not an object.
  }
  throw new BadValue(`must be a JSON object, such as {"a":1}, not ${value}.`);
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const WITHOUT_SECONDS = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(Z|[+-]\d\d:\d\d)$/i;

/**
 * The milliseconds of a date, or of a time as the API reads it, whose seconds may be left out. undefined: the text is
 * neither, or the date does not exist.
 */
export const instantOf = (text: string): number | undefined =>
  parseInstant(DATE.test(text) ? `${text}T00:00:00Z` : text.replace(WITHOUT_SECONDS, "$1:00$2"));

function items(value: string): string[] {
  const all = value.split(",").map((item) => item.trim());
  if (all.includes("")) throw new BadValue(`has an empty item in "${value}": separate the items by single commas.`);
  return all;
}

function readTime(value: string): Timestamp {
  const ms = instantOf(value);
  if (ms !== undefined) return timestampFromMs(ms);
  throw new BadValue(
    `must be a date or a time with its zone, such as 2026-01-31 or 2026-01-31T12:00:00Z, not "${value}".`,
  );
}
