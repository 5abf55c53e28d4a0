import { type Scenery, type Skin, SLOT_SKINS, TABLE_SKINS, type TableSkin } from "../skins.ts";
import { markup } from "./symbols.ts";
import { wheelMarkup } from "./wheel.ts";

/** The pictures of a game in the catalog's three shapes. */
export const SHAPES = { thumb: [300, 400], square: [400, 400], background: [1600, 900] } as const;
export type Shape = keyof typeof SHAPES;

/**
 * The cover of a game as an SVG document: scenery, light, and its symbols in front. Undefined for a code without a
 * skin.
 */
export function coverSvg(code: string, shape: Shape): string | undefined {
  const slot = SLOT_SKINS[code];
  const table = TABLE_SKINS[code];
  const skin = slot ?? table;
  if (skin === undefined) return undefined;
  const [width, height] = SHAPES[shape];
  const front =
    slot === undefined ? tableFront(table as TableSkin, width, height) : slotFront(slot, width, height, shape);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMid slice">
    <defs>
      <radialGradient id="sky" cx=".5" cy=".42" r=".78"><stop stop-color="${skin.glow}"/><stop offset=".55" stop-color="${skin.glow}" stop-opacity=".55"/><stop offset="1" stop-color="${skin.night}"/></radialGradient>
      <radialGradient id="halo"><stop stop-color="${skin.spark}" stop-opacity=".85"/><stop offset=".35" stop-color="${skin.accent}" stop-opacity=".38"/><stop offset="1" stop-color="${skin.accent}" stop-opacity="0"/></radialGradient>
      <linearGradient id="dusk" x1="0" y1="0" x2="0" y2="1"><stop offset=".55" stop-color="${skin.night}" stop-opacity="0"/><stop offset="1" stop-color="${skin.night}" stop-opacity=".9"/></linearGradient>
      <filter id="cast" x="-30%" y="-30%" width="160%" height="170%"><feDropShadow dx="0" dy="3" stdDeviation="3" flood-color="#000" flood-opacity=".55"/></filter>
    </defs>
    <rect width="${width}" height="${height}" fill="${skin.night}"/><rect width="${width}" height="${height}" fill="url(#sky)"/>
    ${SCENERY[skin.scenery](skin, width, height)}${shape === "background" ? "" : front}
    <rect width="${width}" height="${height}" fill="url(#dusk)"/>${sparkles(skin, width, height)}
  </svg>`;
}

function slotFront(skin: Skin, width: number, height: number, shape: Shape): string {
  const [hero, second, third, fourth] = skin.symbols;
  const middle = height * (shape === "thumb" ? 0.45 : 0.48);
  const place = (
    x: number,
    y: number,
    size: number,
    turn: number,
    id: string,
    name: Skin["symbols"][number],
    opacity = 1,
  ) =>
    `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${size / 100}) translate(-50 -50)" opacity="${opacity}"><g filter="url(#cast)">${markup(name, id)}</g></g>`;
  return [
    `<circle cx="${width / 2}" cy="${middle}" r="${width * 0.56}" fill="url(#halo)"/>`,
    place(width * 0.2, middle - height * 0.2, width * 0.3, -18, "b", second, 0.95),
    place(width * 0.81, middle - height * 0.17, width * 0.28, 16, "c", third, 0.95),
    place(width * 0.79, middle + height * 0.22, width * 0.26, 12, "d", fourth, 0.95),
    place(width * 0.46, middle + height * 0.03, width * 0.62, -5, "a", hero),
  ].join("");
}

function tableFront(skin: TableSkin, width: number, height: number): string {
  const size = width * 1.02;
  return `<circle cx="${width / 2}" cy="${height * 0.5}" r="${width * 0.62}" fill="url(#halo)"/>
    <g transform="translate(${width / 2} ${height * 0.53}) scale(1 .86) rotate(-14) scale(${size / 200})" filter="url(#cast)">${wheelMarkup(skin.cloth)}</g>`;
}

/** Pseudo-random numbers. The same seed gives the same numbers, so that a picture does not change between requests. */
function* scatter(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (state * 1664525 + 1013904223) % 4294967296;
    yield state / 4294967296;
  }
}

const times = (count: number, draw: (i: number) => string) => Array.from({ length: count }, (_, i) => draw(i)).join("");

function sparkles(skin: Light, width: number, height: number): string {
  const random = scatter(width + Number.parseInt(skin.night.slice(1), 16));
  const next = () => random.next().value;
  return times(14, () => {
    const x = next() * width;
    const y = next() * height;
    const r = 2 + next() * 6;
    return `<path d="M${x} ${y - r}Q${x} ${y} ${x + r} ${y}Q${x} ${y} ${x} ${y + r}Q${x} ${y} ${x - r} ${y}Q${x} ${y} ${x} ${y - r}Z" fill="${skin.spark}" opacity="${0.35 + next() * 0.5}"/>`;
  });
}

