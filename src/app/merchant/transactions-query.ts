import { type FieldFault, ok, type Result, refuse } from "../../domain/errors.ts";
import { FAULT_TEXTS } from "../../domain/texts/fault-texts.ts";
import {
  CHOICE_NAMES,
  type Choice,
  choiceFaults,
  PAGE_MAX,
  readChoice,
  readLimit,
  type TransactionFields,
} from "../../domain/transaction/transaction-fields.ts";
import type { ListPosition } from "../../ports/transactions/transaction-reader.ts";
import { readCursor, writeCursor } from "./cursor.ts";

/** Which transactions are listed, and which page of them. */
export interface TransactionsQuery {
  /**
   * The filter of the listing. If there is a position, this is the complete filter of the listing that the cursor
   * continues.
   */
  readonly choice: Choice;
  readonly limit: number;
  /** Where the last page ended; null: this is the first page. */
  readonly position: Position | null;
}

/** Where a page of a listing or of the feed ended, as its cursor contains it. Numbers are decimal digits. */
export type Position = Readonly<Record<"until" | "created_at" | "id", string>> | Readonly<Record<"seq", string>>;

const LISTING = "transactions";

export const writePosition = (merchantCode: string, choice: Choice, position: Position): string =>
  writeCursor(LISTING, merchantCode, [choice as Readonly<Record<string, string>>, position]);

/**
 * Reads a request. VALIDATION_ERROR lists every fault at once.
 *
 * @param now - the time of this process's clock in ms. An interval without `to` ends then.
 */
export function readTransactionsQuery(
  merchantCode: string,
  fields: TransactionFields,
  now: number,
): Result<TransactionsQuery> {
  const { choice, faults } = readChoice(fields);
  const limit = readLimit(fields.limit);
  const page = fields.cursor === undefined ? null : readCursor(LISTING, merchantCode, fields.cursor);
  const continued = page == null ? page : readPosition(page);
  const all = [
    ...faults,
    ...(continued === null ? choiceFaults(choice, now) : differences(choice, continued?.choice ?? choice)),
    ...(typeof limit === "number" ? [] : [limit]),
    ...(continued === undefined
      ? [
          {
            field: "cursor",
            rule: "a next_cursor of this listing",
            message: FAULT_TEXTS.cursor,
          },
        ]
      : []),
  ];
  if (all.length > 0 || typeof limit !== "number" || continued === undefined)
    return refuse("VALIDATION_ERROR", { details: all });
  return ok(continued === null ? { choice, limit, position: null } : { ...continued, limit });
}

/**
 * The filter and position in a cursor. They are validated like a request, because cursors can be forged. `undefined`:
 * the service creates no such cursor.
 */
function readPosition([filters, at]: ReturnType<typeof readCursor> & object):
  | { choice: Choice; position: Position }
  | undefined {
  if (typeof filters !== "object" || typeof at !== "object") return undefined;
  const { choice, faults } = readChoice(filters);
  const names = choice.updated_since === undefined ? LISTING_POSITION : FEED_POSITION;
  const isWhole = faults.length === 0 && choice.order !== undefined && names.every((name) => isNumber(at[name]));
  return isWhole
    ? { choice, position: Object.fromEntries(names.map((name) => [name, at[name]])) as Position }
    : undefined;
}

const LISTING_POSITION = ["until", "created_at", "id"] as const;
const FEED_POSITION = ["seq"] as const;
/** Whether the text is a row's number or a time in ms. */
const isNumber = (text: unknown): boolean => typeof text === "string" && /^\d{1,18}$/.test(text);

/** A fault for each field whose value differs from the filter of the listing that the cursor continues. */
const differences = (given: Choice, listing: Choice): FieldFault[] =>
  CHOICE_NAMES.filter((name) => given[name] !== undefined && given[name] !== listing[name]).map((field) => ({
    field,
    rule: "as in the cursor's listing",
    message: FAULT_TEXTS.unlikeCursor(field),
  }));

/** The two values that identify a round. */
interface RoundName {
  /** The provider's code. */
  readonly provider: string;
  readonly roundId: string;
}

/** A request for a page of a round, as it was sent. */
export interface RoundFields extends RoundName {
  /** Decimal digits, 1 to 1 000; undefined: 1 000 transactions. */
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
}

/** A page of a round. */
export interface RoundQuery extends RoundName {
  readonly limit: number;
  /** The position of the last row of the page before; undefined: this is the first page. */
  readonly after: ListPosition | undefined;
}

const ROUND = "round";

export const writeRoundPosition = (
  merchantCode: string,
  { provider, roundId }: RoundName,
  { createdAt, id }: ListPosition,
): string => writeCursor(ROUND, merchantCode, [provider, roundId, String(createdAt), String(id)]);

/** Reads a request for a round. VALIDATION_ERROR lists every fault at once. */
export function readRoundQuery(
  merchantCode: string,
  { provider, roundId, limit: text, cursor }: RoundFields,
): Result<RoundQuery> {
  const limit = readLimit(text ?? String(PAGE_MAX));
  const page = cursor === undefined ? null : readCursor(ROUND, merchantCode, cursor);
  const isOfRound =
    page === null ||
    (page !== undefined && page[0] === provider && page[1] === roundId && isNumber(page[2]) && isNumber(page[3]));
  const faults = [
    ...(typeof limit === "number" ? [] : [limit]),
    ...(isOfRound
      ? []
      : [
          {
            field: "cursor",
            rule: "a next_cursor of this round",
            message: FAULT_TEXTS.cursor,
          },
        ]),
  ];
  if (faults.length > 0 || typeof limit !== "number") return refuse("VALIDATION_ERROR", { details: faults });
  const after = page == null ? undefined : { createdAt: Number(page[2]), id: BigInt(page[3] as string) };
  return ok({ provider, roundId, limit, after });
}
