import type { SilenceCause } from "../../contract/wallet/results.ts";
import type { PlayerId } from "../domain/values/identifiers.ts";
import type { Currency } from "../domain/values/money.ts";
import type { WalletTarget } from "./wallet.ts";

/** How long each part of a ping took, in ms. null: the part did not end, or was not needed. */
export interface PingTimings {
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** From the end of sending the request to the reply's first byte. */
  readonly firstByteMs: number | null;
  /** The whole ping. */
  readonly totalMs: number;
}

/** The part of a ping that failed. */
export type PingFault =
  | { readonly at: "wallet_url"; readonly rule: string }
  | { readonly at: "address"; readonly message: string }
  /** `code`: an error code of Node's DNS functions, of a socket, or of OpenSSL. */
  | { readonly at: "dns" | "connection"; readonly code: string; readonly message: string }
  | {
      readonly at: "tls";
      readonly code: string;
      readonly message: string;
      /** The host names in the wallet's certificate; null: not known. */
      readonly names: string | null;
      /** When the wallet's certificate expires, in ms since 1970; null: not known. */
      readonly validTo: number | null;
    }
  | { readonly at: "timeout"; readonly afterMs: number };

/** The wallet's complete reply. */
export interface PingReply {
  readonly status: number;
  /** What the wallet answered. `balanceMinor` is in minor units; null: the balance is too large to be stored. */
  readonly answer:
    | { readonly kind: "accepted"; readonly balanceMinor: bigint | null }
    | { readonly kind: "rejected"; readonly error: string }
    /** `coding`: the reply's Content-Encoding; null: the body is as it is. */
    | { readonly kind: "unreadable"; readonly cause: SilenceCause; readonly coding: string | null };
  /** The first 200 bytes of the body, masked as in the attempt log. */
  readonly start: string;
}

/** A ping has either a complete reply or a fault. */
export type Ping = PingTrace &
  ({ readonly reply: PingReply; readonly fault: null } | { readonly reply: null; readonly fault: PingFault });

export interface PingTrace {
  readonly timings: PingTimings;
  /** The value of the header X-Request-Id. */
  readonly requestId: string;
  /** The path and query that were signed; empty: the walletUrl can't be used. */
  readonly path: string;
}

/** Tests whether a merchant's wallet can be reached, and how it answers. */
export abstract class WalletPing {
  /**
   * Sends one signed balance query over a connection of its own. The rules of every wallet call apply to it. But it has
   * no effect on other calls: it raises no alert, takes no permit and does not change the circuit breaker. Never
   * throws.
   */
  abstract ping(target: WalletTarget, playerId: PlayerId, currency: Currency): Promise<Ping>;
}
