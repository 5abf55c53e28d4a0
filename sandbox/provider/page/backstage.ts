import { find, make } from "../../design/dom.ts";
import { minorFormat } from "../../design/money.ts";
import type { CallRecord } from "../game-session.ts";
import type { GameApi } from "./game-api.ts";

const BUTTONS = [
  ["repeat", "Repeat last request"],
  ["lose_reply", "Lose a reply"],
  ["refund", "Refund last bet"],
  ["refund_unknown", "Refund an unknown bet"],
  ["bet_after_refund", "Bet after its refund"],
  ["rollback", "Roll back last win"],
  ["win_first", "Win before bet"],
  ["mismatch", "Same id, other amount"],
] as const;

/** The provider's log, and buttons that make a provider's mistakes. */
export class Backstage {
  readonly #panel = find("#backstage");
  readonly #toggle = find<HTMLButtonElement>("#backstage-toggle");
  readonly #message = make("p", { class: "said", role: "status" }, "Misbehave, and see what the service makes of it.");
  readonly #calls = make("ol", {
    class: "calls",
    tabindex: "0",
    "aria-label": "Calls to the aggregator, newest first",
  });
  #last = 0;

  constructor(api: GameApi, demo: boolean) {
    const buttons = BUTTONS.map(([kind, label]) => {
      const button = make(
        "button",
        { type: "button", class: "button small", "data-kind": kind, disabled: demo },
        label,
      );
      button.addEventListener("click", () => void this.#act(api, kind, button));
      return button;
    });
    if (demo) this.#message.textContent = "A demo never calls the wallet: there is nothing to misbehave with.";
    this.#panel.append(
      make("h2", {}, "Misbehave"),
      make("div", { class: "buttons" }, ...buttons),
      this.#message,
      make("h2", {}, "Calls to the aggregator"),
      this.#calls,
    );
    this.#toggle.addEventListener("click", () => {
      const open = document.body.classList.toggle("open");
      this.#panel.hidden = !open;
      this.#toggle.setAttribute("aria-expanded", String(open));
    });
  }

  /** Newest first. */
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
      answer.error !== "" ? answer.error : answer.status === "lost" ? "reply lost" : answer.status.toUpperCase();
    const ids = [request.tx_id, request.ref_tx_id && `of ${request.ref_tx_id}`, `${answer.ms} ms`]
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
    this.#message.textContent = "Asking the service…";
    try {
      this.#message.textContent = (await api.call<{ message: string }>("/api/misbehave", { kind })).message;
    } catch (error) {
      this.#message.textContent = error instanceof Error ? error.message : String(error);
    }
    button.disabled = false;
    button.focus();
  }
}
