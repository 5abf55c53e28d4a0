/** JSON of strangers: numbers stay texts, so amounts are exact, and a key that comes twice is a fault. */
import { isId } from "../../src/domain/values/identifiers.ts";

/** A number as it was written. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Json = null | boolean | string | JsonNumber | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** The text is not JSON, is nested too deep, or has a key twice. */
export class JsonFault extends Error {
  override readonly name = "JsonFault";
}

const DEPTH_MAX = 20;
const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const WORDS: Readonly<Record<string, Json>> = { true: true, false: false, null: null };

/** @throws JsonFault. Bytes that are not UTF-8 are a fault, too. */
export function parseJson(bytes: Uint8Array): Json {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new JsonFault("the body is not UTF-8");
  }
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  end(): void {
    this.#take(SPACE);
    if (this.#at !== this.#text.length) throw new JsonFault("text follows the JSON value");
  }

  value(depth: number): Json {
    if (depth > DEPTH_MAX) throw new JsonFault("the JSON is nested too deep");
    this.#take(SPACE);
    const string = this.#take(STRING);
    if (string !== undefined) return JSON.parse(string) as string;
    const number = this.#take(NUMBER);
    if (number !== undefined) return new JsonNumber(number);
    const word = this.#take(WORD);
    if (word !== undefined) return WORDS[word] ?? null;
    if (this.#is("{")) return this.#object(depth + 1);
    if (this.#is("[")) return this.#array(depth + 1);
    throw new JsonFault("the body is not JSON");
  }

  #object(depth: number): JsonObject {
    // Without a prototype `__proto__` is a key like any other.
    const object = Object.create(null) as Record<string, Json>;
    if (this.#is("}")) return object;
    for (;;) {
      this.#take(SPACE);
      const quoted = this.#take(STRING);
      if (quoted === undefined || !this.#is(":")) throw new JsonFault("an object has a key without a name or value");
      const name = JSON.parse(quoted) as string;
      if (name in object) throw new JsonFault(`the key ${quoted} comes twice`);
      object[name] = this.value(depth);
      if (this.#is("}")) return object;
      if (!this.#is(",")) throw new JsonFault("an object has no end");
    }
  }

  #array(depth: number): readonly Json[] {
    const items: Json[] = [];
    if (this.#is("]")) return items;
    for (;;) {
      items.push(this.value(depth));
      if (this.#is("]")) return items;
      if (!this.#is(",")) throw new JsonFault("an array has no end");
    }
  }

  #is(char: string): boolean {
    this.#take(SPACE);
    const found = this.#text[this.#at] === char;
    if (found) this.#at += 1;
    return found;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }
}

/** A field is missing (`missing`), or has the wrong type or form (`type`). */
export class FieldFault extends Error {
  override readonly name = "FieldFault";
  readonly kind: "missing" | "type";
  readonly field: string;

  constructor(kind: "missing" | "type", field: string) {
    super(`${field}: ${kind}`);
    this.kind = kind;
    this.field = field;
  }
}

/** Reads the fields of an object. Unknown fields are ignored. null counts as missing. Each method throws FieldFault. */
export class Fields {
  readonly #object: JsonObject;

  /** @throws FieldFault if the value is no object. */
  constructor(value: Json, name = "") {
    if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof JsonNumber)
      throw new FieldFault(value === null ? "missing" : "type", name);
    this.#object = value as JsonObject;
  }

  has(name: string): boolean {
    return (this.#object[name] ?? null) !== null;
  }

  /** A well-formed text of 1 to `max` bytes of UTF-8 without control characters. */
  text(name: string, max = 255): string {
    const value = this.#value(name);
    if (value === "") throw new FieldFault("missing", name);
    if (typeof value !== "string" || !isId(value, max)) throw new FieldFault("type", name);
    return value;
  }

  optionalText(name: string, max = 255): string | undefined {
    return this.has(name) && this.#object[name] !== "" ? this.text(name, max) : undefined;
  }

  /** A text that decides nothing. A value of another form is left out, because no label may refuse money. */
  label(name: string, max = 128): string | undefined {
    const value = this.#object[name];
    return typeof value === "string" && isId(value, max) ? value : undefined;
  }

  /** The text of a number. */
  number(name: string): string {
    const value = this.#value(name);
    if (!(value instanceof JsonNumber)) throw new FieldFault("type", name);
    return value.text;
  }

  /** The text of a number without fraction and exponent. */
  integer(name: string): string {
    const value = this.number(name);
    if (!/^-?\d{1,30}$/.test(value)) throw new FieldFault("type", name);
    return value;
  }

  /** Whether the field is `true`. Every other value counts as false. */
  isTrue(name: string): boolean {
    return this.#object[name] === true;
  }

  object(name: string): Fields {
    return new Fields(this.#value(name), name);
  }

  optionalObject(name: string): Fields | undefined {
    return this.has(name) ? this.object(name) : undefined;
  }

  /** An object whose fields decide nothing. One that is missing or has another form is empty. */
  labels(name: string): Fields {
    try {
      return this.object(name);
    } catch {
      return new Fields({});
    }
  }

  list(name: string): readonly Json[] {
    const value = this.#value(name);
    if (!Array.isArray(value)) throw new FieldFault("type", name);
    return value as readonly Json[];
  }

  #value(name: string): Json {
    const value = this.#object[name] ?? null;
    if (value === null) throw new FieldFault("missing", name);
    return value;
  }
}
