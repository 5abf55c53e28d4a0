/**
 * A cell is one case of a kill: the point, the transaction, the wallet's behaviour, and the provider's next request.
 */

import { type Action, isCredit, isReversal } from "../../src/domain/transaction/transaction.ts";
import type { CrashPoint } from "../../testbed/failpoints/failpoint.ts";

export const ACTIONS = ["bet", "win", "refund", "rollback"] as const satisfies readonly Action[];
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
  readonly action: Action;
  readonly outcome: WalletOutcome;
  readonly next: Next;
}

/** Points that only a resend worker reaches, or a call after the first. */
export const WORKER_POINTS: ReadonlySet<Point> = new Set(["CP11", "CP12", "CP13"]);
const REVERSAL_POINTS: ReadonlySet<Point> = new Set(["CP14", "CP15"]);
/** At these points nothing durable is written. Without a repeat the request has no effect. */
const NOTHING_WRITTEN: ReadonlySet<Point> = new Set(["CP0", "CP1"]);
/** At these points the row is written, and the wallet was not called. */
const NOT_SENT: ReadonlySet<Point> = new Set(["CP2", "CP3", "CP4"]);

/** The reason why this cell is impossible; undefined: it is possible. */
function impossible({ point, action, outcome, next }: Cell): string | undefined {
  if (WORKER_POINTS.has(point) && !isCredit(action)) return "the worker sends wins and refunds alone";
  if (REVERSAL_POINTS.has(point) && !isReversal(action)) return "only reversals mark and settle another row";
  if (next !== "stays silent" || outcome === "ok") return undefined;
  if (NOTHING_WRITTEN.has(point)) return "nothing was written, so no wallet is ever asked";
  if (NOT_SENT.has(point) && !isCredit(action))
    return "a bet or rollback that nobody repeats is never sent, so its wallet has no say";
  if (point === "CP2" && action === "refund")
    return "before its mark a refund is not a transaction, so no process sends it";
  return undefined;
}

const all: readonly Cell[] = POINTS.flatMap((point) =>
  ACTIONS.flatMap((action) =>
    OUTCOMES.flatMap((outcome) => NEXTS.map((next): Cell => ({ point, action, outcome, next }))),
  ),
);

export const CELLS: readonly Cell[] = all.filter((cell) => impossible(cell) === undefined);
export const IMPOSSIBLE: readonly { readonly cell: Cell; readonly why: string }[] = all.flatMap((cell) => {
  const why = impossible(cell);
  return why === undefined ? [] : [{ cell, why }];
});

/** `CP4/bet/applied, no reply/repeats`. */
export const nameOf = ({ point, action, outcome, next }: Cell): string => [point, action, outcome, next].join("/");
