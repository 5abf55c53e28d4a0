/**
 * A cell is one case of a kill: the point, the transaction, the wallet's behaviour, and the provider's next request.
 */

import { type Action, isCredit, isReversal } from "../../src/domain/transaction/transaction.ts";
import type { CrashPoint } from "../../testbed/failpoints/failpoint.ts";

/** What the provider asks for, and the action of the transaction that the cell is about. */
export const ACTION_OF = {
  bet: "bet",
  win: "win",
  refund: "refund",
  rollback: "rollback",
  /** The bet of a Play. */
  play: "bet",
  /** The win of a Play. */
  "play's win": "win",
  /** A win that is the only settlement of its bet. */
  settlement: "win",
  /** A Reverse of a bet. */
  reverse: "refund",
  /** A Reverse of a win that leaves the rollback to the service. */
  "delivered reverse": "rollback",
} as const satisfies Readonly<Record<string, Action>>;
export type Asked = keyof typeof ACTION_OF;
export const ASKED = Object.keys(ACTION_OF) as Asked[];
/**
 * The wallet's behaviour for one call: the process dies before, during or after this call. The wallet answers later
 * calls correctly.
 */
export const OUTCOMES = ["ok", "reject", "applied, no reply", "never applied"] as const;
/** `reverses`: a refund of the bet, a rollback of the win. A reversal is sent once more under another id. */
export const NEXTS = ["repeats", "reverses", "stays silent"] as const;
/** The points of a transaction. CP16 and CP17 belong to no transaction. */
export const POINTS = [
  ...(["CP0", "CP1", "CP2", "CP3", "CP4", "CP5", "CP6", "CP7", "CP8", "CP9", "CP10"] as const),
  ...(["CP11", "CP12", "CP13", "CP14", "CP15", "CP18"] as const),
] as const satisfies readonly CrashPoint[];

export type Point = (typeof POINTS)[number];
export type WalletOutcome = (typeof OUTCOMES)[number];
type Next = (typeof NEXTS)[number];

export interface Cell {
  readonly point: Point;
  readonly asked: Asked;
  readonly outcome: WalletOutcome;
  readonly next: Next;
}

/** Points that only a resend worker reaches, or a call after the first. */
export const WORKER_POINTS: ReadonlySet<Point> = new Set(["CP11", "CP12", "CP13"]);
/** At these points nothing durable is written. Without a repeat the request has no effect. */
const NOTHING_WRITTEN: ReadonlySet<Point> = new Set(["CP0", "CP1"]);
/** At these points the row is written, and the wallet was not called. */
const NOT_SENT: ReadonlySet<Point> = new Set(["CP2", "CP3", "CP4"]);

/** At these points there are no ids of the two parts of a Play, or only that of its bet. */
const WHOLE_PLAY: ReadonlySet<Point> = new Set(["CP0", "CP1", "CP2", "CP9", "CP10", "CP14"]);

/** The reason why this cell is impossible; undefined: it is possible. */
function impossible({ point, asked, outcome, next }: Cell): string | undefined {
  const action = ACTION_OF[asked];
  const isSentByService = isCredit(action) || asked === "delivered reverse";
  if (WORKER_POINTS.has(point) && !isSentByService)
    return "the worker sends only wins, refunds and delivered rollbacks";
  if (point === "CP15" && !isReversal(action)) return "only reversals settle another row";
  if (point === "CP14" && !isReversal(action) && asked !== "settlement" && asked !== "play")
    return "only reversals and settlements mark another row, and only the bet of a Play makes a win due";
  if (asked === "play's win" && WHOLE_PLAY.has(point)) return "here a Play is one request, and its bet stands for it";
  if (next !== "stays silent" || outcome === "ok") return undefined;
  if (NOTHING_WRITTEN.has(point)) return "nothing was written, so no wallet is ever asked";
  if (NOT_SENT.has(point) && !isSentByService)
    return "a bet or rollback that nobody repeats is never sent, so its wallet has no say";
  if (point === "CP2" && (isReversal(action) || asked === "settlement"))
    return "before its mark a reversal or settlement is not a transaction, so no process sends it";
  return undefined;
}

/** The ending of the ids of a Play's win. */
export const WIN_ENDING = "-win";
/** The ending of the ids that reach the point, as a failpoint has it; empty: all ids. */
export const endingOf = ({ asked, point }: Cell): string =>
  asked === "play's win" && point !== "CP18" ? WIN_ENDING : "";

const all: readonly Cell[] = POINTS.flatMap((point) =>
  ASKED.flatMap((asked) => OUTCOMES.flatMap((outcome) => NEXTS.map((next): Cell => ({ point, asked, outcome, next })))),
);

export const CELLS: readonly Cell[] = all.filter((cell) => impossible(cell) === undefined);
export const IMPOSSIBLE: readonly { readonly cell: Cell; readonly why: string }[] = all.flatMap((cell) => {
  const why = impossible(cell);
  return why === undefined ? [] : [{ cell, why }];
});

/** `CP4/bet/applied, no reply/repeats`. */
export const nameOf = ({ point, asked, outcome, next }: Cell): string => [point, asked, outcome, next].join("/");
