import type { SymbolName } from "./art/symbols.ts";

/** The look of a game. All slots have the same reels. A skin gives each its symbols, colours and scenery. */
export interface Skin {
  /** The colours of the background, from the edge to the middle. */
  readonly night: string;
  readonly glow: string;
  /** Light tones with a contrast of at least 4.5 on the background. */
  readonly accent: string;
  readonly spark: string;
  readonly scenery: Scenery;
  /** The skin's own symbols, the best paid first. Every game also has the card letters and the wild. */
  readonly symbols: readonly [SymbolName, SymbolName, SymbolName, SymbolName];
}

export type Scenery = "rays" | "grid" | "rings" | "waves" | "peaks" | "dunes" | "stars" | "confetti";

/** The skins of the slots, by game code. */
export const SLOT_SKINS: Readonly<Record<string, Skin>> = {
  "solar-crown": {
    night: "#240d04",
    glow: "#a8480a",
    accent: "#ffcf4a",
    spark: "#fff3c4",
    scenery: "rays",
    symbols: ["crown", "sun", "ruby", "coin"],
  },
  "neon-sevens": {
    night: "#12052b",
    glow: "#6a1296",
    accent: "#ff7be0",
    spark: "#5ce8ff",
    scenery: "grid",
    symbols: ["seven", "bell", "cherry", "lemon"],
  },
  "emerald-temple": {
    night: "#031a15",
    glow: "#0c6a50",
    accent: "#6dffc6",
    spark: "#f3ffb8",
    scenery: "rings",
    symbols: ["emerald", "mask", "leaf", "coin"],
  },
  "deep-pearl": {
    night: "#02122a",
    glow: "#0b5c96",
    accent: "#8be8ff",
    spark: "#ffd6ee",
    scenery: "waves",
    symbols: ["shell", "fish", "anchor", "sapphire"],
  },
  "andes-gold": {
    night: "#1b0f30",
    glow: "#8a3460",
    accent: "#ffbf75",
    spark: "#fff0d6",
    scenery: "peaks",
    symbols: ["coin", "mountain", "feather", "sun"],
  },
  "midnight-cactus": {
    night: "#0c0e33",
    glow: "#4a3490",
    accent: "#b6f07e",
    spark: "#ffe08a",
    scenery: "dunes",
    symbols: ["cactus", "moon", "horseshoe", "bolt"],
  },
  "lantern-festival": {
    night: "#260308",
    glow: "#9c1526",
    accent: "#ffd35e",
    spark: "#ffb0a0",
    scenery: "rings",
    symbols: ["lantern", "lotus", "coin", "drum"],
  },
  "orbit-wilds": {
    night: "#050716",
    glow: "#2f2a86",
    accent: "#a9bcff",
    spark: "#ffb8f2",
    scenery: "stars",
    symbols: ["planet", "rocket", "star", "bolt"],
  },
  "carnival-beats": {
    night: "#25052f",
    glow: "#b01e78",
    accent: "#ffe45c",
    spark: "#7df0ff",
    scenery: "confetti",
    symbols: ["mask", "drum", "feather", "star"],
  },
  "frost-crystals": {
    night: "#041a33",
    glow: "#2c78b8",
    accent: "#d2f1ff",
    spark: "#ffffff",
    scenery: "stars",
    symbols: ["snowflake", "sapphire", "crown", "moon"],
  },
  "phoenix-rise": {
    night: "#210403",
    glow: "#b0300e",
    accent: "#ffbb55",
    spark: "#ffe9a6",
    scenery: "rays",
    symbols: ["flame", "feather", "ruby", "coin"],
  },
  "treasure-cove": {
    night: "#031e24",
    glow: "#0f7a72",
    accent: "#ffd979",
    spark: "#a8fff0",
    scenery: "waves",
    symbols: ["compass", "anchor", "coin", "amethyst"],
  },
  "harbor-lights": {
    night: "#06122e",
    glow: "#1f5fa8",
    accent: "#ffd68a",
    spark: "#bfe8ff",
    scenery: "waves",
    symbols: ["anchor", "compass", "fish", "bell"],
  },
  "jungle-drums": {
    night: "#0b1f08",
    glow: "#4a7a12",
    accent: "#ffd94f",
    spark: "#e6ffb0",
    scenery: "rings",
    symbols: ["drum", "mask", "leaf", "flame"],
  },
};

/** The look of a live table. All tables have the same wheel in other colours. `seconds`: the time for bets. */
export interface TableSkin extends Omit<Skin, "symbols"> {
  readonly seconds: number;
  readonly cloth: string;
}

export const TABLE_SKINS: Readonly<Record<string, TableSkin>> = {
  "roulette-copacabana": {
    night: "#04160f",
    glow: "#0e6b45",
    accent: "#ffd978",
    spark: "#fff6d8",
    scenery: "waves",
    cloth: "#0b4a33",
    seconds: 20,
  },
  "speed-roulette": {
    night: "#1c040a",
    glow: "#98142f",
    accent: "#ffc2b0",
    spark: "#ffffff",
    scenery: "rays",
    cloth: "#5e0f20",
    seconds: 12,
  },
  "midnight-roulette": {
    night: "#080a26",
    glow: "#35309a",
    accent: "#c9c4ff",
    spark: "#ffe9a6",
    scenery: "stars",
    cloth: "#1f1d5c",
    seconds: 25,
  },
  "andromeda-roulette": {
    night: "#0a0620",
    glow: "#5a2b8f",
    accent: "#e5c9ff",
    spark: "#ffe9a6",
    scenery: "stars",
    cloth: "#3a1b63",
    seconds: 20,
  },
};
