import { createHash } from "node:crypto";

/** The entity tag of this very text: another answer has another tag. */
export const etagOf = (text: string | Uint8Array): string => `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;

/**
 * Whether the caller has what the tag stands for. Tags are compared weakly: a proxy that compresses weakens them on their way.
 *
 * @param ifNoneMatch - the values of the header's lines.
 */
export const hasCurrent = (ifNoneMatch: readonly string[], etag: string): boolean =>
  ifNoneMatch.flatMap((line) => line.split(",")).some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
