import type { Content, WalletAnswer } from "../domain/transaction/transaction.ts";
import type { PlayerId, ProviderCode } from "../domain/values/identifiers.ts";
import type { Currency } from "../domain/values/money.ts";
import type { AttemptResult } from "./transactions/transaction-store.ts";

/** Where a merchant's wallet is, and what signs the calls: what the settings say at this moment. */
export interface WalletTarget {
  readonly merchantId: number;
  readonly merchantCode: string;
  /** null: none configured; a call is then silent (`connect`). */
  readonly walletUrl: string | null;
  /** The secret's text as shown. */
  readonly secret: string;
}

/** A call and how it went; `at` is for the reader of the log, the duration is measured. */
export interface WalletReply {
  readonly answer: WalletAnswer;
  readonly result: AttemptResult;
  readonly httpStatus: number | null;
  readonly requestId: string;
  readonly durationMs: number;
}

export interface BalanceQuery {
  readonly playerId: PlayerId;
  readonly currency: Currency;
  readonly provider: ProviderCode;
  readonly game: string;
}

/** The merchant's wallet, behind signed HTTP. */
export abstract class Wallet {
  /**
   * Asks the wallet to move money. Never throws; silent at the time-out at the latest, and by then the socket is gone. Safe to
   * repeat: the body of the same content is the same bytes. `attempt` (1, 2, 3 ...) goes out as X-Attempt.
   */
  abstract send(target: WalletTarget, content: Content, attempt: number): Promise<WalletReply>;
  /** The player's balance. As {@link send}, but moves nothing. */
  abstract balance(target: WalletTarget, query: BalanceQuery): Promise<WalletReply>;
}
