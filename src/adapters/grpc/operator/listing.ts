import { readCursor, writeCursor } from "../../../app/merchant/cursor.ts";
import { type FieldFault, refuse } from "../../../domain/errors.ts";
import { fieldFault } from "../../../domain/values/field-fault.ts";
import { unwrap } from "../server/refusal-error.ts";

type Texts = Readonly<Record<string, string>>;

const LIMIT = { standard: 100, max: 500 };

/** A page of a catalog listing. */
export interface Page {
  /** What was chosen, by the wire's names: by this request, or by the one that began the listing, and what is so when nothing is said. */
  readonly choice: Texts;
  readonly limit: number;
  /** Where the page before ended; null: this is the first. */
  readonly after: Texts | null;
  /** The cursor of the page that follows `position`; empty: there is none. */
  readonly cursorBehind: (position: Texts | null) => string;
}

/**
 * Reads which page is asked for. A cursor carries its listing's choice: beside it, fields may only repeat that
 * (docs/specification/rest-api.md#rest-cursor-params).
 * Throws VALIDATION_ERROR with every fault.
 *
 * @param merchant - whose catalog it is: a cursor is good for that one's listing alone.
 * @param faults - of the request's own choice.
 * @param standard - the values of what a listing's request didn't say: they are of its choice as if it had.
 */
export function readPage(
  listing: string,
  merchant: string,
  choice: Texts,
  asked: { limit: number; cursor: string },
  faults: readonly FieldFault[],
  standard: Texts = {},
): Page {
  const begun = asked.cursor === "" ? [{ ...standard, ...choice }] : readCursor(listing, merchant, asked.cursor);
  const [chosen = {}, after = null] = (begun ?? []) as readonly [Texts?, Texts?];
  const all = [
    ...faults,
    ...(asked.limit <= LIMIT.max ? [] : [fieldFault("limit", `1..${LIMIT.max}`)]),
    ...(begun === undefined
      ? [fieldFault("cursor", "a next_cursor of this listing")]
      : Object.keys(choice)
          .filter((field) => choice[field] !== chosen[field])
          .map((field) => fieldFault(field, "as in the listing that the cursor continues"))),
  ];
  if (all.length > 0) unwrap(refuse("VALIDATION_ERROR", { details: all }));
  return {
    choice: chosen,
    limit: asked.limit === 0 ? LIMIT.standard : asked.limit,
    after,
    cursorBehind: (position) => (position === null ? "" : writeCursor(listing, merchant, [chosen, position])),
  };
}
