import type { PlayerId } from "../domain/values/identifiers.ts";
import type { Currency } from "../domain/values/money.ts";
import type { AttemptResult } from "./transactions/transaction-store.ts";
import type { WalletTarget } from "./wallet.ts";

/** How long each part of a ping took, in ms. null: it did not come to its end, or there was nothing to do. */
export interface PingTimings {
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** From the sent request to the reply's first byte. */
  readonly firstByteMs: number | null;
  /** The whole ping. */
  readonly totalMs: number;
}

/** The part of a ping that failed. */
export type PingFault =
  | { readonly at: "wallet_url"; readonly rule: string }
  | { readonly at: "address"; readonly message: string }
  /** `code`: an error code of Node's DNS, of a socket, or of OpenSSL. */
  | { readonly at: "dns" | "connection"; readonly code: string; readonly message: string }
  | {
      readonly at: "tls";
      readonly code: string;
      readonly message: string;
      /** The names of the certificate that the wallet showed, and its last day (ms since 1970), as far as it showed one. */
      readonly names: string | null;
      readonly validTo: number | null;
    }
  | { readonly at: "timeout"; readonly afterMs: number };

/** The wallet's complete reply. */
export interface PingReply {
  readonly status: number;
  readonly result: AttemptResult;
  /** The balance in minor units; null: the reply has none that can be stored. */
  readonly balanceMinor: bigint | null;
  /** The code of a rejection; null: it is none. */
  readonly error: string | null;
  /** The first 200 bytes, masked as in the attempt log. */
  readonly start: string;
}

export interface Ping {
  /** null: the reply is not complete. */
  readonly reply: PingReply | null;
  readonly fault: PingFault | null;
  readonly timings: PingTimings;
  /** Sent as X-Request-Id. */
  readonly requestId: string;
  /** The path and query that were signed; empty: the walletUrl can't be used. */
  readonly path: string;
}

/** Tries whether a merchant's wallet can be reached and how it answers. */
export abstract class WalletPing {
  /**
   * Sends one signed balance query over a connection of its own. It has the rules of every wallet call, but changes
   * nothing that other calls know: no alert, permit or circuit breaker. Never throws.
   */
  abstract ping(target: WalletTarget, playerId: PlayerId, currency: Currency): Promise<Ping>;
}
