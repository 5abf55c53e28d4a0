import { readCursor, writeCursor } from "../../../app/merchant/cursor.ts";
import { type FieldFault, refuse } from "../../../domain/errors.ts";
import { fieldFault } from "../../../domain/values/field-fault.ts";
import { unwrap } from "../server/refusal-error.ts";

type Texts = Readonly<Record<string, string>>;

const LIMIT = { default: 100, max: 500 };

/** A page of a catalog listing. */
export interface Page {
  /**
   * The listing's parameters by their JSON names. Parameters that the first page's request did not set have their
   * defaults.
   */
  readonly choice: Texts;
  readonly limit: number;
  /** The position at which the page before ended; null: this is the first page. */
  readonly after: Texts | null;
  /** Writes the cursor for the page after `position`. For null there is no next page, and the cursor is empty. */
  readonly cursorOf: (position: Texts | null) => string;
}

/**
 * Reads the page that a request asks for. A cursor contains its listing's parameters. A request with a cursor may only
 * repeat their values (docs/specification/rest-api.md#rest-cursor-params). Throws VALIDATION_ERROR with every fault.
 *
 * @param merchant - the code of the catalog's merchant. A cursor is valid for the listings of one merchant only.
 * @param choice - the parameters that the request sets.
 * @param faults - the faults of `choice`.
 * @param defaults - the values of parameters that the first request does not set.
 */
export function readPage(
  listing: string,
  merchant: string,
  choice: Texts,
  request: { limit: number; cursor: string },
  faults: readonly FieldFault[],
  defaults: Texts = {},
): Page {
  const begun = request.cursor === "" ? [{ ...defaults, ...choice }] : readCursor(listing, merchant, request.cursor);
  const [chosen = {}, after = null] = (begun ?? []) as readonly [Texts?, Texts?];
  const all = [
    ...faults,
    ...(request.limit <= LIMIT.max ? [] : [fieldFault("limit", `1..${LIMIT.max}`)]),
    ...(begun === undefined
      ? [fieldFault("cursor", "a next_cursor of this listing")]
      : Object.keys(choice)
          .filter((field) => choice[field] !== chosen[field])
          .map((field) => fieldFault(field, "as in the listing that the cursor continues"))),
  ];
  if (all.length > 0) unwrap(refuse("VALIDATION_ERROR", { details: all }));
  return {
    choice: chosen,
    limit: request.limit === 0 ? LIMIT.default : request.limit,
    after,
    cursorOf: (position) => (position === null ? "" : writeCursor(listing, merchant, [chosen, position])),
  };
}
