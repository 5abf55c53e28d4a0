import { make } from "../../../design/dom.ts";
import { icon } from "../sport-icons.ts";
import type { Context } from "./context.ts";

/** The search field. `count`: the number of found matches; null: there is no search. */
export function searchField({ state, words }: Context, count: number | null): HTMLElement {
  return make(
    "form",
    { class: "search", role: "search", "data-key": `search ${state.path}`, "data-submit": "search" },
    icon("search", 18),
    make("input", {
      type: "search",
      name: "search",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: 60,
      placeholder: words.search,
      "aria-label": words.search,
      value: state.search,
      "data-input": "search",
    }),
    make(
      "span",
      { class: "found", role: "status" },
      count === null ? "" : count === 0 ? words.foundNone : words.found(count),
    ),
  );
}
