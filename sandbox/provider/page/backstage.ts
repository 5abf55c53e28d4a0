import { find, make } from "../../design/dom.ts";
import { minorFormat } from "../../design/money.ts";
import type { CallRecord } from "../game-session.ts";
import type { Misbehaviour } from "../misbehave.ts";
import type { Words } from "../words/en.ts";
import { WORDS } from "../words/words.ts";
import { errorText, type GameApi } from "./game-api.ts";
import { language } from "./language.ts";

/** The buttons in their order. */
const BUTTONS: readonly Misbehaviour[] = [
  "repeat",
  "lose_reply",
  "refund",
  "refund_unknown",
  "bet_after_refund",
  "rollback",
  "win_first",
  "mismatch",
];

/** The provider's log, and buttons that make a provider's mistakes. */
export class Backstage {
  readonly #panel = find("#backstage");
  readonly #toggle = find<HTMLButtonElement>("#backstage-toggle");
  readonly #words: Words["backstage"];
  readonly #message: HTMLElement;
  readonly #calls: HTMLElement;
  #last = 0;

  constructor(api: GameApi, demo: boolean) {
    const words = WORDS[language].backstage;
    this.#words = words;
    this.#message = make("p", { class: "said", role: "status" }, demo ? words.demo : words.intro);
    this.#calls = make("ol", { class: "calls", tabindex: "0", "aria-label": words.callList });
    const buttons = BUTTONS.map((kind) => {
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
      this.#calls,
    );
    this.#toggle.addEventListener("click", () => {
      const open = document.body.classList.toggle("open");
      this.#panel.hidden = !open;
      this.#toggle.setAttribute("aria-expanded", String(open));
    });
  }

  /** Shows the calls, newest first. */
  show(calls: readonly CallRecord[], currency: string): void {
    const newest = calls[0]?.id ?? 0;
    if (newest === this.#last) return;
    this.#last = newest;
    const money = minorFormat(currency);
    this.#calls.replaceChildren(...calls.map((call) => this.#row(call, money)));
  }

  #row({ method, request, answer }: CallRecord, money: (minor: number) => string): HTMLLIElement {
    const amount = request.amount_minor === undefined ? "" : ` ${money(request.amount_minor)}`;
    const status =
      answer.error !== ""
        ? answer.error
        : answer.status === "lost"
          ? this.#words.replyLost
          : answer.status.toUpperCase();
    const ids = [request.tx_id, request.ref_tx_id && this.#words.of(request.ref_tx_id), `${answer.ms} ms`]
      .filter(Boolean)
      .join(" · ");
    return make(
      "li",
      { class: `call ${answer.status}` },
      make("b", {}, method + amount),
      make("span", { class: "status" }, status),
      make("small", {}, ids),
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
