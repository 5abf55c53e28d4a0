/** A merchant's wallet and one callback: whether the money moves, and which reply the service gets. */
export interface Behaviour {
  /**
   * `ledger`: judges it as it should; `rejects`: PLAYER_BLOCKED, kept for bets and rollbacks; `nobody`: never applied.
   */
  readonly judge: "ledger" | "rejects" | "nobody";
  /** `headers`: status 200 and headers, then nothing more. */
  readonly reply: "whole" | "none" | "http_500" | "headers";
  /** The wallet judges the request this long after it has read it, even when the caller has gone. */
  readonly judgedAfterMs?: number;
  /** The time between the judgement and the reply. */
  readonly afterMs?: number;
  /** The reply's headers go this long before its body. */
  readonly bodyAfterMs?: number;
}

export const OK: Behaviour = { judge: "ledger", reply: "whole" };
export const REJECTS: Behaviour = { judge: "rejects", reply: "whole" };
/** The money moved, and the wallet sends no reply. */
export const APPLIED_SILENT: Behaviour = { judge: "ledger", reply: "none" };
export const NEVER_APPLIED: Behaviour = { judge: "nobody", reply: "none" };
export const APPLIED_500: Behaviour = { judge: "ledger", reply: "http_500" };
export const NEVER_APPLIED_500: Behaviour = { judge: "nobody", reply: "http_500" };

/** The shares of a wallet that sometimes rejects, applies without a reply, or answers 500. */
export const SOME_FAULTS: readonly (readonly [Behaviour, number])[] = [
  [REJECTS, 0.02],
  [APPLIED_SILENT, 0.01],
  [NEVER_APPLIED_500, 0.01],
];
