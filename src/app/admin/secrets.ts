import { createHash } from "node:crypto";
import type { Random } from "../../ports/random.ts";

/** 32 random bytes as 43 characters. */
const randomText = (random: Random): string =>
  Buffer.from(random.token() + random.token(), "hex").toString("base64url");

/** A merchant's secret (docs/specification/signing.md#sign-secret). */
export const newSecret = (random: Random): string => `sk_${randomText(random)}`;

/** An API key: its text, which is shown once, and the hash that is stored. */
export function newKey(random: Random): { readonly text: string; readonly hash: string } {
  const key = randomText(random);
  return { text: key, hash: createHash("sha256").update(key).digest("hex") };
}
