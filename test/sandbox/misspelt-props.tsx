/**
 * `npm run check` must refuse a misspelt prop or attribute of the sandbox's pages. Nothing runs this file: the type check reads
 * it, and fails at a line that expects an error and has none.
 */
import { make } from "../../sandbox/design/dom.ts";
import { Icon } from "../../sandbox/sportsbook/page/sport-icons.tsx";
import { Link } from "../../sandbox/sportsbook/page/views/header.tsx";

export const attributes = [
  // @ts-expect-error: the attribute is called `class`.
  () => make("p", { clas: "note" }),
  // @ts-expect-error: a paragraph has no `href`.
  () => make("p", { href: "/" }),
  // @ts-expect-error: the attribute is called `aria-label`.
  () => make("button", { type: "button", "aria-labl": "Close" }, "x"),
];

export const ofComponents = [
  // @ts-expect-error: the prop is called `size`.
  <Icon key="icon" name="cross" sise={16} />,
  // @ts-expect-error: `current` is missing.
  <Link key="link" path="/">
    Sports
  </Link>,
];
// @ts-expect-error: the attribute is called `class`.
export const ofElement = <p clas="note">Note</p>;
