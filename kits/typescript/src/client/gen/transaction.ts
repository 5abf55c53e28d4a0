// Generated out of contract/transactions/ by `npm run generate`. Do not edit.
import type { Currency, Decimal } from "../../money.ts";
import type { Action, Jackpot, Status, Time } from "../values.ts";

export interface Transaction {
  /** The idempotency key, unique for the merchant. */
  readonly tx_id: string;
  /** The round's id; for the sportsbook, the bet's id. */
  readonly round_id: string;
  /** The bet or win that a refund or rollback reverses. */
  readonly ref_tx_id: string | null;
  /** bet, win, refund or rollback. */
  readonly action: Action;
  /** Above 0, in the major unit, exact. The action shows whether the balance goes up or down. */
  readonly amount: Decimal;
  /** The merchant's currency. */
  readonly currency: Currency;
  /** success, pending or failed. */
  readonly status: Status;
  /** The code of the wallet's rejection. */
  readonly error: string | null;
  /** The provider's code. */
  readonly provider: string;
  /** The game's code. */
  readonly game: string;
  /** The player's id, as the merchant sent it at the launch. */
  readonly player_id: string;
  /** The balance in the wallet's reply. It is not the player's balance now. */
  readonly balance: Decimal | null;
  /** How often the service has called the wallet for this transaction. */
  readonly attempts: number;
  /** How the last of these calls ended. Absent: none has ended. */
  readonly last_result: string | null;
  /** The time of the next automatic call. Absent: no call is planned. */
  readonly next_attempt_at: Time | null;
  /** What made the state final. Absent: the first call, or the transaction is pending. */
  readonly resolved_by: string | null;
  /** When the transaction reached the service. */
  readonly created_at: Time;
  /** When the transaction last changed. */
  readonly updated_at: Time;
  /** What the money is for. Absent: an ordinary bet or win, or a reversal. */
  readonly kind: string | null;
  /** The provider's id for the promotion. */
  readonly promo_id: string | null;
  /** The jackpot that a bet pays into, or that pays the win. */
  readonly jackpot: Jackpot | null;
  /** The part of a bet for the jackpot, in millionths of the major unit. */
  readonly jackpot_contribution_micros: number | null;
  /** The win that is the only settlement of this bet. A settlement of 0 is in no list. */
  readonly settled_by: string | null;
}
