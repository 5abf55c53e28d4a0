import { LANGUAGES, LAYOUTS, ODDS_FORMATS, THEMES } from "../../../web-renderer/protocol.ts";
import type { SBRenderer, SBRendererLiveOptions } from "../../../web-renderer/sb-renderer.ts";
import { make } from "../../design/dom.ts";
import { locale, words } from "./language.ts";

const SHOWN_MAX = 50;
const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** The values that the panel offers for updateOptions. */
const CHOICES = [
  ["lang", LANGUAGES],
  ["themeName", THEMES],
  ["layout", LAYOUTS],
  ["oddsFormat", ODDS_FORMATS],
] as const satisfies readonly (readonly [keyof SBRendererLiveOptions, readonly string[]])[];

/** Calls the library's methods, and lists these calls and the library's callbacks, newest first. */
export class MethodPanel {
  readonly element: HTMLElement;
  /** Replaces the iframe by a new iframe with this token. */
  initialize: (token: string | null) => void = () => undefined;
  readonly #renderer: SBRenderer;
  readonly #launchToken: () => Promise<string>;
  readonly #events = make("ol", { class: "calls", tabindex: "0", "aria-label": words.methods.events });

  constructor(renderer: SBRenderer, launchToken: () => Promise<string>) {
    this.#renderer = renderer;
    this.#launchToken = launchToken;
    this.element = make(
      "section",
      { class: "method-panel", "aria-labelledby": "methods-title" },
      make("h2", { id: "methods-title" }, words.methods.title),
      make(
        "div",
        { class: "methods" },
        ...CHOICES.map(([name, values]) => this.#select(name, words.methods.options[name], values)),
        this.#navigation(),
        this.#buttons(),
      ),
      this.#events,
    );
  }

  /** Adds a callback of the library to the list. */
  heard(name: string, ...values: readonly unknown[]): void {
    this.#note("heard", name, values);
  }

  async logIn(): Promise<void> {
    this.#options({ token: await this.#launchToken() }, { token: "eyJ…" });
  }

  logOut(): void {
    this.#options({ token: null });
  }

  refreshBalance(): void {
    this.#note("called", "refreshBalance", []);
    this.#renderer.refreshBalance();
  }

  /** Mounts the iframe anew: with the player's token, or for a visitor. */
  initializeAgain(): void {
    this.#note("called", "initialize", []);
    void this.#launchToken().then(
      (token) => this.initialize(token),
      () => this.initialize(null),
    );
  }

  hideBalance(hideBalance: boolean): void {
    this.#options({ hideBalance });
  }

  #options(options: SBRendererLiveOptions, shown: SBRendererLiveOptions = options): void {
    this.#note("called", "updateOptions", [shown]);
    this.#renderer.updateOptions(options);
  }

  #select(name: keyof SBRendererLiveOptions, label: string, values: readonly string[]): HTMLElement {
    const select = make(
      "select",
      { id: `option-${name}` },
      make("option", { value: "" }, words.methods.brands),
      ...values.map((value) => make("option", { value }, value)),
    );
    select.addEventListener("change", () => {
      // A forced value stays until a new iframe is mounted, because no value means "use the brand's".
      if (select.value !== "") this.#options({ [name]: select.value });
    });
    return make("div", { class: "method" }, make("label", { for: select.id }, label), select);
  }

  #navigation(): HTMLElement {
    const input = make("input", {
      type: "text",
      value: "/live",
      "aria-label": words.methods.route,
      spellcheck: "false",
    });
    const form = make(
      "form",
      { class: "method navigate" },
      input,
      make("button", { class: "button small" }, "navigate"),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#note("called", "navigate", [input.value]);
      this.#renderer.navigate(input.value);
    });
    return form;
  }

  #buttons(): HTMLElement {
    const button = (text: string, run: () => void) => {
      const element = make("button", { type: "button", class: "button small" }, text);
      element.addEventListener("click", run);
      return element;
    };
    return make(
      "div",
      { class: "method buttons" },
      button("refreshBalance", () => this.refreshBalance()),
      button("token: null", () => this.logOut()),
      button(
        words.methods.newToken,
        () =>
          void this.logIn().catch((error: Error) => this.#note("heard", words.methods.launchRefused, [error.message])),
      ),
      button("kill", () => {
        this.#note("called", "kill", []);
        this.#renderer.kill();
      }),
      button("initialize", () => this.initializeAgain()),
    );
  }

  #note(kind: "heard" | "called", name: string, values: readonly unknown[]): void {
    const text = values.map((value) => JSON.stringify(value)).join(", ");
    this.#events.prepend(
      make(
        "li",
        { class: kind, "data-name": name, "data-values": JSON.stringify(values) },
        make("time", {}, time.format(Date.now())),
        make("span", { class: "kind" }, words.methods[kind]),
        make("code", {}, `${name}(${text})`),
      ),
    );
    if (this.#events.childElementCount > SHOWN_MAX) this.#events.lastElementChild?.remove();
  }
}
