import { make } from "../../design/dom.ts";
import { WHEEL } from "../art/wheel.ts";

const POCKET = 360 / WHEEL.length;
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

/** The wheel and its ball. */
export class Wheel {
  readonly element: HTMLElement;
  readonly #disc: HTMLImageElement;
  readonly #orbit = make("div", { class: "orbit", hidden: true });
  #turned = 0;

  constructor(game: string) {
    this.#disc = make("img", { src: `/art/wheel/${game}.svg`, alt: "" });
    this.element = make("div", { class: "wheel", "aria-hidden": "true" }, this.#disc, this.#orbit);
  }

  /** The ball runs and falls into `number` after `ms`, or at once if the player prefers no motion. */
  spin(number: number, ms: number): void {
    this.#orbit.hidden = false;
    const stop = this.#turned + 360 + ((number * 47) % 360);
    const ball = stop + WHEEL.indexOf(number as (typeof WHEEL)[number]) * POCKET;
    const duration = calm.matches ? 1 : Math.max(1, ms - 500);
    const timing = { duration, easing: "cubic-bezier(.15,.55,.25,1)", fill: "forwards" } as const;
    this.#disc.animate([{ transform: `rotate(${this.#turned}deg)` }, { transform: `rotate(${stop}deg)` }], timing);
    this.#orbit.animate([{ transform: "rotate(0deg)" }, { transform: `rotate(${(ball % 360) - 360 * 6}deg)` }], timing);
    this.#orbit.animate([{ "--fall": "0%" }, { "--fall": "0%", offset: 0.6 }, { "--fall": "150%" }], timing);
    this.#turned = stop % 360;
  }

  /** Removes the ball. */
  rest(): void {
    this.#orbit.hidden = true;
  }
}
