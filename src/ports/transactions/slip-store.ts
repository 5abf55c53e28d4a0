import type { SlipBet, SlipState } from "../../domain/transaction/betslip.ts";
import type { DbTime, LeaseToken } from "../../domain/transaction/transaction.ts";
import type { PlayerId } from "../../domain/values/identifiers.ts";
import type { Currency } from "../../domain/values/money.ts";

/**
 * Slips and their leases. Each method is one statement that may be repeated. Leases are by database time, and only the
 * holder of a slip's lease token may record its state. Throws StoreUnavailable when the database cannot serve.
 */
export abstract class SlipStore {
  /**
   * Writes the slip, running and leased for `leaseMs`, together with the ids of all its bets; or writes nothing. Per
   * merchant, an id of a slip or of a bet can be taken only once, for ever.
   */
  abstract open(slip: NewSlip, token: LeaseToken, leaseMs: number): Promise<Opened>;
  /** The slip as it is now; undefined: it was never opened. */
  abstract read(key: SlipKey): Promise<Slip | undefined>;
  /**
   * Leases a slip that is not finished and whose lease has expired. `undefined`: it is finished, or another process was
   * faster.
   */
  abstract take(key: SlipKey, token: LeaseToken, leaseMs: number): Promise<Slip | undefined>;
  /**
   * Records the state and leases the slip for `leaseMs` from now; null: the slip is finished and is not taken up again.
   * `false`: the slip has another token by now, and nothing was written.
   */
  abstract record(key: SlipKey, token: LeaseToken, state: SlipState, leaseMs: number | null): Promise<boolean>;
  /** Slips to take up: not finished, and their lease has expired. At most `limit`, the longest expired first. */
  abstract due(limit: number): Promise<SlipKey[]>;
}

export interface SlipKey {
  readonly merchantId: number;
  /** The sportsbook's own id, 1 to 88 bytes. */
  readonly slipId: string;
}

export interface NewSlip extends SlipKey {
  readonly playerId: PlayerId;
  readonly currency: Currency;
  /** 1 to 50. */
  readonly bets: readonly SlipBet[];
}

export interface Slip extends NewSlip {
  readonly state: SlipState;
  /** The token of the current lease, or of the last one. */
  readonly leaseToken: LeaseToken;
  /** When its lease ends; null: the slip is finished. */
  readonly dueAt: DbTime | null;
  readonly createdAt: DbTime;
  /** When this copy was read. */
  readonly readAt: DbTime;
}

export type Opened =
  /** The slip was written, and is leased to the caller. */
  | { readonly is: "new"; readonly slip: Slip }
  /** A slip with this id exists. */
  | { readonly is: "known"; readonly slip: Slip }
  /** Another slip has taken the id of the bet at this position. */
  | { readonly is: "taken"; readonly position: number };
