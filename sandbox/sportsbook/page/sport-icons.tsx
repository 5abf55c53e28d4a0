import type { VNode } from "preact";
import type { Sport } from "../model/scores.ts";
import { seeded } from "../model/seeded.ts";

const PATHS = {
  football:
    "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 8l3.8 2.8-1.45 4.45h-4.7L8.2 10.8zM12 8V3.2M15.8 10.8l4.7-1.5M14.35 15.25l2.9 4M9.65 15.25l-2.9 4M8.2 10.8L3.5 9.3",
  basketball:
    "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M3 12h18M12 3v18M5.6 5.7c3.4 3.6 3.4 9 0 12.6M18.4 5.7c-3.4 3.6-3.4 9 0 12.6",
  tennis:
    "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M4.4 7.2c4.6.6 7.4 4 7 9.4-.1 1.6-.6 3-1.2 4.2M19.6 16.8c-4.6-.6-7.4-4-7-9.4.1-1.6.6-3 1.2-4.2",
  volleyball:
    "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 12c0-4 1.5-7 4-8M12 12c3.5-2 6.8-2 9 0M12 12c-3.5 2-5.5 5-5 7.5M9 3.6c-2.6 4-2.6 8-.5 11M20.4 15.5c-4 2.6-8 2.4-11 .3M4 8c1.5-.5 3-.5 4.2 0",
  esports:
    "M7 8h10a4 4 0 0 1 4 4l-.6 4.2a2.3 2.3 0 0 1-4.2 1L14.7 15H9.3l-1.5 2.2a2.3 2.3 0 0 1-4.2-1L3 12a4 4 0 0 1 4-4M8 10.5v3M6.5 12h3M15.5 11v.01M17.5 13v.01",
  mark: "M4 17c4 4 12 4 16-1M4 12c4 4 12 3 16-2M6 7c4 3 9 2 12-1",
  live: "M12 12v.01M8.5 8.5a5 5 0 0 0 0 7M15.5 8.5a5 5 0 0 1 0 7M5.7 5.7a9 9 0 0 0 0 12.6M18.3 5.7a9 9 0 0 1 0 12.6",
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
  bets: "M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6",
  slip: "M5 4h14v16H5zM9 9h6M9 13h6M9 17h3",
  user: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4 21c.6-4.5 4-6.5 8-6.5s7.4 2 8 6.5",
  plus: "M12 5v14M5 12h14",
  cross: "M6 6l12 12M18 6L6 18",
  check: "M4 12.5l5 5L20 6.5",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3.5 2",
  chevron: "M9 5l7 7-7 7",
  back: "M15 5l-7 7 7 7",
  up: "M12 19V6M6 12l6-6 6 6",
  down: "M12 5v13M6 12l6 6 6-6",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5L21 21",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  wallet: "M4 7h16v12H4zM4 7l2-3h12l2 3M15 13h2",
} as const satisfies Record<Sport | string, string>;

export type IconName = keyof typeof PATHS;

/** A line icon without a name for screen readers. The text beside the icon has its meaning. */
export const Icon = ({ name, size = 20 }: { readonly name: IconName; readonly size?: number }): VNode => (
  <svg
    viewBox="0 0 24 24"
    aria-hidden="true"
    width={size}
    height={size}
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
  >
    <path d={PATHS[name]} />
  </svg>
);

const CLOTH = [
  "#e5484d",
  "#3e63dd",
  "#30a46c",
  "#f5d90a",
  "#8e4ec6",
  "#f76b15",
  "#12a594",
  "#e93d82",
  "#0091ff",
  "#ffffff",
  "#1c2024",
  "#978365",
];

/** A shield in a side's colours. The colours are computed from the side's name. */
export function Crest({ name, size = 22 }: { readonly name: string; readonly size?: number }): VNode {
  const pick = (what: string) => Math.floor(seeded(1, `${name} ${what}`) * CLOTH.length);
  const first = pick("cloth");
  const second = (first + 1 + Math.floor(seeded(1, `${name} second`) * (CLOTH.length - 1))) % CLOTH.length;
  const [a, b] = [CLOTH[first] as string, CLOTH[second] as string];
  const halves = [
    "M12 2v20c5-2.4 8.5-6 8.5-11V4.5C17.5 4.5 14.5 3.6 12 2z",
    "M3.5 9h17v5h-17z",
    "M3.5 4.5L20.5 15c-1 3-4 5.5-8.5 7z",
    "M9 2.8h6V21l-3 1-3-1z",
  ];
  const shield = "M12 2c2.5 1.6 5.5 2.5 8.5 2.5V11c0 5-3.5 8.6-8.5 11-5-2.4-8.5-6-8.5-11V4.5C6.5 4.5 9.5 3.6 12 2z";
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" width={size} height={size} class="crest">
      <path d={shield} fill={a} />
      <path d={halves[pick("half") % halves.length]} fill={b} />
      <path d={shield} fill="none" stroke="rgb(127 127 127 / 55%)" stroke-width="1" />
    </svg>
  );
}
