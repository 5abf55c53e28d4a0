import type { SlipBet, SlipState, Verdict } from "../../domain/transaction/betslip.ts";
import type { DbTime, LeaseToken } from "../../domain/transaction/transaction.ts";
import type { PlayerId } from "../../domain/values/identifiers.ts";
import type { Currency } from "../../domain/values/money.ts";
import type { WholeMs } from "../../domain/values/whole-ms.ts";

/**
 * Slips and their leases. Each method is one statement, which may be repeated. A copy of the statement may also arrive
 * late, after any later statement: then it changes no state and moves no lease to another holder. Leases use database
 * time. Only the holder of a slip's lease token may change the slip. Throws StoreUnavailable when the database cannot
 * serve.
 */
export abstract class SlipStore {
  /**
   * Writes the slip and the ids of all its bets, or writes nothing. The new slip is running and has a lease of
   * `leaseMs`. Each id of a slip or bet can be used only once per merchant.
   */
  abstract open(slip: NewSlip, token: LeaseToken, leaseMs: WholeMs): Promise<Opened>;
  /** The slip as it is now; undefined: it was never opened. */
  abstract read(key: SlipKey): Promise<Slip | undefined>;
  /**
   * The slip to which a bet's id belongs; undefined: it belongs to no slip.
   *
   * @param txId - the sportsbook's own id of the bet.
   */
  abstract ofBet(merchantId: number, txId: string): Promise<Slip | undefined>;
  /**
   * Leases a slip that is not finished, whose lease has expired, and that still has the token that was read (`seen`).
   * `undefined`: the slip has changed since it was read, or it has a live lease.
   */
  abstract take(seen: LeasedSlip, token: LeaseToken, leaseMs: WholeMs): Promise<Slip | undefined>;
  /**
   * Lets the lease of a running slip end `leaseMs` from now. `false`: the slip has another token by now, or it no longer
   * runs. Nothing was written.
   */
  abstract renew(key: SlipKey, token: LeaseToken, leaseMs: WholeMs): Promise<boolean>;
  /**
   * Records the final status of a running slip. If its bets are to be refunded, the slip is leased for `leaseMs` from
   * now. Else it is finished. `false`: the slip has another token by now, or another final status. Nothing was written.
   */
  abstract decide(key: SlipKey, token: LeaseToken, verdict: Verdict, leaseMs: WholeMs): Promise<boolean>;
  /**
   * Finishes a failed slip: all of its refunds are durable, and no worker continues it. `false`: the slip has another
   * token by now. Nothing was written.
   */
  abstract finish(key: SlipKey, token: LeaseToken): Promise<boolean>;
  /**
   * The slips that a worker must continue: they are not finished, and their lease has expired. At most `limit`, those
   * with the oldest lease first.
   */
  abstract due(limit: number): Promise<LeasedSlip[]>;
}

/** A slip, and the token of its current lease or of its last lease, as it was read. */
export interface LeasedSlip extends SlipKey {
  readonly leaseToken: LeaseToken;
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

export interface Slip extends NewSlip, LeasedSlip {
  readonly state: SlipState;
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
