import type { FieldFault } from "../../../domain/errors.ts";
import { FAULT_TEXTS } from "../../../domain/texts/fault-texts.ts";
import { parseInstant } from "../../../domain/values/instant.ts";
import type { Texts } from "../../../domain/values/language.ts";

/** The rule of one query parameter. */
export interface Parameter<T> {
  readonly rule: string;
  readonly message: Texts;
  /** Returns the value that the text means; `undefined` if the text breaks the rule. */
  readonly read: (text: string) => T | undefined;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** The values of the parameters; undefined for a parameter that was not sent. */
export type Query<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T | undefined : never;
};

interface ParsedQuery<P extends Parameters> {
  readonly values: Query<P>;
  /** The parameters as they were sent, decoded. */
  readonly texts: Readonly<Record<string, string>>;
  readonly faults: readonly FieldFault[];
}

/**
 * Reads a query string. Faults are unknown parameters, repeated parameters, bad encodings and bad values. A repeated
 * parameter is a fault, because a proxy may use the first value and this service the last one.
 */
export function parseQuery<P extends Parameters>(query: string, parameters: P): ParsedQuery<P> {
  const faults: FieldFault[] = [];
  const texts = new Map<string, string>();
  const values = new Map<string, unknown>();
  for (const pair of query.split("&").filter((text) => text !== "")) {
    const [name, text] = decodePair(pair);
    const parameter = name !== undefined && Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (name === undefined || text === undefined)
      faults.push({ field: pair, rule: "percent-encoded UTF-8", message: FAULT_TEXTS.encoding });
    else if (parameter === undefined)
      faults.push({ field: name, rule: "unknown", message: FAULT_TEXTS.unknownParameter });
    else if (texts.has(name)) faults.push({ field: name, rule: "once", message: FAULT_TEXTS.repeated(name) });
    else {
      const value = parameter.read(text);
      texts.set(name, text);
      values.set(name, value);
      if (value === undefined) faults.push({ field: name, rule: parameter.rule, message: parameter.message });
    }
  }
  return { values: Object.fromEntries(values) as Query<P>, texts: Object.fromEntries(texts), faults };
}

function decodePair(pair: string): [string | undefined, string | undefined] {
  const [name = "", ...rest] = pair.split("=");
  return [decodeQuery(name), decodeQuery(rest.join("="))];
}

const decodeQuery = (text: string): string | undefined => decodePercent(text.replaceAll("+", " "));

/** Decodes percent-encoded UTF-8. `undefined`: the text is not percent-encoded UTF-8. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A parameter with a whole number in decimal digits. */
export const wholeNumber = (name: string, min: number, max: number): Parameter<number> => ({
  rule: `${min}..${max}`,
  message: FAULT_TEXTS.wholeNumber(name, min, max),
  read: (text) =>
    /^(0|[1-9]\d{0,8})$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined,
});

/** A parameter with any text. The use case checks the text. */
export const anyText: Parameter<string> = { rule: "text", message: FAULT_TEXTS.encoding, read: (text) => text };

/** A parameter with one of a few words. */
export const oneOf = <const T extends string>(name: string, words: readonly T[]): Parameter<T> => ({
  rule: words.join(" | "),
  message: FAULT_TEXTS.oneOf(name, words),
  read: (text) => words.find((word) => word === text),
});

/** A parameter with a time by RFC 3339, with Z or an offset. The value is in milliseconds since 1970. */
export const time = (name: string): Parameter<number> => ({
  rule: "RFC 3339 time with Z or an offset",
  message: FAULT_TEXTS.time(name),
  read: parseInstant,
});
