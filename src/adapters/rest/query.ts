import { type FieldFault, ok, type Result, refuse } from "../../domain/errors.ts";

/** How one query parameter is read. */
export interface Parameter<T> {
  readonly rule: string;
  /** For people, in Portuguese. */
  readonly message: string;
  /** `undefined`: the text breaks the rule. */
  readonly read: (text: string) => T | undefined;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** What came of the parameters; one that was not sent is undefined. */
export type Query<P extends Parameters> = { readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T | undefined : never };

/**
 * Reads a query string. VALIDATION_ERROR lists every fault at once: unknown and repeated parameters (whoever takes the first and
 * whoever takes the last would disagree on what was asked), bad encodings, bad values.
 */
export function readQuery<P extends Parameters>(query: string, parameters: P): Result<Query<P>> {
  const faults: FieldFault[] = [];
  const values = new Map<string, unknown>();
  for (const pair of query.split("&").filter((text) => text !== "")) {
    const [name, text] = decodePair(pair);
    const parameter = name !== undefined && Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (name === undefined || text === undefined) faults.push({ field: pair, rule: "percent-encoded UTF-8", message: "Codificação inválida." });
    else if (parameter === undefined) faults.push({ field: name, rule: "unknown", message: "Parâmetro desconhecido." });
    else if (values.has(name)) faults.push({ field: name, rule: "once", message: `${name} foi enviado mais de uma vez.` });
    else {
      const value = parameter.read(text);
      values.set(name, value);
      if (value === undefined) faults.push({ field: name, rule: parameter.rule, message: parameter.message });
    }
  }
  if (faults.length > 0) return refuse("VALIDATION_ERROR", { details: faults });
  return ok(Object.fromEntries(values) as Query<P>);
}

function decodePair(pair: string): [string | undefined, string | undefined] {
  const [name = "", ...rest] = pair.split("=");
  return [decodeQuery(name), decodeQuery(rest.join("="))];
}

const decodeQuery = (text: string): string | undefined => decodePercent(text.replaceAll("+", " "));

/** Percent-decodes UTF-8; `undefined` when it is none. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A whole number in decimal digits. */
export const wholeNumber = (name: string, min: number, max: number): Parameter<number> => ({
  rule: `${min}..${max}`,
  message: `${name} deve ser um número inteiro de ${min} a ${max}.`,
  read: (text) => (/^(0|[1-9]\d{0,8})$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined),
});
