/**
 * The crash points on a transaction's path through the service, in their order. docs/architecture.md describes each of
 * them.
 */
const POINTS = [
  "CP0",
  "CP1",
  "CP2",
  "CP3",
  "CP4",
  "CP5",
  "CP6",
  "CP7",
  "CP8",
  "CP9",
  "CP10",
  "CP11",
  "CP12",
  "CP13",
  "CP14",
  "CP15",
  "CP16",
  "CP17",
  "CP18",
] as const;

export type CrashPoint = (typeof POINTS)[number];

/** A crash point, and what happens there. */
export interface Failpoint {
  readonly point: CrashPoint;
  /** `kill`: the process dies by SIGKILL. `pause`: the whole process stops for `pauseMs`, and then goes on. */
  readonly action: "kill" | "pause";
  readonly pauseMs: number;
  /** The number of the arrival at which it happens, counted from 1. Other arrivals are not affected. */
  readonly nth: number;
  /**
   * From that arrival on, all transactions wait at the point for this long, so that one kill hits many transactions.
   */
  readonly gatherMs: number;
  /** Only ids that end with this text arrive at the point. Empty: all. */
  readonly ending: string;
}

const FORM =
  "point:kill or point:pause=<ms>, each with @<nth>, +<ms to gather> and /<ending of ids> or without, separated by commas; points are CP0 to CP18";

/**
 * Reads the value of GAS_FAILPOINTS, for example `CP4:kill@3,CP7:pause=20000`. An empty text has no failpoints.
 *
 * @throws Error if the text has another form.
 */
export function readFailpoints(text: string): readonly Failpoint[] {
  return text === "" ? [] : text.split(",").map((one) => readFailpoint(one.trim()));
}

function readFailpoint(text: string): Failpoint {
  const match = /^(CP\d{1,2}):(?:(kill)|pause=(\d{1,6}))(?:@([1-9]\d{0,5}))?(?:\+(\d{1,6}))?(?:\/([\w-]{1,20}))?$/.exec(
    text,
  );
  const point = POINTS.find((known) => known === match?.[1]);
  if (match === null || point === undefined) throw new Error(`GAS_FAILPOINTS must be ${FORM}`);
  const [, , kill, pause = "0", nth = "1", gather = "0", ending = ""] = match;
  return {
    point,
    action: kill === undefined ? "pause" : "kill",
    pauseMs: Number(pause),
    nth: Number(nth),
    gatherMs: Number(gather),
    ending,
  };
}
