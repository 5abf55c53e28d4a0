import { createHash } from "node:crypto";

/** A text, or an object of texts. */
type Part = string | Readonly<Record<string, string>>;

/**
 * Creates a cursor: the position at which a listing continues, as a text that callers need not understand. It contains
 * the listing's filter, and a checksum over the listing, the merchant and the parts. The checksum finds mistakes but
 * not forgeries, so the parts must be validated like those of a request.
 */
export function writeCursor(listing: string, merchantCode: string, parts: readonly Part[]): string {
  const text = JSON.stringify(parts);
  return Buffer.from(`${checkOf(listing, merchantCode, text)}${text}`).toString("base64url");
}

/** The parts that {@link writeCursor} got. `undefined`: the text is not a cursor of this listing and merchant. */
export function readCursor(listing: string, merchantCode: string, cursor: string): readonly Part[] | undefined {
  const bytes = Buffer.from(cursor, "base64url");
  const all = bytes.toString("utf8");
  const text = all.slice(CHECK_LENGTH);
  const isOurs =
    bytes.toString("base64url") === cursor && all.slice(0, CHECK_LENGTH) === checkOf(listing, merchantCode, text);
  return isOurs ? partsOf(text) : undefined;
}

function partsOf(text: string): readonly Part[] | undefined {
  try {
    const parts: unknown = JSON.parse(text);
    return Array.isArray(parts) && parts.every(isPart) ? parts : undefined;
  } catch {
    return undefined;
  }
}

const isPart = (part: unknown): part is Part =>
  typeof part === "string" ||
  (typeof part === "object" &&
    part !== null &&
    !Array.isArray(part) &&
    Object.values(part).every((value) => typeof value === "string"));

const CHECK_LENGTH = 12;
const checkOf = (listing: string, merchantCode: string, text: string): string =>
  createHash("sha256").update(`${listing}\n${merchantCode}\n${text}`).digest("base64url").slice(0, CHECK_LENGTH);
