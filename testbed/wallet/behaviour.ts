/** A wallet's behaviour for one callback: whether the money moves, and which reply it sends. */
export interface Behaviour {
  /**
   * `ledger`: judges the callback by the rules. `rejects`: PLAYER_BLOCKED, which is kept for bets and rollbacks.
   * `nobody`: the wallet ignores the callback.
   */
  readonly judge: "ledger" | "rejects" | "nobody";
  /** The reply. `headers`: status 200 and headers, but no body. */
  readonly reply: "whole" | "none" | "http_500" | "headers";
  /** The delay between reading the request and judging it. The wallet judges it even if the caller has disconnected. */
  readonly judgedAfterMs?: number;
  /** The time between the judgement and the reply. */
  readonly afterMs?: number;
  /** The delay between the reply's headers and its body. */
  readonly bodyAfterMs?: number;
}

export const OK: Behaviour = { judge: "ledger", reply: "whole" };
export const REJECTS: Behaviour = { judge: "rejects", reply: "whole" };
/** The money moved, and the wallet sends no reply. */
export const APPLIED_SILENT: Behaviour = { judge: "ledger", reply: "none" };
export const NEVER_APPLIED: Behaviour = { judge: "nobody", reply: "none" };
export const APPLIED_500: Behaviour = { judge: "ledger", reply: "http_500" };
export const NEVER_APPLIED_500: Behaviour = { judge: "nobody", reply: "http_500" };

/** The shares of faults of a wallet that sometimes rejects, applies without a reply, or answers 500. */
export const SOME_FAULTS: readonly (readonly [Behaviour, number])[] = [
  [REJECTS, 0.02],
  [APPLIED_SILENT, 0.01],
  [NEVER_APPLIED_500, 0.01],
];
