import { ApiError, make } from "../../design/dom.ts";
import { words } from "./language.ts";

/**
 * The text of an error in the page's language. It is chosen by the code, because the server's messages are in English.
 */
export function failureText(error: unknown): string {
  const code = error instanceof ApiError ? error.code : "UNKNOWN";
  return words.failures[code as "LOGGED_OUT"] ?? words.otherFailure(code);
}

/** A notice that is shown instead of a view that failed. `again` is called by its button. */
export function failed(error: unknown, again: () => void): HTMLElement {
  const button = make("button", { class: "button", type: "button" }, words.tryAgain);
  button.addEventListener("click", again);
  return make(
    "div",
    { class: "notice", role: "alert" },
    make("strong", {}, words.failed),
    make("span", {}, failureText(error)),
    button,
  );
}
