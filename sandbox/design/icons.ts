/** Line icons in a 24 by 24 box, drawn for these pages. */
const PATHS = {
  bet: "M12 4v13M6 11l6 6 6-6M4 21h16",
  win: "M12 20V7M6 13l6-6 6 6M4 3h16",
  refund: "M4 9h11a5 5 0 0 1 0 10H8M4 9l4-4M4 9l4 4",
  rollback: "M20 9H9a5 5 0 0 0 0 10h7M20 9l-4-4M20 9l-4 4",
  balance: "M4 7h16v12H4zM4 7l2-3h12l2 3M15 13h2",
  check: "M4 12.5l5 5L20 6.5",
  cross: "M6 6l12 12M18 6L6 18",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3.5 2",
  user: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4 21c.6-4.5 4-6.5 8-6.500s7.4 2 8 6.5",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.500L21 21",
  exit: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
  back: "M15 5l-7 7 7 7",
  pulse: "M3 12h4l3-7 4 14 3-7h4",
  plus: "M12 5v14M5 12h14",
  play: "M8 5v14l11-7z",
} as const;

export type IconName = keyof typeof PATHS;

/** An icon without a name for screen readers. The text beside the icon has its meaning. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const attributes = {
    viewBox: "0 0 24 24",
    width: "20",
    height: "20",
    fill: "none",
    stroke: "currentColor",
    "stroke-width": "2",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    "aria-hidden": "true",
  };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