type Light = { readonly accent: string; readonly spark: string; readonly night: string };

const SCENERY: Readonly<Record<Scenery, (skin: Light, width: number, height: number) => string>> = {
  rays: (skin, width, height) =>
    times(
      18,
      (i) =>
        `<path d="M0 0L${width * 1.4} -34V34Z" fill="${skin.accent}" opacity=".1" transform="translate(${width / 2} ${height * 0.46}) rotate(${i * 20})"/>`,
    ),
  grid: (skin, width, height) =>
    `<circle cx="${width / 2}" cy="${height * 0.44}" r="${height * 0.27}" fill="${skin.accent}" opacity=".22"/>` +
    times(
      9,
      (i) =>
        `<path d="M0 ${height * 0.62 + i * i * height * 0.006}H${width}" stroke="${skin.spark}" stroke-width="1.5" opacity=".35"/>`,
    ) +
    times(
      17,
      (i) =>
        `<path d="M${width / 2 + (i - 8) * width * 0.045} ${height * 0.62}L${width / 2 + (i - 8) * width * 0.22} ${height}" stroke="${skin.spark}" stroke-width="1.5" opacity=".3"/>`,
    ),
  rings: (skin, width, height) =>
    times(
      8,
      (i) =>
        `<circle cx="${width / 2}" cy="${height * 0.46}" r="${height * (0.12 + i * 0.085)}" fill="none" stroke="${skin.accent}" stroke-width="${i % 2 ? 2 : 9}" stroke-dasharray="${i % 2 ? "3 13" : "46 22"}" opacity=".16"/>`,
    ),
  waves: (skin, width, height) =>
    times(6, (i) => {
      const y = height * (0.5 + i * 0.09);
      return `<path d="M${-40 - i * 22} ${y}${times(9, (k) => `q${width / 12} ${k % 2 ? 34 : -34} ${width / 6} 0`)}V${height + 40}H${-60}Z" fill="${skin.accent}" opacity=".09"/>`;
    }),
  peaks: (skin, width, height) =>
    `<circle cx="${width * 0.7}" cy="${height * 0.26}" r="${height * 0.14}" fill="${skin.accent}" opacity=".35"/>` +
    times(3, (i) => {
      const base = height * (0.62 + i * 0.12);
      return `<path d="M-20 ${height}V${base}L${width * (0.18 + i * 0.06)} ${base - height * 0.22}L${width * 0.42} ${base}L${width * (0.66 - i * 0.05)} ${base - height * 0.28}L${width + 20} ${base - 12}V${height}Z" fill="${skin.night}" opacity="${0.35 + i * 0.2}"/>`;
    }),
  dunes: (skin, width, height) =>
    `<circle cx="${width * 0.28}" cy="${height * 0.22}" r="${height * 0.1}" fill="${skin.spark}" opacity=".5"/>` +
    times(
      3,
      (i) =>
        `<path d="M-10 ${height * (0.64 + i * 0.12)}Q${width * (0.25 + i * 0.1)} ${height * (0.5 + i * 0.13)} ${width * 0.55} ${height * (0.68 + i * 0.1)}T${width + 10} ${height * (0.62 + i * 0.12)}V${height + 10}H-10Z" fill="${i === 1 ? skin.accent : skin.night}" opacity="${i === 1 ? 0.16 : 0.5}"/>`,
    ),
  stars: (skin, width, height) => {
    const random = scatter(97);
    const next = () => random.next().value;
    return (
      times(
        70,
        () =>
          `<circle cx="${next() * width}" cy="${next() * height}" r="${0.6 + next() * 2}" fill="${skin.spark}" opacity="${0.25 + next() * 0.6}"/>`,
      ) +
      `<ellipse cx="${width / 2}" cy="${height * 0.48}" rx="${width * 0.62}" ry="${height * 0.16}" fill="none" stroke="${skin.accent}" stroke-width="2" opacity=".35" transform="rotate(-18 ${width / 2} ${height * 0.48})"/>`
    );
  },
  confetti: (skin, width, height) => {
    const random = scatter(31);
    const next = () => random.next().value;
    const colors = [skin.accent, skin.spark, "#ff8ad8", "#b39bff"];
    return times(
      64,
      (i) =>
        `<rect x="${next() * width}" y="${next() * height}" width="${5 + next() * 8}" height="${9 + next() * 10}" rx="2" fill="${colors[i % 4]}" opacity="${0.3 + next() * 0.5}" transform="rotate(${next() * 60 - 30})"/>`,
    );
  },
};
