/** Signatures over the bytes as they were received. Comparisons take the same time for every wrong value. */
import { createHash, createHmac, type KeyObject, sign, timingSafeEqual, verify } from "node:crypto";

export const sha256 = (text: string | Uint8Array): string => createHash("sha256").update(text).digest("hex");

/** Compares two texts. Their lengths may differ, because their hashes are compared. */
export const sameText = (a: string, b: string): boolean =>
  timingSafeEqual(createHash("sha256").update(a).digest(), createHash("sha256").update(b).digest());

export const md5 = (text: string): string => createHash("md5").update(text).digest("hex");

export const hmac = (algorithm: "sha1" | "sha256", key: string, bytes: string | Uint8Array): string =>
  createHmac(algorithm, key).update(bytes).digest("hex");

/** RSA PKCS#1 v1.5 with SHA-256, in base64. */
export const rsaSign = (bytes: Uint8Array, key: KeyObject): string => sign("sha256", bytes, key).toString("base64");

export function rsaVerifies(bytes: Uint8Array, signature: string, key: KeyObject): boolean {
  if (!/^[A-Za-z0-9+/]{10,2000}={0,2}$/.test(signature)) return false;
  return verify("sha256", bytes, key, Buffer.from(signature, "base64"));
}
