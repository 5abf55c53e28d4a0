import { make } from "../../design/dom.ts";
import { words } from "./language.ts";

const ROWS = 3;
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Five reels that spin to a grid. `grid[reel][row]` are indexes into `symbols`. */
export class Reels {
  readonly element = make("div", { class: "reels", role: "img", "aria-label": words.reels });
  readonly #symbols: readonly string[];
  readonly #strips: HTMLElement[];
  readonly #lines = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  #grid: readonly (readonly number[])[];

  constructor(symbols: readonly string[], grid: readonly (readonly number[])[]) {
    this.#symbols = symbols;
    this.#grid = grid;
    this.#strips = grid.map(() => make("div", { class: "strip" }));
    this.#lines.setAttribute("class", "lines");
    this.#lines.setAttribute("viewBox", "0 0 520 300");
    this.#lines.setAttribute("preserveAspectRatio", "none");
    this.element.append(...this.#strips.map((strip) => make("div", { class: "reel" }, strip)), this.#lines);
    this.#rest();
  }

  /** Spins. Resolves when the last reel stops, or at once if the player prefers no motion. */
  async spin(grid: readonly (readonly number[])[]): Promise<void> {
    this.clear();
    const before = this.#grid;
    this.#grid = grid;
    if (calm.matches) return this.#rest();
    const spins = this.#strips.map((strip, reel) => {
      const passing = Array.from({ length: 14 + reel * 5 }, () => Math.floor(Math.random() * this.#symbols.length));
      // The cells of a reel from top to bottom: one symbol above the window, the new symbols, symbols that only pass,
      // the symbols shown now.
      const cells = [passing[0] ?? 0, ...(grid[reel] ?? []), ...passing, ...(before[reel] ?? [])];
      strip.replaceChildren(...cells.map((symbol) => this.#image(symbol)));
      const at = (cellsAway: number) => `translateY(calc(var(--cell) * ${cellsAway}))`;
      const frames = [
        { transform: at(ROWS - cells.length), filter: "blur(0)", easing: "cubic-bezier(.45,0,.75,.4)" },
        {
          transform: at((ROWS - cells.length) * 0.82),
          filter: "blur(2px)",
          offset: 0.16,
          easing: "cubic-bezier(.2,.6,.35,1)",
        },
        { transform: at(-0.86), filter: "blur(0)", offset: 0.9, easing: "ease-out" },
        { transform: at(-1), filter: "blur(0)" },
      ];
      return strip.animate(frames, { duration: 900 + reel * 230 }).finished;
    });
    await Promise.all(spins);
    this.#rest();
  }

  /** Highlights winning lines. `rows`: the line's row on each reel, from the left. */
  celebrate(wins: readonly { readonly rows: readonly number[] }[]): void {
    if (wins.length === 0) return;
    this.element.classList.add("won");
    for (const { rows } of wins.slice(0, 5)) {
      const points = rows.map((row, reel) => `${50 + reel * 105},${50 + row * 100}`).join(" ");
      for (const name of ["under", "over"]) {
        const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
        line.setAttribute("points", points);
        line.setAttribute("class", name);
        this.#lines.append(line);
      }
    }
    for (const { rows } of wins) {
      for (const [reel, row] of rows.entries()) this.#strips[reel]?.children[row + 1]?.classList.add("wins");
    }
  }

  clear(): void {
    this.#lines.replaceChildren();
    this.element.classList.remove("won");
    for (const image of this.element.querySelectorAll(".wins")) image.classList.remove("wins");
  }

  #rest(): void {
    this.#strips.forEach((strip, reel) => {
      const [first = 0, second = 0, third = 0] = this.#grid[reel] ?? [];
      strip.replaceChildren(...[third, first, second, third, first].map((symbol) => this.#image(symbol)));
    });
    const names = this.#grid.map((reel) =>
      reel.map((symbol) => words.symbols[this.#symbols[symbol] as "ace"]).join(", "),
    );
    this.element.setAttribute("aria-label", `${words.reels}: ${names.join("; ")}`);
  }

  #image(symbol: number): HTMLImageElement {
    return make("img", { src: `/art/symbol/${this.#symbols[symbol]}.svg`, alt: "", draggable: "false" });
  }
}
