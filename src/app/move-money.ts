import type { Result } from "../domain/errors.ts";
import type { TxId } from "../domain/identifiers.ts";
import type { Action } from "../domain/transaction.ts";
import type { Provider } from "../ports/settings-store.ts";

/** A provider's request to move a player's money; ids are the provider's own, nothing is validated yet. */
export interface MoveRequest {
  /** The authenticated caller. */
  readonly provider: Provider;
  readonly action: Action;
  /** One of the two names player and merchant; a bet needs the session. */
  readonly sessionId: string;
  readonly playerRef: string;
  readonly txId: string;
  /** Refund, rollback: the reversed transaction. Empty otherwise. */
  readonly refTxId: string;
  readonly roundId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  /** Empty: the session's game. */
  readonly game: string;
  /** When the caller stops waiting, by Clock.monotonic(). */
  readonly deadline: number;
}

/** The reply to a provider. `failed` is the wallet's rejection, with its code. */
export interface Moved {
  readonly status: "success" | "pending" | "failed";
  /** null: not known. */
  readonly balanceMinor: bigint | null;
  /** The wallet's code when failed, else empty. */
  readonly error: string;
  /** The wire id; empty when no transaction was made (a zero amount). */
  readonly txId: TxId | "";
}

export abstract class MoveMoney {
  abstract move(request: MoveRequest): Promise<Result<Moved>>;
}
