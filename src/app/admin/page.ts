import { ok, type Result } from "../../domain/errors.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import { refuseFaults } from "./changes.ts";

/** Which page of a listing is requested. */
export interface PageRequest {
  /** The maximum number of items of the page. 0 means 100. */
  readonly limit: number;
  /** `nextCursor` of the page before; empty: this is the first page. */
  readonly cursor: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page. Empty: this was the last page. */
  readonly nextCursor: string;
}

const LIMIT = { standard: 100, max: 500 };

/**
 * Reads a page's parameters: its length, and the position after which it begins. Refuses a cursor that belongs to
 * another listing.
 */
export function readPage(
  listing: string,
  { limit, cursor }: PageRequest,
): Result<{ readonly limit: number; readonly after: readonly string[] | null }> {
  const after = cursor === "" ? null : readCursor(listing, cursor);
  const faults = [
    ...(limit <= LIMIT.max ? [] : [fieldFault("limit", `1 to ${LIMIT.max}`)]),
    ...(after === undefined ? [fieldFault("cursor", "a next_cursor of this listing")] : []),
  ];
  return faults.length > 0 || after === undefined
    ? refuseFaults(faults)
    : ok({ limit: limit === 0 ? LIMIT.standard : limit, after });
}

/**
 * One page of a list in memory.
 *
 * @param keyOf - the sort key of an item. Keys are compared part by part. Each key occurs once in the list.
 */
export function pageOf<T>(
  listing: string,
  items: readonly T[],
  keyOf: (item: T) => readonly string[],
  pageRequest: PageRequest,
): Result<Page<T>> {
  const page = readPage(listing, pageRequest);
  if (!page.ok) return page;
  const { limit, after } = page.value;
  const sorted = items.map((item) => ({ item, key: keyOf(item) })).sort((a, b) => compare(a.key, b.key));
  const left = after === null ? sorted : sorted.filter(({ key }) => compare(key, after) > 0);
  const last = left.length > limit ? left[limit - 1] : undefined;
  return ok({
    items: left.slice(0, limit).map(({ item }) => item),
    nextCursor: last === undefined ? "" : writeCursor(listing, last.key),
  });
}

function compare(a: readonly string[], b: readonly string[]): number {
  for (const [i, part] of a.entries()) {
    const other = b[i] ?? "";
    if (part !== other) return part < other ? -1 : 1;
  }
  return 0;
}

export const writeCursor = (listing: string, position: readonly string[]): string =>
  Buffer.from(JSON.stringify([listing, ...position])).toString("base64url");

function readCursor(listing: string, text: string): readonly string[] | undefined {
  try {
    const [name, ...position]: unknown[] = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return name === listing && position.every((part) => typeof part === "string") ? position : undefined;
  } catch {
    return undefined;
  }
}
