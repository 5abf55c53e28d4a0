import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { words } from "../shell/language.ts";

/** The colours of series, by the names of the design tokens. */
export type PlotColour = "violet" | "gold" | "good" | "bad" | "wait" | "info" | "muted";

export interface Series {
  readonly label: string;
  readonly colour: PlotColour;
  /** A stack is drawn as bars. The series of a stack are given from the top down, each with what is below it. */
  readonly kind: "line" | "bars" | "stack";
  /** One for each place of x; null: there is no value. */
  readonly values: readonly (number | null)[];
  /** What the legend says, where it is not `values`. */
  readonly shown?: readonly number[];
}

interface PlotProps {
  /** What the plot shows. The same figures stand in a table or in a text beside it. */
  readonly label: string;
  readonly series: readonly Series[];
  /** The text of a place of x. */
  readonly xText: (place: number) => string;
  /** The text of the place of x under the pointer. Absent: `xText`. */
  readonly placeText?: (place: number) => string;
  readonly yText: (value: number) => string;
  readonly places: number;
  /** Whether the texts of places are names, which may be shortened so that each place has its own. */
  readonly hasNames?: boolean;
}

const HEIGHT = 240;
/** With fewer places of x, each point of a line is marked. */
const POINTS_MAX = 200;
/** The space between two texts of an axis, or between a text and the plot, in pixels. */
const TEXT_GAP = 20;
/** A longer text of a place of x may reach over the edge of the plot. */
const X_ROOM_MAX = 150;
/** Names are shortened to this many pixels at most. If places have less room, not each of them has its name. */
const NAME_MIN = 56;
/** The numbers of places from one text of x to the next. */
const STEPS = [1, 2, 3, 6, 7, 10, 15, 20, 30, 50, 60, 100, 200, 500, 1_000, 2_000];
/** About the width of the texts of y, in pixels. */
const Y_ROOM = 70;

const colourOf = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Whether a series has nothing to draw. */
const isBlank = ({ values }: Series): boolean => values.every((value) => value === null || value === 0);
/** Whether there is nothing to draw. The axis of such a plot would name amounts that nobody has. */
const isEmpty = ({ series }: PlotProps): boolean => series.every(isBlank);

/**
 * A plot with a legend that also shows the values under the pointer. It takes the width that it gets. Without values it
 * says so.
 */
export function Plot(props: PlotProps): VNode {
  const { label, series, xText, placeText = xText, yText } = props;
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const [place, setPlace] = useState<number | null>(null);
  const drawn = useRef<uPlot>(undefined);
  const hasNone = isEmpty(props);
  const shape = JSON.stringify([
    hasNone,
    props.places,
    series.map((one) => [one.label, one.kind, one.colour, isBlank(one)]),
  ]);
  const values = JSON.stringify([
    series.map((one) => one.values),
    Array.from({ length: props.places }, (_, i) => xText(i)),
  ]);
  useEffect(() => {
    const into = box.current;
    if (into === null || hasNone) return;
    const anew = (): void => {
      drawn.current?.destroy();
      drawn.current = draw(into, latest, setPlace);
    };
    anew();
    const sizes = new ResizeObserver(() => drawn.current?.setSize({ width: into.clientWidth, height: HEIGHT }));
    sizes.observe(into);
    const system = matchMedia("(prefers-color-scheme: light)");
    system.addEventListener("change", anew);
    addEventListener("schemechange", anew);
    return () => {
      sizes.disconnect();
      system.removeEventListener("change", anew);
      removeEventListener("schemechange", anew);
      drawn.current?.destroy();
      drawn.current = undefined;
    };
  }, [shape]);
  // New values of the same series leave the plot and the pointer's place as they are.
  useEffect(() => drawn.current?.setData(dataOf(latest.current)), [values]);
  return (
    <figure class="plot">
      {hasNone ? (
        <div key="none" class="canvas none">
          <p>{words.state.nothing}</p>
        </div>
      ) : (
        <div key="drawn" ref={box} class="canvas" role="img" aria-label={label} />
      )}
      <figcaption>
        <span class="place">{place === null ? "" : placeText(place)}</span>
        <ul class="legend">
          {series.map(({ label: name, colour, values, shown }) => {
            const value = place === null ? undefined : (shown ?? values)[place];
            return (
              <li key={name} data-colour={colour}>
                {name}
                {value === undefined || value === null ? "" : `: ${yText(value)}`}
              </li>
            );
          })}
        </ul>
      </figcaption>
    </figure>
  );
}

