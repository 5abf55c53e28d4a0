/**
 * The drawings of the games, all in a box of 100 by 100. Each drawing is a few paths over its own gradients, so it is
 * sharp in every size, from a reel to a cover. `ink` is the darkest tone of the drawing, for outlines that sit on any
 * background.
 */
export interface Symbol {
  /**
   * Vertical gradients: the colours at the top and at the bottom. The drawing refers to a gradient by its position in
   * this list.
   */
  readonly tones: readonly (readonly [string, string])[];
  readonly draw: (tone: readonly string[]) => string;
}

const GOLD = ["#fff0a8", "#e08a12"] as const;
const DEEP_GOLD = ["#ffd257", "#a85a06"] as const;
const ROSE = ["#ff9ab0", "#c3123f"] as const;
const RED = ["#ff7a5c", "#b3122a"] as const;
const GREEN = ["#a8f28a", "#15803d"] as const;
const EMERALD = ["#a7ffdc", "#059669"] as const;
const TEAL = ["#9ff3ff", "#0a7ea8"] as const;
const BLUE = ["#b7dcff", "#2257d6"] as const;
const VIOLET = ["#e0c8ff", "#6d28d9"] as const;
const PINK = ["#ffc2f0", "#d0168f"] as const;
const SILVER = ["#ffffff", "#8ea3c4"] as const;
const SAND = ["#ffe6b8", "#c47a34"] as const;
const INK = "#1a0f2e";

/** A white reflection that makes flat shapes look polished. */
const gleam = (path: string, opacity = 0.45) => `<path d="${path}" fill="#fff" opacity="${opacity}"/>`;
const line = (path: string, stroke: string, width: number, extra = "") =>
  `<path d="${path}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"${extra}/>`;
const circle = (x: number, y: number, r: number, fill: string, extra = "") =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"${extra}/>`;
const around = (count: number, draw: string) =>
  Array.from({ length: count }, (_, i) => `<g transform="rotate(${(360 / count) * i} 50 50)">${draw}</g>`).join("");

/** A card letter: a thick rounded stroke with an outline and a light centre. */
const letter = (path: string, tone: readonly [string, string]): Symbol => ({
  tones: [tone],
  draw: ([a]) =>
    line(path, INK, 25) +
    line(path, a as string, 18) +
    line(path, "#fff", 3, ' opacity=".55" transform="translate(-2.5 -3)"'),
});

const gem = (tone: readonly [string, string]): Symbol => ({
  tones: [tone],
  draw: ([a]) => `
    <path d="M26 18H74L94 42 50 90 6 42Z" fill="${a}" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>
    <path d="M6 42H94L50 90Z" fill="#000" opacity=".16"/><path d="M34 42 50 90 66 42Z" fill="#fff" opacity=".22"/>
    <path d="M26 18 34 42 50 18 66 42 74 18Z" fill="#fff" opacity=".38"/><path d="M6 42 26 18 34 42Z" fill="#fff" opacity=".2"/>${gleam("M30 22H44L38 34Z", 0.6)}`,
});

