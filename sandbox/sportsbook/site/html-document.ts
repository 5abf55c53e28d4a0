/** Elements that have no closing tag. */
const VOID: ReadonlySet<string> = new Set(["br", "hr", "img", "input", "link", "meta"]);

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign] as string);

/** An element that can only be written as HTML. */
class HtmlElement {
  readonly #tag: string;
  #attributes = "";
  #content = "";

  constructor(tag: string) {
    this.#tag = tag;
  }

  /** Call it once for each name. */
  setAttribute(name: string, value: string): void {
    this.#attributes += ` ${name}="${escaped(value)}"`;
  }

  /** Elements must be whole, because they are written at once. */
  append(...children: readonly (HtmlElement | string)[]): void {
    for (const child of children) this.#content += typeof child === "string" ? escaped(child) : child.outerHTML;
  }

  get outerHTML(): string {
    const end = VOID.has(this.#tag) ? "" : `${this.#content}</${this.#tag}>`;
    return `<${this.#tag}${this.#attributes}>${end}`;
  }
}

/** What the page's views need of a document. Text is never read as HTML. */
export const htmlDocument = {
  createElement: (tag: string): HtmlElement => new HtmlElement(tag),
  createElementNS: (_namespace: string, tag: string): HtmlElement => new HtmlElement(tag),
};