function draw(
  into: HTMLElement,
  latest: { readonly current: PlotProps },
  onPlace: (place: number | null) => void,
): uPlot {
  const { series, places, hasNames = false } = latest.current;
  const [text, line] = [colourOf("muted"), colourOf("line")];
  const font = `12px ${colourOf("body")}`;
  const widest = widthIn(font);
  const textOf = (place: number): string => latest.current.xText(place);
  const xWidth = (): number => widest(Array.from({ length: places }, (_, place) => textOf(place)));
  /** The least space from one text of x to the next. @param room - that of a place. */
  const xSpace = (room: number): number =>
    hasNames && room >= NAME_MIN ? room * 0.99 : Math.min(xWidth() + TEXT_GAP, X_ROOM_MAX);
  /** How far the last text of x reaches over the edge: it stands half at the right of its place. Names are shortened. */
  const overhang = (room: number): number =>
    hasNames ? 0 : Math.max(0, Math.ceil((Math.min(xWidth(), X_ROOM_MAX) - room) / 2));
  /** A name, as much of it as fits between the next one and the edge at the right. */
  const nameOf = (place: number, space: number, room: number): string => {
    const width = Math.min(space - TEXT_GAP / 2, 2 * (places - 0.5 - place) * room);
    return width < NAME_MIN / 2 ? "" : shortened(textOf(place), (one) => widest([one]) <= width);
  };
  const axis = { stroke: text, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  // Bars of two series stand side by side. A series without bars takes no place beside those of the other.
  const bars = series.filter((one) => one.kind === "bars" && !isBlank(one)).length;
  let bar = 0;
  const options: uPlot.Options = {
    width: into.clientWidth,
    height: HEIGHT,
    padding: [null, (plot) => overhang((plot.width - Y_ROOM) / places), null, null],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 7 } },
    scales: { x: { time: false, range: [-0.5, Math.max(places - 0.5, 0.5)] }, y: { range: yRange } },
    axes: [
      {
        ...axis,
        space: (_plot, _axis, _min, _max, width) => xSpace(width / places),
        incrs: STEPS,
        values: (plot, marks, _axis, space) => {
          const room = plot.bbox.width / devicePixelRatio / places;
          return marks.map((mark) => {
            if (!Number.isInteger(mark) || mark < 0 || mark >= places) return "";
            return hasNames ? nameOf(mark, space, room) : textOf(mark);
          });
        },
      },
      {
        ...axis,
        size: (_, texts) => widest(texts ?? []) + TEXT_GAP,
        values: (_, marks) => marks.map((mark) => latest.current.yText(mark)),
      },
    ],
    series: [
      {},
      ...series.map((one): uPlot.Series => {
        const { colour, kind } = one;
        const stroke = colourOf(colour);
        // A point without neighbours would not be seen as a line.
        if (kind === "line") return { stroke, width: 2, points: { show: places < POINTS_MAX, size: 4 } };
        const isAlone = kind === "stack" || bars < 2;
        const align = isAlone || isBlank(one) ? 0 : bar++ === 0 ? -1 : 1;
        const paths = uPlot.paths.bars?.({ size: [isAlone ? 0.6 : 0.38, 48], align });
        return { width: 0, fill: stroke, points: { show: false }, ...(paths && { paths }) };
      }),
    ],
    hooks: { setCursor: [(plot) => onPlace(plot.cursor.idx ?? null)] },
  };
  return new uPlot(options, dataOf(latest.current), into);
}

/** Returns a function that measures the widest of some texts, in pixels. */
function widthIn(font: string): (texts: readonly string[]) => number {
  const canvas = document.createElement("canvas").getContext("2d");
  if (canvas === null) throw new Error("the browser has no 2d canvas");
  canvas.font = font;
  return (texts) => Math.ceil(Math.max(0, ...texts.map((text) => canvas.measureText(text).width)));
}

/** The text, or as much of its beginning as fits. */
function shortened(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  const letters = [...text];
  while (letters.length > 1 && !fits(`${letters.join("").trimEnd()}…`)) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

const dataOf = ({ places, series }: PlotProps): uPlot.AlignedData => [
  Array.from({ length: places }, (_, place) => place),
  ...series.map(({ values }) => [...values]),
];

/** Zero is always on the plot, because the height of a bar is read as its amount. */
function yRange(_: uPlot, low: number | null, high: number | null): [number, number] {
  const [least, most] = [Math.min(low ?? 0, 0), Math.max(high ?? 0, 0)];
  const room = (most - least || 1) * 0.08;
  return [least === 0 ? 0 : least - room, most === 0 && least < 0 ? 0 : most + room];
}
