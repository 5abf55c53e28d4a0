/** Form bodies as PHP reads and writes them: `a[0][b]=1` is a nested value, and signatures are over the written text. */
import type { Json, JsonObject } from "../frame/json.ts";

/** The fields in the order in which they came. */
export type Form = Map<string, string | Form>;

/** The body is no form, is not UTF-8, or has a key twice. */
export class FormFault extends Error {
  override readonly name = "FormFault";
}

const DEPTH_MAX = 5;

/** @throws FormFault */
export function parseForm(body: Uint8Array): Form {
  const form: Form = new Map();
  // Each byte is one character, because only the decoded bytes must be UTF-8.
  for (const pair of Buffer.from(body).toString("latin1").split("&")) {
    if (pair === "") continue;
    const end = pair.indexOf("=");
    const name = decoded(end < 0 ? pair : pair.slice(0, end));
    put(form, pathOf(name), end < 0 ? "" : decoded(pair.slice(end + 1)));
  }
  return form;
}

function decoded(text: string): string {
  const bytes = text.replaceAll("+", " ").replaceAll(/%([0-9a-fA-F]{2})?/g, (_, hex?: string) => {
    if (hex === undefined) throw new FormFault("a percent sign has no two hex digits behind it");
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, "latin1"));
  } catch {
    throw new FormFault("the body is not UTF-8");
  }
}

function pathOf(name: string): readonly string[] {
  const [, first, rest = ""] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  if (first === undefined) throw new FormFault("a key is empty, or its brackets do not fit");
  const path = [first, ...rest.split("]").flatMap((part) => (part === "" ? [] : [part.slice(1)]))];
  if (path.length > DEPTH_MAX) throw new FormFault("the body is nested too deep");
  return path;
}

function put(form: Form, [given = "", ...deeper]: readonly string[], value: string): void {
  const key = given === "" ? String(form.size) : given;
  const old = form.get(key);
  if (deeper.length === 0) {
    if (old !== undefined) throw new FormFault("a key comes twice");
    form.set(key, value);
    return;
  }
  if (typeof old === "string") throw new FormFault("a key is a text and a list");
  const inner: Form = old ?? new Map();
  form.set(key, inner);
  put(inner, deeper, value);
}

/** The fields for `Fields` of json.ts. Keys 0, 1, 2 ... make a list. */
export function formFields(form: Form): JsonObject {
  const object = Object.create(null) as Record<string, Json>;
  for (const [name, value] of form) object[name] = jsonOf(value);
  return object;
}

function jsonOf(value: string | Form): Json {
  if (typeof value === "string") return value;
  const isList = [...value.keys()].every((key, index) => key === String(index));
  return isList ? [...value.values()].map(jsonOf) : formFields(value);
}

/** The text that PHP's http_build_query writes: a space is +, and brackets are encoded. */
export const writeForm = (form: Form): string => pairs(form, "").join("&");

function pairs(form: Form, prefix: string): readonly string[] {
  return [...form].flatMap(([key, value]) => {
    const name = prefix === "" ? key : `${prefix}[${key}]`;
    return typeof value === "string" ? [`${encoded(name)}=${encoded(value)}`] : pairs(value, name);
  });
}

const encoded = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");

/** The same fields with their keys in the order of their bytes. `deep`: so are the keys of nested fields. */
export function sortedForm(form: Form, deep: boolean): Form {
  const order = (a: string, b: string) =>
    /^\d+$/.test(a) && /^\d+$/.test(b) ? Number(a) - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(b));
  return new Map(
    [...form]
      .sort(([a], [b]) => order(a, b))
      .map(([key, value]) => [key, deep && typeof value !== "string" ? sortedForm(value, deep) : value]),
  );
}
