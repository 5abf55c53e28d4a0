/** What a merchant's wallet does with a callback: whether the money moves, and what the service gets to see of it. */
export interface Behaviour {
  /** `ledger`: judges it as it should; `rejects`: PLAYER_BLOCKED, kept for bets and rollbacks; `nobody`: never applied. */
  readonly judge: "ledger" | "rejects" | "nobody";
  /** `headers`: status 200 and headers, then nothing more. */
  readonly reply: "whole" | "none" | "http_500" | "headers";
  /** So long the request is still on its way after the socket took it: it is judged then, whether or not anybody still waits. */
  readonly judgedAfterMs?: number;
  /** Between the judgement and the reply. */
  readonly afterMs?: number;
  /** The reply's headers go this long before its body. */
  readonly bodyAfterMs?: number;
}

export const OK: Behaviour = { judge: "ledger", reply: "whole" };
export const REJECTS: Behaviour = { judge: "rejects", reply: "whole" };
/** The money moved, and nobody is told. */
export const APPLIED_SILENT: Behaviour = { judge: "ledger", reply: "none" };
export const NEVER_APPLIED: Behaviour = { judge: "nobody", reply: "none" };
export const APPLIED_500: Behaviour = { judge: "ledger", reply: "http_500" };
export const NEVER_APPLIED_500: Behaviour = { judge: "nobody", reply: "http_500" };

/** A wallet that now and then says no, says nothing although the money moved, or fails; and how often. */
export const SOME_FAULTS: readonly (readonly [Behaviour, number])[] = [
  [REJECTS, 0.02],
  [APPLIED_SILENT, 0.01],
  [NEVER_APPLIED_500, 0.01],
];
