/**
 * Shows how a merchant checks that a callback comes from the service, with only node:crypto. You may copy this code.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * A callback as it was received. `target` is the request line's path and query, `body` the raw bytes before any
 * parsing.
 */
export interface ReceivedCallback {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** `ok`, or the fault of the signature. */
export type SignatureCheck =
  | "ok"
  | "headers_missing"
  | "invalid_timestamp"
  | "timestamp_out_of_range"
  | "invalid_nonce"
  | "mismatch";

/** A timestamp may differ from the wallet's clock by five minutes, in either direction. */
const TOLERANCE_MS = 300_000;

/**
 * Checks the signed headers of a callback. While a secret is being changed, the service signs with the old secret in
 * X-Signature and with the new one in X-Signature-Next. A callback is genuine when one of these signatures is right for
 * one of `secrets`.
 *
 * @param secrets - of the merchant that X-Merchant-Id names.
 * @param nowMs - milliseconds since 1970.
 */
export function checkSignature(secrets: readonly string[], callback: ReceivedCallback, nowMs: number): SignatureCheck {
  const header = (name: string): string => {
    const value = callback.headers[name];
    return typeof value === "string" ? value : "";
  };
  const [timestamp, nonce] = [header("x-timestamp"), header("x-nonce")];
  const signatures = [header("x-signature"), header("x-signature-next")].filter((text) => text !== "");
  if (header("x-merchant-id") === "" || timestamp === "" || nonce === "" || signatures.length === 0)
    return "headers_missing";
  if (!/^[0-9]{13}$/.test(timestamp)) return "invalid_timestamp";
  if (Math.abs(nowMs - Number(timestamp)) > TOLERANCE_MS) return "timestamp_out_of_range";
  // A dot in the nonce would make it unclear where a field of the signing string ends.
  if (!/^[A-Za-z0-9_-]{16,64}$/.test(nonce)) return "invalid_nonce";
  const given = signatures.filter((text) => /^[0-9a-f]{64}$/.test(text)).map((text) => Buffer.from(text, "hex"));
  const isGenuine = secrets.some((secret) => {
    const expected = createHmac("sha256", secret)
      .update(`${timestamp}.${nonce}.${callback.method}.${callback.target}.`)
      .update(callback.body)
      .digest();
    return given.some((one) => timingSafeEqual(expected, one));
  });
  return isGenuine ? "ok" : "mismatch";
}
