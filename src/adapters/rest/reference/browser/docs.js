// @ts-check
import { offerSearch } from "./search.js";
import { offerTrying } from "./try.js";

/** The API's own address, without the path of this page. */
const ROOT = new URL(document.documentElement.dataset.root || ".", location.href).href;

const base = document.getElementById("base-url");

/** A button beside `holder` that copies the text of `source`. */
function offerCopy(/** @type {Element} */ holder, /** @type {Element} */ source, /** @type {string} */ label) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.setAttribute("aria-label", label);
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(source.textContent ?? "");
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2_000);
  });
  holder.append(button);
}

// Browsers allow the clipboard only on pages over https and on pages of this machine.
if (navigator.clipboard !== undefined) {
  if (base?.parentElement) offerCopy(base.parentElement, base, "Copy the base URL");
  for (const code of document.querySelectorAll(".code"))
    offerCopy(code, code.firstElementChild ?? code, "Copy the code");
}

const tabs = [.../** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[role=tab]"))];

function choose(/** @type {HTMLButtonElement} */ chosen) {
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", String(tab === chosen));
    tab.tabIndex = tab === chosen ? 0 : -1;
    const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
    if (panel !== null) panel.hidden = tab !== chosen;
  }
  chosen.focus();
}

for (const [i, tab] of tabs.entries()) {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", ({ key }) => {
    const next = tabs.at({ ArrowRight: (i + 1) % tabs.length, ArrowLeft: i - 1 }[key] ?? i);
    if (next !== undefined && next !== tab) choose(next);
  });
}

// In a narrow window the navigation covers the page. So it closes when a link leads to a part of the same page.
const menu = document.getElementById("page-menu");
menu?.addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.closest("a") !== null && menu.matches(":popover-open")) menu.hidePopover();
});
menu?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });

offerSearch(ROOT);
if (document.documentElement.dataset.tryOut === "true") offerTrying(ROOT);
