import { find, make } from "../../design/dom.ts";
import { minorFormat } from "../../design/money.ts";
import type { CallRecord } from "../game-session.ts";
import type { Misbehaviour } from "../misbehave.ts";
import type { Words } from "../words/en.ts";
import { WORDS } from "../words/words.ts";
import { errorText, type GameApi } from "./game-api.ts";
import { language } from "./language.ts";
import { translated } from "./translation.ts";

/** The provider's log, and buttons that make a provider's mistakes. */
export class Backstage {
  readonly #panel = find("#backstage");
  readonly #toggle = find<HTMLButtonElement>("#backstage-toggle");
  readonly #words: Words["backstage"];
  readonly #message: HTMLElement;
  readonly #list: HTMLElement;
  readonly #rows = new Map<number, { readonly text: string; readonly element: HTMLElement }>();

  constructor(api: GameApi, demo: boolean, mistakes: readonly Misbehaviour[]) {
    const words = WORDS[language].backstage;
    this.#words = words;
    this.#message = make("p", { class: "said", role: "status" }, demo ? words.demo : words.intro);
    this.#list = make("ol", { class: "calls", tabindex: "0", "aria-label": words.callList });
    const buttons = mistakes.map((kind) => {
      const button = make(
        "button",
        { type: "button", class: "button small", "data-kind": kind, disabled: demo },
        words.buttons[kind].title,
      );
      button.addEventListener("click", () => void this.#act(api, kind, button));
      return button;
    });
    this.#panel.append(
      make("h2", {}, words.misbehave),
      make("div", { class: "buttons" }, ...buttons),
      this.#message,
      make("h2", {}, words.calls),
      this.#list,
    );
    this.#toggle.addEventListener("click", () => {
      const open = document.body.classList.toggle("open");
      this.#panel.hidden = !open;
      this.#toggle.setAttribute("aria-expanded", String(open));
    });
  }

  /** Shows the calls, newest first. A call that has not changed keeps its place, so a reader can look at it. */
  show(calls: readonly CallRecord[], currency: string): void {
    const money = minorFormat(currency);
    if (calls.some(({ answer }) => answer.translation !== undefined)) this.#startTranslated();
    for (const call of calls.toReversed()) {
      const known = this.#rows.get(call.id);
      const text = JSON.stringify(call);
      if (known?.text === text) continue;
      const element = this.#row(call, money);
      const details = element.querySelector("details");
      if (known === undefined) {
        for (const open of this.#list.querySelectorAll("details[open]")) open.removeAttribute("open");
        this.#list.prepend(element);
        details?.setAttribute("open", "");
      } else {
        if (known.element.querySelector("details[open]") === null) details?.removeAttribute("open");
        else details?.setAttribute("open", "");
        known.element.replaceWith(element);
      }
      this.#rows.set(call.id, { text, element });
    }
    for (const [id, { element }] of this.#rows)
      if (!calls.some((call) => call.id === id)) {
        element.remove();
        this.#rows.delete(id);
      }
  }

  /** A game behind a connector: the panel is under the game, so that the steps of a call have room side by side. */
  #startTranslated(): void {
    if (document.body.classList.contains("translated")) return;
    document.body.classList.add("translated");
    this.#message.textContent = this.#words.translated;
    if (window.matchMedia("(width >= 48rem)").matches) this.#toggle.click();
  }

  #row({ method, request, answer }: CallRecord, money: (minor: number) => string): HTMLLIElement {
    const { translation } = answer;
    const amount = request.amount_minor === undefined ? "" : ` ${money(request.amount_minor)}`;
    const status =
      answer.error !== ""
        ? answer.error
        : answer.status === "lost"
          ? this.#words.replyLost
          : answer.status.toUpperCase();
    const ids = [
      request.tx_id ?? request.round_id,
      request.ref_tx_id && this.#words.of(request.ref_tx_id),
      request.kind,
      request.round_ended && "round_ended",
      `${answer.ms} ms`,
    ]
      .filter(Boolean)
      .join(" · ");
    return make(
      "li",
      { class: `call ${answer.status}` },
      make("b", {}, (translation?.upstream.map(({ title }) => title).join(", ") ?? method) + amount),
      make("span", { class: "status" }, status),
      make("small", {}, ids),
      translation === undefined ? null : translated(translation, this.#words),
    );
  }

  async #act(api: GameApi, kind: string, button: HTMLButtonElement): Promise<void> {
    button.disabled = true;
    this.#message.textContent = this.#words.asking;
    try {
      this.#message.textContent = (await api.call<{ message: string }>("/api/misbehave", { kind })).message;
    } catch (error) {
      this.#message.textContent = errorText(error);
    }
    button.disabled = false;
    button.focus();
  }
}
