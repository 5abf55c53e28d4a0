/** Ids at the aggregator that a connector derives. They are pure functions of the request, so a repeat has the same id. */
import { sha256 } from "./verify.ts";

/** The longest id of a transaction at the aggregator, in bytes. */
export const TX_ID_MAX = 95;

/** `<prefix><id>`, or the prefix and the id's hash if that would be too long. */
export function derivedId(prefix: string, id: string): string {
  const whole = `${prefix}${id}`;
  return Buffer.byteLength(whole) <= TX_ID_MAX ? whole : `${prefix}${sha256(id)}`;
}
