/** The part of a header that is read. A browser's lists have less than 200 characters. */
const READ_MAX = 1_024;

/**
 * The items of a header with a list, separated by commas. Only the first items of a long header count, because a caller
 * may send 16 kB, and each item costs time.
 */
export function listItems(header: string): string[] {
  const read = header.length <= READ_MAX ? header : header.slice(0, Math.max(0, header.lastIndexOf(",", READ_MAX)));
  return read.split(",");
}
