/**
 * Signatures of requests in both directions (docs/specification/signing.md#sign-formula): HMAC-SHA256 over
 * `{timestamp}.{nonce}.{METHOD}.{target}.{body}`, with the secret's text as the key, in 64 lowercase hex digits.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

/** The parts of a request that are signed. */
export interface Signable {
  /** Milliseconds since 1970, 13 digits. */
  readonly timestamp: string;
  /** 16 to 64 characters of `A-Z a-z 0-9 _ -`. It has no dot, because dots separate the parts. */
  readonly nonce: string;
  /** The HTTP method in upper case. */
  readonly method: string;
  /** The raw request target from `/v1` on. For a callback: the path and query of the walletUrl. */
  readonly target: string;
  /** The exact bytes of the body; empty: there is no body. The signed text then ends with the last dot. */
  readonly body: Uint8Array | string;
}

/** The signature of `parts` under `secret`: 64 lowercase hex digits. */
export function sign(secret: string, parts: Signable): string {
  return createHmac("sha256", secret)
    .update(`${parts.timestamp}.${parts.nonce}.${parts.method}.${parts.target}.`)
    .update(parts.body)
    .digest("hex");
}

/**
 * Whether `signature` is the one that {@link sign} computes. It compares bytes in constant time. It refuses upper case.
 */
export function verify(secret: string, parts: Signable, signature: string): boolean {
  const expected = Buffer.from(sign(secret, parts), "hex");
  const wellFormed = /^[0-9a-f]{64}$/.test(signature);
  // The comparison runs for a malformed signature too, so that it takes as long as for a wrong one.
  const given = wellFormed ? Buffer.from(signature, "hex") : Buffer.alloc(32);
  return timingSafeEqual(expected, given) && wellFormed;
}

/** A timestamp may differ from the service's time by at most this, in ms, in the past or the future. */
export const TIMESTAMP_TOLERANCE_MS = 300_000;

export const isTimestamp = (text: string): boolean => /^[0-9]{13}$/.test(text);
export const isNonce = (text: string): boolean => /^[A-Za-z0-9_-]{16,64}$/.test(text);
export const isFresh = (timestampMs: number, nowMs: number): boolean =>
  Math.abs(nowMs - timestampMs) <= TIMESTAMP_TOLERANCE_MS;
