import { createHash } from "node:crypto";
import { listItems } from "./list-header.ts";

/** The entity tag of a text. Different texts have different tags. */
export const etagOf = (text: string | Uint8Array): string =>
  `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;

/**
 * Whether the caller already has the content with this tag. Tags are compared weakly, because a proxy that compresses
 * makes them weak.
 *
 * @param ifNoneMatch - the values of the If-None-Match lines.
 */
export const hasCurrent = (ifNoneMatch: readonly string[], etag: string): boolean =>
  ifNoneMatch
    .flatMap(listItems)
    .map((tag) => tag.trim())
    .some((tag) => tag === "*" || tag === etag || tag === `W/${etag}`);
