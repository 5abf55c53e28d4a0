/** The crash points of a transaction's way through the service, in their order; docs/architecture.md says what each is. */
const POINTS = [
  ...(["CP0", "CP1", "CP2", "CP3", "CP4", "CP5", "CP6", "CP7", "CP8", "CP9", "CP10"] as const),
  ...(["CP11", "CP12", "CP13", "CP14", "CP15", "CP16", "CP17", "CP18"] as const),
] as const;

export type CrashPoint = (typeof POINTS)[number];

/** What happens at a point. */
export interface Failpoint {
  readonly point: CrashPoint;
  /** `kill`: the process dies by SIGKILL. `pause`: nothing in it runs for `pauseMs`, then it goes on. */
  readonly action: "kill" | "pause";
  readonly pauseMs: number;
  /** At which arrival: 1, 2, 3 ... Earlier and later ones pass. */
  readonly nth: number;
  /** From that arrival on, all who come wait there for this long, so that one kill meets many. */
  readonly gatherMs: number;
}

export const FAILPOINTS_FORM = "point:kill or point:pause=<ms>, each with @<nth> and +<ms to gather> or without, separated by commas; points are CP0 to CP18";

/** Reads `CP4:kill@3,CP7:pause=20000`; `undefined` when it has another form. */
export function parseFailpoints(text: string): readonly Failpoint[] | undefined {
  const failpoints = text.split(",").map((one) => parseFailpoint(one.trim()));
  return failpoints.every((one) => one !== undefined) ? failpoints : undefined;
}

function parseFailpoint(text: string): Failpoint | undefined {
  const match = /^(CP\d{1,2}):(?:(kill)|pause=(\d{1,6}))(?:@([1-9]\d{0,5}))?(?:\+(\d{1,6}))?$/.exec(text);
  const point = POINTS.find((known) => known === match?.[1]);
  if (match === null || point === undefined) return undefined;
  const [, , kill, pause = "0", nth = "1", gather = "0"] = match;
  return { point, action: kill === undefined ? "pause" : "kill", pauseMs: Number(pause), nth: Number(nth), gatherMs: Number(gather) };
}
