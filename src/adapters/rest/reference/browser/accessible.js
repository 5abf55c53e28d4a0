// @ts-check
/** What Swagger UI leaves out for people who don't see or point: names of its controls, and a way to scroll its code by keyboard. */

const nearestName = (/** @type {Element} */ control) => control.closest("[data-param-name]")?.getAttribute("data-param-name");

/** @type {readonly [string, (control: Element) => string][]} */
const NAMES = [
  [".examples-select-element", () => "Example"],
  ["select.content-type", () => "Media type"],
  ["textarea", (control) => nearestName(control) ?? "Request body"],
  ["[data-param-name] :is(select, input)", (control) => nearestName(control) ?? "Parameter"],
];

/** @param {Element} root */
function complete(root) {
  for (const [selector, name] of NAMES) {
    for (const control of root.querySelectorAll(`:is(${selector}):not([aria-label])`)) control.setAttribute("aria-label", name(control));
  }
  for (const code of root.querySelectorAll("pre:not([tabindex])")) code.setAttribute("tabindex", "0");
}

/** Holds from now on, for all that Swagger UI shows inside of `root`. */
export function keepAccessible(/** @type {Element} */ root) {
  new MutationObserver(() => complete(root)).observe(root, { childList: true, subtree: true });
}
