import type { SlipBet, SlipState } from "../../domain/transaction/betslip.ts";
import type { DbTime, LeaseToken } from "../../domain/transaction/transaction.ts";
import type { PlayerId } from "../../domain/values/identifiers.ts";
import type { Currency } from "../../domain/values/money.ts";

/**
 * Slips and their leases. Each method is one statement, which may be repeated. Leases use database time. Only the
 * holder of a slip's lease token may record its state. Throws StoreUnavailable when the database cannot serve.
 */
export abstract class SlipStore {
  /**
   * Writes the slip and the ids of all its bets, or writes nothing. The new slip is running and has a lease of
   * `leaseMs`. Each id of a slip or bet can be used only once per merchant.
   */
  abstract open(slip: NewSlip, token: LeaseToken, leaseMs: number): Promise<Opened>;
  /** The slip as it is now; undefined: it was never opened. */
  abstract read(key: SlipKey): Promise<Slip | undefined>;
  /**
   * The slip to which a bet's id belongs; undefined: it belongs to no slip.
   *
   * @param txId - the sportsbook's own id of the bet.
   */
  abstract ofBet(merchantId: number, txId: string): Promise<Slip | undefined>;
  /**
   * Leases a slip that is not finished and whose lease has expired. `undefined`: the slip is finished, or it has a live
   * lease.
   */
  abstract take(key: SlipKey, token: LeaseToken, leaseMs: number): Promise<Slip | undefined>;
  /**
   * Records the state and leases the slip for `leaseMs` from now; `leaseMs` null: the slip is finished, and no worker
   * continues it. `false`: the slip has another token by now, and nothing was written.
   */
  abstract record(key: SlipKey, token: LeaseToken, state: SlipState, leaseMs: number | null): Promise<boolean>;
  /**
   * The slips that a worker must continue: they are not finished, and their lease has expired. At most `limit`, those
   * with the oldest lease first.
   */
  abstract due(limit: number): Promise<SlipKey[]>;
}

export interface SlipKey {
  readonly merchantId: number;
  /** The id that the sportsbook gave the slip, 1 to 88 bytes. */
  readonly slipId: string;
}

export interface NewSlip extends SlipKey {
  readonly playerId: PlayerId;
  readonly currency: Currency;
  /** 1 to 50 bets. */
  readonly bets: readonly SlipBet[];
}

export interface Slip extends NewSlip {
  readonly state: SlipState;
  /** The token of the current lease, or of the last one. */
  readonly leaseToken: LeaseToken;
  /** When the slip's lease ends; null: the slip is finished. */
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
