/** The numbers of a European wheel, in their order around the wheel. */
export const WHEEL = [
  0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7,
  28, 12, 35, 3, 26,
] as const;

const REDS = new Set([1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]);

export const colorOf = (number: number): "red" | "black" | "green" =>
  number === 0 ? "green" : REDS.has(number) ? "red" : "black";

const FILL = { red: "#c01f36", black: "#15131f", green: "#0e8a52" } as const;
const point = (radius: number, degrees: number) => {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
};

/** The wheel around 0,0 with a radius of 100, number 0 on top. `cloth` colours the bowl. */
export function wheelMarkup(cloth: string): string {
  const step = 360 / WHEEL.length;
  const pockets = WHEEL.map((number, i) => {
    const from = (i - 0.5) * step;
    const to = (i + 0.5) * step;
    return `<path d="M${point(84, from)}A84 84 0 0 1 ${point(84, to)}L${point(54, to)}A54 54 0 0 0 ${point(54, from)}Z" fill="${FILL[colorOf(number)]}" stroke="#e3b655" stroke-width=".7"/>
      <g transform="rotate(${(i * step).toFixed(3)})"><text y="-72.5" font-family="Arial, Helvetica, sans-serif" font-size="9" font-weight="700" fill="#fff" text-anchor="middle">${number}</text></g>`;
  });
  return `<defs>
      <linearGradient id="rim" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#ffe9a6"/><stop offset=".5" stop-color="#a8711c"/><stop offset="1" stop-color="#ffdf8a"/></linearGradient>
      <radialGradient id="bowl"><stop stop-color="#ffffff" stop-opacity=".28"/><stop offset="1" stop-color="#000" stop-opacity=".35"/></radialGradient>
    </defs>
    <circle r="99" fill="#3a1d0c"/><circle r="97" fill="none" stroke="url(#rim)" stroke-width="4"/><circle r="86" fill="none" stroke="url(#rim)" stroke-width="3"/>
    ${pockets.join("")}<circle r="65" fill="none" stroke="#e3b655" stroke-width=".7"/>
    <circle r="53" fill="${cloth}"/><circle r="53" fill="url(#bowl)"/><circle r="53" fill="none" stroke="url(#rim)" stroke-width="3"/>
    ${[0, 90, 180, 270].map((turn) => `<g transform="rotate(${turn})"><path d="M-3 0L-1.5 -36H1.500L3 0Z" fill="url(#rim)"/><circle cy="-38" r="4.5" fill="url(#rim)"/></g>`).join("")}
    <circle r="13" fill="url(#rim)"/><circle r="7" fill="#fff3c8"/>`;
}

/** The wheel as an SVG document. */
export const wheelSvg = (cloth: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-100 -100 200 200">${wheelMarkup(cloth)}</svg>`;
