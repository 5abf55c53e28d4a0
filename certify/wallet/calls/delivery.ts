/** How a callback is signed and sent. Without options it is signed correctly, and sent at once and in one piece. */
import { createHmac, randomBytes } from "node:crypto";
import { type Account, bodyOf, type Callback } from "./callback.ts";

export type Signer = "a wrong secret" | Account;
export type SignedHeader = "X-Merchant-Id" | "X-Timestamp" | "X-Nonce" | "X-Signature";

export interface Delivery {
  /** The secret that signs, if it is not the merchant's own. */
  readonly signedBy?: Signer;
  /** The secret of a second signature over the same text, in X-Signature-Next. */
  readonly nextSignedBy?: Signer;
  /** Parts of the signed text that differ from the sent request. */
  readonly signed?: { readonly method?: string; readonly target?: string; readonly body?: string };
  /**
   * The body that is sent, if it is not the callback's own body. The signature covers this body, unless `signed.body`
   * has another text.
   */
  readonly body?: string;
  /** The timestamp's offset from the clock, in milliseconds. */
  readonly clock?: number;
  readonly seconds?: boolean;
  readonly nonce?: string;
  readonly merchant?: string;
  readonly omit?: SignedHeader;
  /** A change of the correct signature. */
  readonly signature?: "upper case" | "first half" | "zeros";
  /** Headers of an earlier exchange, to send again byte for byte. */
  readonly again?: Readonly<Record<string, string>>;
  /** Unsigned headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Header names in lower case, as some proxies send them. */
  readonly lowerCase?: boolean;
  /** The body is sent in pieces: cut at these byte offsets, with a pause before each piece. */
  readonly pieces?: { readonly at: readonly number[]; readonly pauseMs: number };
  /**
   * Closes the connection without reading a reply: after half of the body, or `afterMs` after the whole body. `isReset`:
   * with a TCP reset, at once if `afterMs` is 0.
   */
  readonly cut?: { readonly body: "half" | "whole"; readonly afterMs: number; readonly isReset?: true };
  /** The connection: a new one, or the open connection with this name. */
  readonly connection?: "own" | { readonly keptOpen: string };
}

export interface Prepared {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const WRONG_SECRET = "sk_this_is_not_the_secret";

/** Makes headers and body with the present time. `target`: path and query of the wallet's address. */
export function prepare(callback: Callback, delivery: Delivery, target: string): Prepared {
  const body = delivery.body ?? bodyOf(callback);
  if (delivery.again !== undefined) return { headers: delivery.again, body };
  const { account } = callback;
  const now = Date.now() + (delivery.clock ?? 0);
  const timestamp = String(delivery.seconds === true ? Math.floor(now / 1000) : now);
  const nonce = delivery.nonce ?? randomBytes(16).toString("hex");
  const { signedBy = account, nextSignedBy, signed = {} } = delivery;
  const text = `${timestamp}.${nonce}.${signed.method ?? "POST"}.${signed.target ?? target}.${signed.body ?? body}`;
  const by = (signer: Signer) =>
    createHmac("sha256", signer === "a wrong secret" ? WRONG_SECRET : signer.secret)
      .update(text)
      .digest("hex");
  const own = {
    "X-Merchant-Id": delivery.merchant ?? account.code,
    "X-Timestamp": timestamp,
    "X-Nonce": nonce,
    "X-Signature": alterSignature(by(signedBy), delivery.signature),
    ...(nextSignedBy !== undefined && { "X-Signature-Next": by(nextSignedBy) }),
  };
  const kept = Object.entries(own).filter(([name]) => name !== delivery.omit);
  const all = { "Content-Type": "application/json", ...Object.fromEntries(kept), ...delivery.headers };
  const headers =
    delivery.lowerCase === true
      ? Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]))
      : all;
  return { headers, body };
}

function alterSignature(signature: string, how: Delivery["signature"]): string {
  if (how === "upper case") return signature.toUpperCase();
  if (how === "first half") return signature.slice(0, 32);
  return how === "zeros" ? "0".repeat(64) : signature;
}

/** Whether the callback is signed and sent exactly as the service does it. Only then must the wallet answer it. */
export const isGenuine = (delivery: Delivery): boolean =>
  !["signedBy", "signed", "clock", "seconds", "nonce", "merchant", "omit", "signature", "again", "cut", "body"].some(
    (name) => name in delivery,
  );
