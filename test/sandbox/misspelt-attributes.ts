/**
 * `npm run check` must refuse a misspelt attribute of the sandbox's pages. Nothing runs this file: the type check reads
 * it, and fails at a line that expects an error and has none.
 */
import { make } from "../../sandbox/design/dom.ts";

export const attributes = [
  // @ts-expect-error: the attribute is called `class`.
  () => make("p", { clas: "note" }),
  // @ts-expect-error: a paragraph has no `href`.
  () => make("p", { href: "/" }),
  // @ts-expect-error: the attribute is called `aria-label`.
  () => make("button", { type: "button", "aria-labl": "Close" }, "x"),
];