export const SYMBOLS = {
  ace: letter("M24 80 50 20 76 80M34 60H66", ROSE),
  king: letter("M30 20V80M70 20 34 52 72 80", BLUE),
  queen: letter("M50 20A29 29 0 1 1 49.9 20M58 62 76 82", EMERALD),
  jack: letter("M42 20H66V60A18 18 0 0 1 30 62", VIOLET),
  wild: {
    tones: [PINK, GOLD, ["#4c1d95", "#1e0b4b"]],
    draw: ([a, b, c]) => `
      ${around(12, `<path d="M50 2 55 16H45Z" fill="${b}"/>`)}${circle(50, 50, 38, b as string, ` stroke="${INK}" stroke-width="3"`)}${circle(50, 50, 31, c as string)}
      ${line("M29 38 39 63 50 43 61 63 71 38", INK, 13)}${line("M29 38 39 63 50 43 61 63 71 38", a as string, 8.5)}${gleam("M22 40A30 30 0 0 1 60 20 40 40 0 0 0 22 40Z", 0.35)}`,
  },
  crown: {
    tones: [GOLD, DEEP_GOLD, ROSE, TEAL],
    draw: ([a, b, c, d]) => `
      <path d="M12 34 32 52 50 18 68 52 88 34 80 78H20Z" fill="${a}" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>
      <path d="M20 70H80L78.5 84H21.5Z" fill="${b}" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>
      ${circle(12, 32, 6, c as string, ` stroke="${INK}" stroke-width="2.5"`)}${circle(88, 32, 6, c as string, ` stroke="${INK}" stroke-width="2.5"`)}${circle(50, 16, 7, d as string, ` stroke="${INK}" stroke-width="2.5"`)}
      <path d="M50 50 58 60 50 70 42 60Z" fill="${c}" stroke="${INK}" stroke-width="2"/>${circle(30, 62, 4, d as string)}${circle(70, 62, 4, d as string)}${gleam("M17 42 32 56 46 32 34 62 22 66Z")}`,
  },
  sun: {
    tones: [GOLD, DEEP_GOLD],
    draw: ([a, b]) => `
      ${around(12, `<path d="M50 3 57 24H43Z" fill="${b}" stroke="${INK}" stroke-width="2" stroke-linejoin="round"/>`)}
      ${circle(50, 50, 29, a as string, ` stroke="${INK}" stroke-width="3"`)}${circle(50, 50, 21, "none", ` stroke="#a85a06" stroke-width="2" opacity=".6"`)}
      ${line("M39 46Q42 42 45 46M55 46Q58 42 61 46M40 56Q50 66 60 56", "#8a4300", 3.2)}${gleam("M27 44A25 25 0 0 1 54 25 34 34 0 0 0 27 44Z", 0.6)}`,
  },
  coin: {
    tones: [GOLD, DEEP_GOLD],
    draw: ([a, b]) => `
      ${circle(50, 53, 40, "#7a3d02")}${circle(50, 49, 40, b as string, ` stroke="${INK}" stroke-width="3"`)}${circle(50, 49, 31, a as string)}
      ${around(24, '<circle cx="50" cy="14.5" r="1.6" fill="#7a3d02" opacity=".6"/>')}
      <path d="M50 27 56 42 72 43 59.5 53 64 69 50 60 36 69 40.5 53 28 43 44 42Z" fill="${b}" stroke="#8a4300" stroke-width="2" stroke-linejoin="round"/>${gleam("M20 46A31 31 0 0 1 58 19 40 40 0 0 0 20 46Z", 0.6)}`,
  },
  emerald: gem(EMERALD),
  ruby: gem(ROSE),
  sapphire: gem(BLUE),
  amethyst: gem(VIOLET),
  feather: {
    tones: [TEAL, PINK],
    draw: ([a, b]) => `
      <path d="M84 10C52 10 22 34 22 70L30 78C66 78 90 48 84 10Z" fill="${a}" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>
      <path d="M84 10C66 22 44 46 30 78 66 78 90 48 84 10Z" fill="${b}" opacity=".85"/>${line("M12 90 84 10", "#fff", 3.2)}
      ${line("M40 58V42M40 58H58M54 42V28M54 42H70", "#fff", 2, ' opacity=".7"')}`,
  },
  seven: {
    tones: [PINK, GOLD],
    draw: ([a, b]) => `
      <path d="M16 14H86V32C66 48 56 66 54 88H30C32 68 42 50 58 36H34V44H16Z" fill="${b}" stroke="${INK}" stroke-width="5" stroke-linejoin="round"/>
      <path d="M22 20H80V30C61 45 51 64 49 82H37C40 62 50 46 66 31H28V38H22Z" fill="${a}"/>${gleam("M22 20H80V25H28V38H22Z", 0.5)}`,
  },
  cherry: {
    tones: [RED, GREEN],
    draw: ([a, b]) => `
      ${line("M30 60C32 36 46 20 64 12M70 62C72 40 70 24 64 12", "#3f7d20", 5)}<path d="M64 12C78 2 94 8 96 22 82 28 68 24 64 12Z" fill="${b}" stroke="${INK}" stroke-width="2.5"/>
      ${circle(29, 70, 21, a as string, ` stroke="${INK}" stroke-width="3"`)}${circle(70, 72, 21, a as string, ` stroke="${INK}" stroke-width="3"`)}
      ${gleam("M16 66A14 14 0 0 1 30 54 18 18 0 0 0 16 66Z", 0.8)}${gleam("M57 68A14 14 0 0 1 71 56 18 18 0 0 0 57 68Z", 0.8)}`,
  },
  bell: {
    tones: [GOLD, DEEP_GOLD],
    draw: ([a, b]) => `
      ${circle(50, 83, 9, b as string, ` stroke="${INK}" stroke-width="3"`)}<path d="M50 10C30 10 26 30 25 48 24 62 18 66 12 76H88C82 66 76 62 75 48 74 30 70 10 50 10Z" fill="${a}" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>
      <path d="M18 67H82" stroke="#a85a06" stroke-width="3" opacity=".7"/>${gleam("M34 24C30 34 31 46 28 58H36C38 44 37 32 42 20Z", 0.65)}`,
  },
  lemon: {
    tones: [["#fff9a8", "#e0b100"], GREEN],
    draw: ([a, b]) => `
      <path d="M14 70C4 40 30 12 64 20L76 14 80 26C98 58 68 92 34 82L22 86Z" fill="${a}" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>
      <path d="M66 20C68 6 82 2 92 6 92 18 82 26 66 20Z" fill="${b}" stroke="${INK}" stroke-width="2.5"/>${gleam("M24 58C22 42 36 28 52 27 38 34 30 44 24 58Z", 0.75)}`,
  },
  bolt: {
    tones: [["#fdffb0", "#ffa800"]],
    draw: ([a]) =>
      `<path d="M58 4 16 56H44L36 96 84 38H54Z" fill="${a}" stroke="${INK}" stroke-width="4" stroke-linejoin="round"/>${gleam("M54 14 26 51H38Z", 0.6)}`,
  },
  mask: {
    tones: [VIOLET, GOLD, PINK, TEAL],
    draw: ([a, b, c, d]) => `
      <path d="M50 44C42 20 46 10 50 2 54 10 58 20 50 44Z" fill="${d}" stroke="${INK}" stroke-width="2.5"/>
      <path d="M42 46C24 30 24 16 24 8 36 14 46 26 42 46Z" fill="${c}" stroke="${INK}" stroke-width="2.5"/><path d="M58 46C76 30 76 16 76 8 64 14 54 26 58 46Z" fill="${c}" stroke="${INK}" stroke-width="2.5"/>
      <path d="M4 40C20 34 38 42 50 48 62 42 80 34 96 40 98 64 84 84 64 84 56 84 54 76 50 76 46 76 44 84 36 84 16 84 2 64 4 40Z" fill="${a}" stroke="${INK}" stroke-width="3"/>
      <path d="M18 56C26 48 38 52 42 62 34 68 22 68 18 56ZM82 56C74 48 62 52 58 62 66 68 78 68 82 56Z" fill="${INK}" stroke="${b}" stroke-width="3"/>
      ${circle(50, 56, 4, b as string)}${circle(12, 48, 2.6, b as string)}${circle(88, 48, 2.6, b as string)}${gleam("M10 44C22 40 36 46 46 51 32 48 20 48 11 56Z", 0.4)}`,
  },
  lotus: {
    tones: [PINK, ["#ffe3f8", "#f064b4"]],
    draw: ([a, b]) => `
      <path d="M50 82C20 82 6 66 2 48 22 46 42 58 50 82 58 58 78 46 98 48 94 66 80 82 50 82Z" fill="${a}" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>
      <path d="M50 82C30 72 20 52 22 28 40 34 50 56 50 82 50 56 60 34 78 28 80 52 70 72 50 82Z" fill="${b}" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>
      <path d="M50 82C36 62 36 36 50 14 64 36 64 62 50 82Z" fill="${a}" stroke="${INK}" stroke-width="3"/>${gleam("M47 70C40 52 42 36 49 24 45 40 44 54 47 70Z", 0.7)}`,
  },
  leaf: {
    tones: [GREEN],
    draw: ([a]) => `
      <path d="M84 10C40 8 10 34 16 84 60 90 92 62 84 10Z" fill="${a}" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>${line("M16 84 70 28M36 64V40M36 64H60M52 46V28M52 46H72", "#eaffd8", 3, ' opacity=".8"')}${gleam("M26 56C28 34 46 20 66 18 46 26 34 38 26 56Z", 0.4)}`,
  },
  shell: {
    tones: [["#ffe8f4", "#e27fb3"], SILVER],
    draw: ([a, b]) => `
      <path d="M50 90C46 82 36 80 30 82L24 70C6 56 8 20 50 12 92 20 94 56 76 70L70 82C64 80 54 82 50 90Z" fill="${a}" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>
      ${line("M50 86V18M44 82 26 26M56 82 74 26M36 78 12 46M64 78 88 46", "#a83a74", 2.5, ' opacity=".6"')}${circle(50, 60, 17, b as string, ` stroke="${INK}" stroke-width="2.5"`)}${gleam("M39 57A13 13 0 0 1 52 47 16 16 0 0 0 39 57Z", 0.95)}`,
  },
  fish: {
    tones: [["#ffd98a", "#f0642b"], TEAL],
    draw: ([a, b]) => `
      <path d="M40 30C48 12 62 10 70 14 66 20 66 26 66 30ZM44 72C50 86 60 88 68 84 64 80 64 76 64 72Z" fill="${b}" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>
      <path d="M6 52C20 28 50 22 72 44L94 26C90 44 90 60 94 78L72 60C50 82 20 76 6 52Z" fill="${a}" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>
      <path d="M36 32C44 44 44 60 36 72M54 33C60 44 60 60 54 71" stroke="#fff" stroke-width="5" fill="none" opacity=".75"/>${circle(22, 48, 6, "#fff")}${circle(21, 48, 3.4, INK)}${gleam("M14 46C24 34 40 30 52 34 38 35 24 40 14 46Z", 0.5)}`,
  },
  anchor: {
    tones: [SILVER, DEEP_GOLD],
    draw: ([a, b]) => {
      const path = "M50 26V86M32 40H68M12 58C14 78 32 86 50 86 68 86 86 78 88 58";
      return `${line(path, INK, 15)}<path d="M2 64 13 46 25 63ZM98 64 87 46 75 63Z" fill="${a}" stroke="${INK}" stroke-width="3"/>${line(path, a as string, 9.5)}
        ${circle(50, 18, 11, "none", ` stroke="${INK}" stroke-width="12"`)}${circle(50, 18, 11, "none", ` stroke="${b}" stroke-width="7"`)}${line("M47 32V82", "#fff", 2, ' opacity=".8"')}`;
    },
  },
  compass: {
    tones: [DEEP_GOLD, ["#fdf6e3", "#d8c49a"], RED, BLUE],
    draw: ([a, b, c, d]) => `
      ${circle(50, 50, 43, a as string, ` stroke="${INK}" stroke-width="3"`)}${circle(50, 50, 34, b as string, ' stroke="#7a3d02" stroke-width="2"')}${around(8, '<path d="M50 20V26" stroke="#7a3d02" stroke-width="3"/>')}
      <path d="M66 22 57 55 43 45Z" fill="${c}" stroke="${INK}" stroke-width="2" stroke-linejoin="round"/><path d="M34 78 43 45 57 55Z" fill="${d}" stroke="${INK}" stroke-width="2" stroke-linejoin="round"/>${circle(50, 50, 5, a as string, ` stroke="${INK}" stroke-width="2"`)}${gleam("M14 44A36 36 0 0 1 54 12 44 44 0 0 0 14 44Z", 0.55)}`,
  },
  mountain: {
    tones: [VIOLET, SILVER, ROSE],
    draw: ([a, b, c]) => `
      ${circle(72, 28, 14, c as string)}<path d="M2 86 38 20 58 56 68 42 98 86Z" fill="${a}" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>
      <path d="M38 20 56 53 46 46 38 54 30 44 22 50Z" fill="${b}"/><path d="M68 42 83 64 74 58 68 64 61 53Z" fill="${b}"/><path d="M38 20 58 56 40 86H2Z" fill="#fff" opacity=".1"/>`,
  },
  cactus: {
    tones: [GREEN, PINK, SAND],
    draw: ([, b, c]) => {
      const arms = "M50 84V26M50 62H28Q24 62 24 58V42M50 52H74Q78 52 78 48V34";
      return `<path d="M8 92C20 78 80 78 92 92Z" fill="${c}" stroke="${INK}" stroke-width="3"/>${line(arms, INK, 23)}${line(arms, "#3fae4c", 17)}
        ${line("M45 80V28M20 56V42M74 46V35", "#b9f5a8", 3)}${line("M54 80V30M28 56V42M82 46V36", "#1d7a35", 2, ' stroke-dasharray="1 7"')}
        <g transform="translate(0 -37)">${around(6, `<ellipse cx="50" cy="42" rx="3.6" ry="7" fill="${b}"/>`)}</g>${circle(50, 13, 3.4, "#fff0a8")}`;
    },
  },
  moon: {
    tones: [["#fffbe0", "#f0b93c"], GOLD],
    draw: ([a, b]) => `
      <path d="M62 8A43 43 0 1 0 92 64 36 36 0 0 1 62 8Z" fill="${a}" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>${circle(34, 44, 6, "#d89a2a", ' opacity=".5"')}${circle(48, 72, 8, "#d89a2a", ' opacity=".45"')}${circle(28, 64, 3.5, "#d89a2a", ' opacity=".5"')}
      <path d="M78 18 81 28 91 31 81 34 78 44 75 34 65 31 75 28Z" fill="${b}"/>${gleam("M18 52A36 36 0 0 1 48 16 46 46 0 0 0 18 52Z", 0.7)}`,
  },
  horseshoe: {
    tones: [DEEP_GOLD, GOLD],
    draw: ([a, b]) => {
      const path = "M28 84C6 50 16 16 50 16 84 16 94 50 72 84";
      return `${line(path, INK, 25)}${line(path, a as string, 19)}${line(path, b as string, 5)}${[
        [24, 36],
        [19, 54],
        [26, 72],
        [76, 36],
        [81, 54],
        [74, 72],
        [50, 16],
      ]
        .map(([x, y]) => circle(x as number, y as number, 2.6, INK))
        .join("")}`;
    },
  },
  lantern: {
    tones: [RED, GOLD],
    draw: ([a, b]) => `
      ${line("M50 2V14M50 80V96M42 80V92M58 80V92", "#e08a12", 3)}<ellipse cx="50" cy="47" rx="41" ry="32" fill="${a}" stroke="${INK}" stroke-width="3"/>
      <path d="M50 15C30 28 30 66 50 79 70 66 70 28 50 15Z" fill="#ffd257" opacity=".45"/>${line("M50 15C24 28 24 66 50 79 76 66 76 28 50 15M50 15V79", "#7a0b1c", 2, ' opacity=".6"')}
      <path d="M32 12H68V21H32ZM32 73H68V82H32Z" fill="${b}" stroke="${INK}" stroke-width="2.5"/>${gleam("M14 42C18 30 28 23 36 21 26 28 20 36 14 42Z", 0.7)}`,
  },
  drum: {
    tones: [ROSE, SAND, GOLD],
    draw: ([a, b, c]) => `
      ${line("M8 10 44 34M92 10 56 34", "#e8c07a", 5)}<path d="M10 40V74C10 86 28 92 50 92 72 92 90 86 90 74V40Z" fill="${a}" stroke="${INK}" stroke-width="3"/>${line("M10 46 26 86 42 52 58 90 74 52 88 80", "#ffe9a8", 3.2)}
      <ellipse cx="50" cy="40" rx="40" ry="15" fill="${c}" stroke="${INK}" stroke-width="3"/><ellipse cx="50" cy="39" rx="32" ry="10.5" fill="${b}"/>${circle(8, 9, 5, "#fff")}${circle(92, 9, 5, "#fff")}`,
  },
  planet: {
    tones: [VIOLET, GOLD, PINK],
    draw: ([a, b, c]) => `
      <ellipse cx="50" cy="50" rx="48" ry="14" fill="none" stroke="${b}" stroke-width="6" transform="rotate(-20 50 50)"/>${circle(50, 50, 29, a as string, ` stroke="${INK}" stroke-width="3"`)}
      <path d="M24 42C36 50 62 46 76 36 73 30 68 26 66 25 52 34 36 36 26 34ZM22 56C40 66 66 60 78 50 78 56 76 62 74 64 58 72 40 72 26 66Z" fill="${c}" opacity=".55"/>
      <path d="M4 60C8 76 60 66 82 50 98 38 98 34 94 32" fill="none" stroke="${INK}" stroke-width="9" opacity="0"/><path d="M5.5 66.500A48 14 -20 0 0 94.5 33.5" fill="none" stroke="${b}" stroke-width="6"/>${gleam("M26 44A24 24 0 0 1 52 25 32 32 0 0 0 26 44Z", 0.6)}`,
  },
  rocket: {
    tones: [SILVER, RED, TEAL, GOLD],
    draw: ([a, b, c, d]) => `<g transform="rotate(38 50 50)">
      <path d="M40 74Q50 112 60 74Z" fill="${d}"/><path d="M34 52 16 74 22 80 36 72ZM66 52 84 74 78 80 64 72Z" fill="${b}" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>
      <path d="M50 2C72 20 72 52 62 76H38C28 52 28 20 50 2Z" fill="${a}" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/><path d="M50 2C60 10 65 20 67 30H33C35 20 40 10 50 2Z" fill="${b}"/>${circle(50, 44, 10, c as string, ` stroke="${INK}" stroke-width="3"`)}${gleam("M40 66C34 50 36 34 40 30 39 44 40 56 44 68Z", 0.8)}</g>`,
  },
  star: {
    tones: [GOLD],
    draw: ([a]) =>
      `<path d="M50 5 63 36 96 39 71 61 79 94 50 76 21 94 29 61 4 39 37 36Z" fill="${a}" stroke="${INK}" stroke-width="4" stroke-linejoin="round"/><path d="M50 5 63 36 96 39 50 54Z" fill="#fff" opacity=".35"/><path d="M50 54 79 94 50 76 21 94Z" fill="#a85a06" opacity=".3"/>`,
  },
  snowflake: {
    tones: [["#ffffff", "#6cc4ff"]],
    draw: ([a]) => `
      ${around(6, line("M50 50V8M50 22 38 12M50 22 62 12M50 36 41 29M50 36 59 29", INK, 11))}${around(6, line("M50 50V8M50 22 38 12M50 22 62 12M50 36 41 29M50 36 59 29", "#bfe6ff", 6))}
      ${around(6, line("M50 50V10", "#fff", 2.4))}<path d="M50 36 62 43V57L50 64 38 57V43Z" fill="${a}" stroke="${INK}" stroke-width="2"/>`,
  },
  flame: {
    tones: [["#ffb03a", "#c8102e"], ["#fff3a0", "#ff8a1c"], SILVER],
    draw: ([a, b]) => `
      <path d="M52 3C56 22 82 36 82 64 82 84 68 97 50 97 32 97 18 84 18 64 18 50 26 42 30 32 36 36 38 42 40 46 48 36 50 20 52 3Z" fill="${a}" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>
      <path d="M54 40C56 54 70 60 70 74 70 86 61 93 50 93 39 93 31 86 31 74 31 66 35 62 38 56 42 59 43 62 44 64 50 58 53 50 54 40Z" fill="${b}"/><path d="M51 68C52 76 58 78 58 84 58 90 54 93 50 93 46 93 42 90 42 84 42 78 49 76 51 68Z" fill="#fff" opacity=".85"/>`,
  },
} as const satisfies Record<string, Symbol>;

export type SymbolName = keyof typeof SYMBOLS;

/** The drawing's markup with its gradients. `id` makes their names unique when several drawings share a document. */
export function markup(name: SymbolName, id: string): string {
  const symbol: Symbol = SYMBOLS[name];
  const gradients = symbol.tones.map(
    ([from, to], i) =>
      `<linearGradient id="${id}${i}" x1="0" y1="0" x2="0.25" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`,
  );
  return `<defs>${gradients.join("")}</defs>${symbol.draw(symbol.tones.map((_, i) => `url(#${id}${i})`))}`;
}

/** The drawing as an SVG document. */
export const symbolSvg = (name: SymbolName): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${markup(name, "s")}</svg>`;
