/**
 * A property of the document, read by the browser's own getter. `document.head` itself is not safe in a page that has
 * markup of other people: `<img name="head">` takes its place, and so does a form, object, embed or iframe with that
 * name (DOM clobbering).
 */
export const ofDocument = <Name extends keyof Document>(name: Name): Document[Name] =>
  Reflect.get(Document.prototype, name, document);

/** The document's createElement, safe in the same way. */
export const createElement = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag): HTMLElementTagNameMap[Tag] =>
  Document.prototype.createElement.call(document, tag) as HTMLElementTagNameMap[Tag];

/** A function that returns a value of this type as it is, and undefined for any other value. */
export const ofType =
  (type: string) =>
  (value: unknown): unknown =>
    typeof value === type ? value : undefined;

/** The value if it is a text. An element or another object with a toString of its own is no text. */
export const textIn = ofType("string") as (value: unknown) => string;

/**
 * The origin from which a script tag loaded the library, set by global.ts. undefined in the npm package, which is part
 * of the merchant's own script.
 */
export const scriptOrigin: { value?: string } = {};
