/** Bodies of the type application/x-www-form-urlencoded, of strangers: a parameter that comes twice is a fault. */
import { JsonFault } from "./json.ts";

/** The decoded parameters by their names. `Fields` of json.ts reads them. */
export type Form = Readonly<Record<string, string>>;

/** @throws JsonFault. Bytes that are not UTF-8, before or after they are decoded, are a fault, too. */
export function parseForm(bytes: Uint8Array): Form {
  // Without a prototype `__proto__` is a name like any other.
  const form = Object.create(null) as Record<string, string>;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    for (const pair of text.split("&").filter((piece) => piece !== "")) {
      const [, name = "", value = ""] = /^([^=]*)=?([\s\S]*)$/.exec(pair.replaceAll("+", " ")) ?? [];
      const decoded = decodeURIComponent(name);
      if (decoded in form) throw new JsonFault(`the parameter ${JSON.stringify(decoded)} comes twice`);
      form[decoded] = decodeURIComponent(value);
    }
    return form;
  } catch (cause) {
    throw cause instanceof JsonFault ? cause : new JsonFault("the body is no form in UTF-8");
  }
}

/** The body of our own calls. */
export const writeForm = (form: Form): string => new URLSearchParams(form).toString();
