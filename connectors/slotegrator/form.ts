/** Form bodies as PHP reads and writes them: `a[0][b]=1` is a nested value, and signatures are over the written text. */
import { formPairs } from "../frame/form.ts";
import { type Json, JsonFault, type JsonObject } from "../frame/json.ts";

/** The fields in the order in which they came. */
export type Form = Map<string, string | Form>;

const DEPTH_MAX = 5;

/** @throws JsonFault if the body is no form in UTF-8, is nested too deep, or has a key twice. */
export function parseForm(body: Uint8Array): Form {
  const form: Form = new Map();
  for (const [name, value] of formPairs(body)) put(form, pathOf(name), value);
  return form;
}

function pathOf(name: string): readonly string[] {
  const [, first, rest = ""] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  if (first === undefined) throw new JsonFault("a key is empty, or its brackets do not fit");
  const path = [first, ...rest.split("]").flatMap((part) => (part === "" ? [] : [part.slice(1)]))];
  if (path.length > DEPTH_MAX) throw new JsonFault("the body is nested too deep");
  return path;
}

function put(form: Form, [given = "", ...deeper]: readonly string[], value: string): void {
  const key = given === "" ? String(form.size) : given;
  const old = form.get(key);
  if (deeper.length === 0) {
    if (old !== undefined) throw new JsonFault("a key comes twice");
    form.set(key, value);
    return;
  }
  if (typeof old === "string") throw new JsonFault("a key is a text and a list");
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
