/**
 * Signatures in both directions: HMAC-SHA256 over `{timestamp}.{nonce}.{METHOD}.{target}.{body}`, with the secret's text
 * as the key, in 64 lowercase hex digits.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** The largest difference between a timestamp and the clock, in ms, in both directions. */
export const TIMESTAMP_TOLERANCE_MS = 300_000;

/** The parts of a request that the signature covers besides timestamp and nonce. */
export interface Signable {
  /** Upper case. */
  readonly method: string;
  /**
   * For a call, path and query beginning with `/v1`. For a callback, path and query of the walletUrl. Both exactly as
   * sent.
   */
  readonly target: string;
  /** The exact bytes; empty when there are none. */
  readonly body: Uint8Array | string;
}

/** Header values by name, in any case. A repeated header is a list. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The signature of a request under `secret`. `timestamp`: milliseconds since 1970, 13 digits. */
export function sign(secret: string, timestamp: string, nonce: string, { method, target, body }: Signable): string {
  return createHmac("sha256", secret).update(`${timestamp}.${nonce}.${method}.${target}.`).update(body).digest("hex");
}

/** The headers of a new call. Send exactly the `body` that you give here. */
export function signedHeaders(
  merchant: string,
  secret: string,
  request: Signable,
  { timestamp = String(Date.now()), nonce = randomBytes(16).toString("hex") } = {},
): Record<"X-Merchant-Id" | "X-Timestamp" | "X-Nonce" | "X-Signature", string> {
  const signature = sign(secret, timestamp, nonce, request);
  return { "X-Merchant-Id": merchant, "X-Timestamp": timestamp, "X-Nonce": nonce, "X-Signature": signature };
}

/**
 * Whether a callback is genuine: its timestamp differs from the clock by at most five minutes, and X-Signature or
 * X-Signature-Next matches one of the secrets. During a change of the secret, the service sends both headers, and
 * `secrets` has both secrets.
 */
export function verify(
  secrets: readonly string[],
  headers: Headers,
  request: Signable,
  nowMs: number = Date.now(),
): boolean {
  const timestamp = headerOf(headers, "x-timestamp");
  const nonce = headerOf(headers, "x-nonce");
  if (!/^[0-9]{13}$/.test(timestamp) || Math.abs(nowMs - Number(timestamp)) > TIMESTAMP_TOLERANCE_MS) return false;
  // Dots separate the parts of the signed text, so a nonce with a dot would make the parts ambiguous.
  if (!/^[A-Za-z0-9_-]{16,64}$/.test(nonce)) return false;
  const given = [headerOf(headers, "x-signature"), headerOf(headers, "x-signature-next")].filter((text) =>
    /^[0-9a-f]{64}$/.test(text),
  );
  return secrets.some((secret) => {
    // Anybody can sign with an empty secret. A secret that is not configured must therefore match nothing.
    if (secret === "") return false;
    const expected = Buffer.from(sign(secret, timestamp, nonce, request), "hex");
    return given.some((signature) => timingSafeEqual(expected, Buffer.from(signature, "hex")));
  });
}

/** The value of a header by its name in lower case; empty when it is absent or repeated. */
export function headerOf(headers: Headers, name: string): string {
  const values = Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? (value ?? []) : []));
  return values.length === 1 ? (values[0] ?? "") : "";
}
