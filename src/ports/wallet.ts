import type { AttemptResult } from "../../contract/wallet/results.ts";
import type { Content, WalletAnswer } from "../domain/transaction/transaction.ts";
import type { PlayerId, ProviderCode } from "../domain/values/identifiers.ts";
import type { Currency } from "../domain/values/money.ts";
import type { Span } from "./tracing.ts";

/** The address of a merchant's wallet and the secrets that sign its calls, as the settings are now. */
export interface WalletTarget {
  readonly merchantId: number;
  readonly merchantCode: string;
  /**
   * The address that is called. null: no wallet is configured, so each call ends as silent with the cause `connect`.
   */
  readonly walletUrl: string | null;
  /** The text of the secret that signs `X-Signature`, exactly as the merchant got it. */
  readonly secret: string;
  /**
   * The new secret while the merchant's secret is being changed. It signs `X-Signature-Next`. null: that header is not
   * sent.
   */
  readonly nextSecret: string | null;
  /** Whether the merchant gets the header `traceparent` with the calls of a sampled trace. */
  readonly traceContext: boolean;
}

/** How a call to a wallet ended. */
export interface WalletReply {
  readonly answer: WalletAnswer;
  readonly result: AttemptResult;
  readonly httpStatus: number | null;
  readonly requestId: string;
  readonly durationMs: number;
  /** The first 200 bytes of a reply that was neither accepted nor rejected, masked; absent: there is no such reply. */
  readonly replyStart?: string | undefined;
}

export interface BalanceQuery {
  readonly playerId: PlayerId;
  readonly currency: Currency;
  readonly provider: ProviderCode;
  readonly game: string;
}

/** The merchant's wallet, which the service calls by signed HTTP requests. */
export abstract class Wallet {
  /**
   * Sends the wallet a request to move money. Never throws. When the wallet's time-out has passed, the answer is
   * silent, and the socket has been closed. A call may be repeated: the same content always makes the same bytes of the
   * body.
   *
   * @param attempt - 1, 2, 3 ...; sent as X-Attempt.
   * @param span - the span of this call; absent: the call is not traced.
   */
  abstract send(target: WalletTarget, content: Content, attempt: number, span?: Span): Promise<WalletReply>;
  /** Queries the player's balance. Like {@link send}, but no money moves. */
  abstract balance(target: WalletTarget, query: BalanceQuery, span?: Span): Promise<WalletReply>;
}
