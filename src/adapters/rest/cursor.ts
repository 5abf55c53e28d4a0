import { createHash } from "node:crypto";

/** Where a listing goes on. */
export interface Cursor {
  /** The parameters that the listing began with, as they were sent. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly position: readonly string[];
}

/** Opaque to callers, and good for the listing that made it alone. */
export function writeCursor(listing: string, parameters: ReadonlyMap<string, string>, position: readonly string[]): string {
  const content = Buffer.from(JSON.stringify([listing, Object.fromEntries(parameters), ...position]));
  return Buffer.concat([checkOf(content), content]).toString("base64url");
}

/** Reads what {@link writeCursor} wrote for the same listing, with `length` texts of position; undefined: it wasn't made here, or was damaged. */
export function readCursor(listing: string, text: string, length: number): Cursor | undefined {
  const bytes = Buffer.from(text, "base64url");
  const content = bytes.subarray(CHECK_BYTES);
  // Of the texts that decode to the same bytes one alone was written.
  if (bytes.toString("base64url") !== text || !checkOf(content).equals(bytes.subarray(0, CHECK_BYTES))) return undefined;
  const [name, parameters, ...position] = parse(content);
  if (name !== listing || typeof parameters !== "object" || parameters === null || position.length !== length) return undefined;
  const texts = [...Object.values(parameters), ...position];
  return texts.every((one) => typeof one === "string") ? { parameters: new Map(Object.entries(parameters)), position: position as string[] } : undefined;
}

/** A cursor is no secret and opens nothing: the check notices damage, and whoever makes up cursors of their own. */
const CHECK_BYTES = 6;
const checkOf = (content: Uint8Array): Buffer => createHash("sha256").update("cursor").update(content).digest().subarray(0, CHECK_BYTES);

function parse(content: Buffer): unknown[] {
  try {
    const value: unknown = JSON.parse(content.toString("utf8"));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
