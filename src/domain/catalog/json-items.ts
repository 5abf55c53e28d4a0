/** The text of one item of a JSON array. `line` is the line of the file on which the item begins, from 1. */
export interface JsonItem {
  readonly line: number;
  readonly text: string;
}

/** The file breaks the form of a JSON array on this line. */
export class JsonFault extends Error {
  override readonly name = "JsonFault";
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

const NO_ARRAY = "the file must be an array of objects: [{...}, ...]";
const isSpace = (char: string): boolean => char === " " || char === "\n" || char === "\r" || char === "\t";

/**
 * Splits the text of a JSON array into its items. The text comes in pieces that may be cut anywhere, so a large file is
 * never parsed at once. This class only finds the brackets and strings. The caller parses each item.
 */
export class JsonItems {
  #line = 1;
  #begunOn = 1;
  #item = "";
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Whether the reader is before, inside or after the array. */
  #position: "before" | "inside" | "after" = "before";
  /** Whether a comma has ended the last item, so that another item must follow. */
  #itemMustFollow = false;

  push(text: string): JsonItem[] {
    const items: JsonItem[] = [];
    for (let at = 0; at < text.length; at++) {
      const char = text[at] as string;
      if (this.#position !== "inside") this.#outside(char);
      else if (this.#inString) this.#string(char);
      else this.#structure(char, items);
      if (char === "\n") this.#line += 1;
    }
    return items;
  }

  /** @throws JsonFault when the array has not ended. */
  end(): void {
    if (this.#position !== "after")
      throw new JsonFault(this.#line, this.#position === "before" ? NO_ARRAY : "the array has no end");
  }

  #outside(char: string): void {
    if (isSpace(char)) return;
    if (this.#position === "after" || char !== "[")
      throw new JsonFault(this.#line, this.#position === "before" ? NO_ARRAY : "no text may follow the array");
    this.#position = "inside";
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
    if (this.#item === "" && (char === "," || this.#itemMustFollow))
      throw new JsonFault(this.#line, "a comma must be between two items");
    if (this.#item !== "") items.push({ line: this.#begunOn, text: this.#item });
    this.#item = "";
    this.#itemMustFollow = char === ",";
    if (char === "]") this.#position = "after";
  }
}
