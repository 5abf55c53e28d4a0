/** One item of a JSON array, as its text, and the line on which it begins, from 1 on. */
export interface JsonItem {
  readonly line: number;
  readonly text: string;
}

/** The file is no array of JSON from this line on. */
export class JsonFault extends Error {
  override readonly name = "JsonFault";
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

const NO_ARRAY = "the file is an array of objects: [{...}, ...]";
const isSpace = (char: string): boolean => char === " " || char === "\n" || char === "\r" || char === "\t";

/**
 * Takes a JSON array apart in pieces that may be cut anywhere, so that a large file is never one parse. Only brackets and strings are
 * looked at: whether an item is JSON is for whoever parses it.
 */
export class JsonItems {
  #line = 1;
  #begunOn = 1;
  #item = "";
  #depth = 0;
  #inString = false;
  #escaped = false;
  #place: "before" | "inside" | "behind" = "before";
  /** A comma was the last thing: another item must come. */
  #owed = false;

  push(text: string): JsonItem[] {
    const items: JsonItem[] = [];
    for (let at = 0; at < text.length; at++) {
      const char = text[at] as string;
      if (this.#place !== "inside") this.#outside(char);
      else if (this.#inString) this.#string(char);
      else this.#structure(char, items);
      if (char === "\n") this.#line += 1;
    }
    return items;
  }

  /** @throws JsonFault when the array has not ended. */
  end(): void {
    if (this.#place !== "behind") throw new JsonFault(this.#line, this.#place === "before" ? NO_ARRAY : "the array has no end");
  }

  #outside(char: string): void {
    if (isSpace(char)) return;
    if (this.#place === "behind" || char !== "[") throw new JsonFault(this.#line, this.#place === "before" ? NO_ARRAY : "nothing stands behind the array");
    this.#place = "inside";
  }

  #string(char: string): void {
    this.#item += char;
    if (this.#escaped) this.#escaped = false;
    else if (char === "\\") this.#escaped = true;
    else if (char === '"') this.#inString = false;
  }

  #structure(char: string, items: JsonItem[]): void {
    if (this.#depth === 0 && (char === "," || char === "]")) return this.#endItem(char, items);
    if (this.#item === "") {
      if (isSpace(char)) return;
      this.#begunOn = this.#line;
    }
    this.#item += char;
    if (char === '"') this.#inString = true;
    else if (char === "{" || char === "[") this.#depth += 1;
    else if (char === "}" || char === "]") this.#depth -= 1;
  }

  #endItem(char: string, items: JsonItem[]): void {
    if (this.#item === "" && (char === "," || this.#owed)) throw new JsonFault(this.#line, "a comma stands between two items");
    if (this.#item !== "") items.push({ line: this.#begunOn, text: this.#item });
    this.#item = "";
    this.#owed = char === ",";
    if (char === "]") this.#place = "behind";
  }
}
