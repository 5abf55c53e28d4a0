/**
 * Signing, the same in both directions (docs/specification/signing.md#sign-formula): HMAC-SHA256 over
 * `{timestamp}.{nonce}.{METHOD}.{target}.{body}`, keyed with the secret's text as shown, in 64 lowercase hex digits.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

/** What is signed. `target` is the raw request target from `/v1` on (a callback: the walletUrl's path and query). */
export interface Signable {
  /** Milliseconds since 1970, 13 digits. */
  readonly timestamp: string;
  /** 16 to 64 of `A-Z a-z 0-9 _ -`: no dot, for the dot separates. */
  readonly nonce: string;
  /** Upper case. */
  readonly method: string;
  readonly target: string;
  /** The exact bytes of the body; empty without one (the last dot stays). */
  readonly body: Uint8Array | string;
}

/** The signature of `parts` under `secret`: 64 lowercase hex digits. */
export function sign(secret: string, parts: Signable): string {
  return createHmac("sha256", secret).update(`${parts.timestamp}.${parts.nonce}.${parts.method}.${parts.target}.`).update(parts.body).digest("hex");
}

/** Whether `signature` is what {@link sign} gives. Constant time on decoded bytes of equal length; upper case is refused. */
export function verify(secret: string, parts: Signable, signature: string): boolean {
  const expected = Buffer.from(sign(secret, parts), "hex");
  const wellFormed = /^[0-9a-f]{64}$/.test(signature);
  // An ill-formed signature costs the same work as a wrong one.
  const given = wellFormed ? Buffer.from(signature, "hex") : Buffer.alloc(32);
  return timingSafeEqual(expected, given) && wellFormed;
}

/** How far a timestamp may be off, both ways, inclusive. */
export const TIMESTAMP_TOLERANCE_MS = 300_000;

export const isTimestamp = (text: string): boolean => /^[0-9]{13}$/.test(text);
export const isNonce = (text: string): boolean => /^[A-Za-z0-9_-]{16,64}$/.test(text);
export const isFresh = (timestampMs: number, nowMs: number): boolean => Math.abs(nowMs - timestampMs) <= TIMESTAMP_TOLERANCE_MS;
