import { make } from "../../design/dom.ts";
import { words } from "./language.ts";

/** A question over the game. When the time is over, the default answer is used. */
export class Decision {
  /** Called when the player did not choose. */
  onTimeout: () => void = () => {};
  readonly #element: HTMLElement;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(
    root: HTMLElement,
    question: {
      readonly title: string;
      readonly text: string;
      readonly seconds: number;
      readonly choices: readonly {
        readonly label: string;
        readonly primary?: boolean;
        readonly act: () => Promise<void>;
      }[];
    },
  ) {
    let left = question.seconds;
    const clock = make("p", { "aria-hidden": "true" }, words.givenBackIn(left));
    const buttons = question.choices.map(({ label, primary, act }) => {
      const button = make("button", { type: "button", class: `button${primary ? " primary" : ""}` }, label);
      button.addEventListener("click", () => {
        this.#close();
        void act();
      });
      return button;
    });
    const title = make("h2", { id: "decision-title" }, question.title);
    this.#element = make(
      "div",
      { class: "decision", role: "alertdialog", "aria-labelledby": "decision-title" },
      make("div", {}, title, make("p", {}, question.text), make("div", { class: "choices" }, ...buttons), clock),
    );
    root.append(this.#element);
    buttons[0]?.focus();
    this.#timer = setInterval(() => {
      left -= 1;
      clock.textContent = words.givenBackIn(left);
      if (left > 0) return;
      this.#close();
      this.onTimeout();
    }, 1_000);
  }

  #close(): void {
    clearInterval(this.#timer);
    this.#element.remove();
  }
}
