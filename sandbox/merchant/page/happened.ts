import { visible } from "../../../web-files/visible.ts";
import { api, find, make } from "../../design/dom.ts";
import { type IconName, icon } from "../../design/icons.ts";
import { moneyFormat } from "../../design/money.ts";
import type { LoggedCallback } from "../callback-log.ts";
import { actionName, explain } from "./explain.ts";
import { failureText } from "./failed.ts";
import { locale, words } from "./language.ts";

const SHOWN_MAX = 60;
const time = new Intl.DateTimeFormat(locale, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 1,
});

/** The panel beside the games: the wallet's switches, and an explanation of every callback, newest first. */
export class Happened {
  readonly #panel = find("#happened");
  readonly #events = make("ol", { class: "events", tabindex: "0", "aria-label": words.callbacks });
  readonly #empty = make("li", { class: "notice" }, make("strong", {}, words.nothingYet), words.nothingYetText);
  readonly #state = make("span", { class: "line-state" }, words.connected);
  readonly #latest = make("span", { class: "latest" }, "");
  readonly #count = make("span", { class: "count" }, "0");
  readonly #note = make("p", {});
  readonly #announce = find("#announce");
  #callbacks: LoggedCallback[] = [];

  constructor() {
    const toggle = make(
      "button",
      { type: "button", class: "sheet-toggle", "aria-expanded": "false", "aria-controls": "happened" },
      icon("pulse"),
      words.happened,
      this.#latest,
      this.#count,
    );
    toggle.addEventListener("click", () => {
      const open = this.#panel.classList.toggle("open");
      toggle.setAttribute("aria-expanded", String(open));
    });
    const head = make(
      "div",
      { class: "head" },
      make("h2", { id: "happened-title" }, words.happened),
      this.#state,
      toggle,
    );
    const ledger = make("a", { class: "ledger", href: "/api/ledger.csv", download: "" }, words.ledger);
    this.#panel.append(head, this.#faults(), ledger, this.#events);
  }

  show(visible: boolean): void {
    this.#panel.hidden = !visible;
  }

  /** Shows all callbacks so far (oldest first) and the wallet's fault. */
  fill(callbacks: readonly LoggedCallback[], fault: string): void {
    this.#callbacks = [];
    this.#events.replaceChildren(this.#empty);
    for (const callback of callbacks.slice(-SHOWN_MAX)) this.#insert(callback, false);
    this.#select(fault);
  }

  add(callback: LoggedCallback): void {
    const { verdict } = this.#insert(callback, true);
    const said = visible(`${this.#title(callback)}: ${verdict}`);
    this.#announce.textContent = said;
    this.#latest.textContent = said;
  }

  online(is: boolean): void {
    this.#state.textContent = is ? words.connected : words.reconnecting;
    this.#state.classList.toggle("away", !is);
  }

  #insert(callback: LoggedCallback, fresh: boolean) {
    const earlier = callback.tx_id === null ? [] : this.#callbacks.filter(({ tx_id }) => tx_id === callback.tx_id);
    const explanation = explain(callback, earlier);
    this.#callbacks.push(callback);
    this.#empty.remove();
    this.#events.prepend(this.#event(callback, explanation, fresh));
    if (this.#events.childElementCount > SHOWN_MAX) this.#events.lastElementChild?.remove();
    this.#count.textContent = String(this.#callbacks.length);
    return explanation;
  }

  #title({ action, amount, currency }: LoggedCallback): string {
    return amount === null ? actionName(action) : `${actionName(action)} ${moneyFormat(currency)(amount)}`;
  }

  #event(callback: LoggedCallback, { tone, verdict, why }: ReturnType<typeof explain>, fresh: boolean): HTMLLIElement {
    const reply = callback.reply as { ok?: boolean; balance?: number } | null;
    const told =
      reply?.balance !== undefined && reply.ok === true
        ? words.newBalance(moneyFormat(callback.currency)(reply.balance))
        : null;
    const signed = callback.signature === "ok";
    const fact = (name: IconName, text: string, className = "") =>
      make("span", { class: `fact ${className}` }, icon(name), text);
    const rows = Object.entries({
      tx_id: callback.tx_id,
      round_id: callback.round_id,
      ref_tx_id: callback.ref_tx_id,
      merchant: callback.merchant,
      game: `${callback.provider} / ${callback.game}`,
      request: callback.request_id,
      body: callback.body,
      reply: callback.reply === null ? words.noReply : JSON.stringify(callback.reply),
    }).flatMap(([term, value]) =>
      value === null || value === "" ? [] : [make("dt", {}, term), make("dd", {}, value)],
    );
    return make(
      "li",
      {
        class: `event ${tone}${fresh ? " fresh" : ""}`,
        "data-action": callback.action,
        "data-tx": callback.tx_id,
        "data-attempt": callback.attempt,
        "data-fault": callback.fault,
      },
      make(
        "span",
        { class: "sign" },
        icon((callback.action in { bet: 1, win: 1, refund: 1, rollback: 1 } ? callback.action : "balance") as IconName),
      ),
      make("h3", {}, this.#title(callback)),
      make("span", { class: "verdict" }, verdict),
      make(
        "p",
        { class: "facts" },
        fact(
          signed ? "check" : "cross",
          signed ? words.signed : words.signature(callback.signature),
          signed ? "ok" : "no",
        ),
        callback.attempt > 1 && make("span", { class: "fact" }, words.attempt(callback.attempt)),
        told !== null && make("span", { class: "fact" }, told),
        make("span", { class: "fact" }, words.arrived(callback.duration_ms)),
      ),
      make("p", { class: "why" }, why),
      make("time", { datetime: new Date(callback.at).toISOString() }, time.format(callback.at)),
      make("details", {}, make("summary", {}, words.asItCame), make("dl", {}, ...rows)),
    );
  }

  #faults(): HTMLFieldSetElement {
    const choices = Object.entries(words.faults).map(([kind, { label }]) => {
      const input = make("input", { type: "radio", name: "fault", value: kind });
      input.addEventListener("change", () => {
        this.#select(kind);
        void api("/api/fault", { fault: kind }).catch(
          (error: unknown) => (this.#note.textContent = failureText(error)),
        );
      });
      return make("label", { class: "choice" }, input, make("span", {}, label));
    });
    return make(
      "fieldset",
      { class: "faults" },
      make("legend", {}, words.walletBehaviour),
      make("div", { class: "choices" }, ...choices),
      this.#note,
    );
  }

  #select(kind: string): void {
    find<HTMLInputElement>(`input[name=fault][value=${kind}]`, this.#panel).checked = true;
    this.#note.textContent = words.faults[kind as "none"].note;
  }
}
