/** Bodies of the type application/x-www-form-urlencoded, of strangers: a parameter that comes twice is a fault. */
import { JsonFault } from "./json.ts";

/** The decoded parameters by their names. `Fields` of json.ts reads them. */
export type Form = Readonly<Record<string, string>>;

/** The decoded names and values in their order. @throws JsonFault if the body, as it is or decoded, is not UTF-8. */
export function formPairs(bytes: Uint8Array): readonly (readonly [name: string, value: string])[] {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).replaceAll("+", " ");
    return text
      .split("&")
      .filter((pair) => pair !== "")
      .map((pair) => {
        const end = pair.includes("=") ? pair.indexOf("=") : pair.length;
        return [decodeURIComponent(pair.slice(0, end)), decodeURIComponent(pair.slice(end + 1))] as const;
      });
  } catch {
    throw new JsonFault("the body is no form in UTF-8");
  }
}

/** @throws JsonFault */
export function parseForm(bytes: Uint8Array): Form {
  // Without a prototype `__proto__` is a name like any other.
  const form = Object.create(null) as Record<string, string>;
  for (const [name, value] of formPairs(bytes)) {
    if (name in form) throw new JsonFault(`the parameter ${JSON.stringify(name)} comes twice`);
    form[name] = value;
  }
  return form;
}

/** The body of our own calls. */
export const writeForm = (form: Form): string => new URLSearchParams(form).toString();
