// @ts-check
/**
 * Adds what Swagger UI lacks for screen readers and keyboards: the names of its controls, and code blocks that a
 * keyboard can scroll.
 */

const nearestName = (/** @type {Element} */ control) =>
  control.closest("[data-param-name]")?.getAttribute("data-param-name");

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
    for (const control of root.querySelectorAll(`:is(${selector}):not([aria-label])`))
      control.setAttribute("aria-label", name(control));
  }
  for (const code of root.querySelectorAll("pre:not([tabindex])")) code.setAttribute("tabindex", "0");
}

/** Watches `root` and completes everything that Swagger UI shows in it from now on. */
export function keepAccessible(/** @type {Element} */ root) {
  new MutationObserver(() => complete(root)).observe(root, { childList: true, subtree: true });
}
