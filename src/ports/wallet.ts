import type { Content, WalletAnswer } from "../domain/transaction/transaction.ts";
import type { PlayerId, ProviderCode } from "../domain/values/identifiers.ts";
import type { Currency } from "../domain/values/money.ts";
import type { AttemptResult } from "./transactions/transaction-store.ts";

/** The address of a merchant's wallet and the secrets that sign its calls, from the settings of this moment. */
export interface WalletTarget {
  readonly merchantId: number;
  readonly merchantCode: string;
  /** null: no wallet is configured, so a call ends silent with the cause `connect`. */
  readonly walletUrl: string | null;
  /** The text of the secret that signs `X-Signature`, as it was shown. */
  readonly secret: string;
  /** The new secret while the secret is being changed. It signs `X-Signature-Next`. null: that header is not sent. */
  readonly nextSecret: string | null;
}

/** How a call to a wallet ended. */
export interface WalletReply {
  readonly answer: WalletAnswer;
  readonly result: AttemptResult;
  readonly httpStatus: number | null;
  readonly requestId: string;
  readonly durationMs: number;
  /** The first 200 bytes of a reply that was no answer, masked; absent: there are none. */
  readonly replyStart?: string | undefined;
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
   * Asks the wallet to move money. Never throws. At the wallet's time-out the answer is silent, and the socket is
   * closed by then. A call may be repeated: the same content always makes the same bytes of the body.
   *
   * @param attempt - 1, 2, 3 ...; sent as X-Attempt.
   */
  abstract send(target: WalletTarget, content: Content, attempt: number): Promise<WalletReply>;
  /** Queries the player's balance. Like {@link send}, but no money moves. */
  abstract balance(target: WalletTarget, query: BalanceQuery): Promise<WalletReply>;
}
