import type { SlipBet, SlipState } from "../../domain/transaction/betslip.ts";
import type { DbTime, LeaseToken } from "../../domain/transaction/transaction.ts";
import type { PlayerId } from "../../domain/values/identifiers.ts";
import type { Currency } from "../../domain/values/money.ts";

/**
 * Slips and whose turn it is to drive them. Each step is one statement that may be repeated; leases go by the database's time, and who holds
 * the lease token may record what becomes of the slip. Throws StoreUnavailable when the database can't serve.
 */
export abstract class SlipStore {
  /**
   * Writes the slip, running and leased for `leaseMs`, with all the ids of its bets; or nothing at all. An id of a slip and of a bet is
   * taken once per merchant, for ever.
   */
  abstract open(slip: NewSlip, token: LeaseToken, leaseMs: number): Promise<Opened>;
  /** As it is now; undefined: never opened. */
  abstract read(key: SlipKey): Promise<Slip | undefined>;
  /** Leases a slip that is not over and whose lease is. `undefined`: somebody was faster, or it is over. */
  abstract take(key: SlipKey, token: LeaseToken, leaseMs: number): Promise<Slip | undefined>;
  /**
   * Records the state, and leases the slip for `leaseMs` from now; null: it is over, nobody takes it up again. `false`: the token is no
   * longer its own, nothing was written.
   */
  abstract record(key: SlipKey, token: LeaseToken, state: SlipState, leaseMs: number | null): Promise<boolean>;
  /** Slips that somebody should take up: not over, and their lease is. At most `limit`, the longest waiting first. */
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
  /** Whose turn it is, or was last. */
  readonly leaseToken: LeaseToken;
  /** When its lease ends; null: it is over. */
  readonly dueAt: DbTime | null;
  readonly createdAt: DbTime;
  /** When this copy was read. */
  readonly readAt: DbTime;
}

export type Opened =
  /** Written, and leased to the caller. */
  | { readonly is: "new"; readonly slip: Slip }
  /** A slip of this id is there. */
  | { readonly is: "known"; readonly slip: Slip }
  /** The bet at this position has an id that another slip has taken. */
  | { readonly is: "taken"; readonly position: number };
