import type { Parameter } from "./query.ts";

/** Where a listing goes on: opaque to callers, and good for the listing that made it alone. */
export function writeCursor(listing: string, position: readonly string[]): string {
  return Buffer.from(JSON.stringify([listing, ...position])).toString("base64url");
}

/** Reads what {@link writeCursor} wrote for the same listing, with `length` texts; anything else was not made by us. */
export const cursor = (listing: string, length: number): Parameter<readonly string[]> => ({
  rule: "a next_cursor of this listing",
  message: "cursor deve ser um next_cursor desta listagem.",
  read: (text) => {
    const [name, ...position] = parse(text);
    const ours = name === listing && position.length === length && position.every((part) => typeof part === "string");
    return ours && writeCursor(listing, position) === text ? position : undefined;
  },
});

function parse(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
